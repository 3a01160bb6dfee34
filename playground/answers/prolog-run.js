// SWI-Prolog on a changed program: sends each different answer as it is found, then is done.

importScripts("memory.js", "swipl.js");

const MESSAGES = 20; // lines of messages that are sent
const STACKS = MEMORY / 2; // Prolog reports full stacks; without memory it just ends
const FOLDER = "/program";
const ANSWER = `sudoku_grading:puzzle(Cells, Size, Rows),
  catch(( sudoku_grading:goal(solution, Rows, '', Goal, _), call(user:Goal),
          sudoku_grading:answer_line(Rows, Line) ),
        Error,
        with_output_to(string(Line), ( current_output(Out), pls_runner:failed(Out, Error) )))`;
const said = []; // what Prolog printed, line by line

onmessage = async ({ data: { id, files, cells, size, most } }) => {
  const say = (what) => postMessage({ id, ...what });
  const hear = (text) => said.length < 10 * MESSAGES && said.push(text.slice(0, 500));
  try {
    const prolog = await started(FOLDER, hear, [`--stack-limit=${STACKS}m`], files);
    prolog.query(`use_module('${FOLDER}/sudoku/grading.pl')`).once();
    const start = performance.now();
    const exhausted = tellAnswers(prolog, { Cells: cells, Size: size }, most, (item) => say({ item }));
    say({ done: { exhausted, seconds: (performance.now() - start) / 1000, message: messages() } });
  } catch (error) {
    const ended = error.name === "ExitStatus" ? "the program ended Prolog" : error.message;
    say({ error: [ended, messages()].filter(Boolean).join("\n") });
  }
};

/** Give `each` the different answers, up to `most`; whether there are no more. */
function tellAnswers(prolog, input, most, each) {
  prolog.query(`pls_runner:load('${FOLDER}/main.pl')`).once();
  const { success, Hint } = prolog.query(`pls_runner:load_hint('${FOLDER}/main.pl', Hint)`).once();
  if (success) throw new Error(String(Hint.v ?? Hint));
  const seen = new Set();
  const query = prolog.query(ANSWER, input);
  for (;;) {
    const { value, done, error, message } = query.next();
    if (error) throw new Error(message);
    if (!value) return true;
    const line = String(value.Line.v ?? value.Line);
    const [kind, placements, note] = JSON.parse(line);
    if (kind === "failed") throw new Error(failure(prolog, placements, note));
    if (!seen.has(line)) {
      if (seen.size === most) return false;
      seen.add(line);
      each({ placements, note });
    }
    if (done) return true;
  }
}

/** What went wrong, with the lines that call what does not exist. */
function failure(prolog, kind, text) {
  if (kind === "memory") return `out of memory (the limit is ${STACKS} MB for the stacks)`;
  if (text.includes("Unknown procedure")) prolog.query("check:list_undefined([])").once();
  return text;
}

const messages = () =>
  said.join("").replaceAll("[Thread main] ", "").replaceAll(`${FOLDER}/`, "").trim().split("\n").slice(0, MESSAGES).join("\n");
