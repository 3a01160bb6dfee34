// SWI-Prolog: asks a goal, and sends its bindings for each answer as it is found.

importScripts("swipl.js");

const said = []; // what Prolog printed

const loaded = (async () => {
  const prolog = await started("/prolog", (text) => said.push(text));
  const parts = "maplist(pls_bridge:load, [sudoku,'sudoku/questions','sudoku/trace'], Lists), append(Lists, C)";
  const { C: complaints } = prolog.query(`use_module('/prolog/host/bridge.pl'), ${parts}`).once();
  if (complaints.length) throw new Error(complaints.join("\n"));
  return prolog;
})();
loaded.then(() => postMessage({ ready: true }), reportError);

/** Answers up to `models`, 0 for all. */
onmessage = async ({ data: { id, goal, input = {}, models = 0 } }) => {
  const prolog = await loaded;
  said.length = 0;
  try {
    const start = performance.now();
    const query = prolog.query(goal, input);
    let found = 0;
    let all = false;
    while (!all && !(models && found === models)) {
      const next = query.next();
      if (next.error) throw new Error(next.message);
      if (next.value) {
        postMessage({ id, item: next.value });
        found++;
      }
      all = next.done;
    }
    query.close();
    postMessage({ id, done: { seconds: (performance.now() - start) / 1000 } });
  } catch (error) {
    postMessage({ id, error: error.message || said.join("") });
  }
};
