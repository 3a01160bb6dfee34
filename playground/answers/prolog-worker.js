// SWI-Prolog: asks a goal, and sends its bindings for each answer as it is found.

importScripts("../swipl/swipl-web.js");

const said = []; // what Prolog printed

const loaded = (async () => {
  const [swipl, files] = await Promise.all([
    SWIPL({
      arguments: ["-q"],
      locateFile: (name) => `../swipl/${name}`,
      on_output: (text) => said.push(text),
    }),
    fetch("../programs.json").then((answer) => answer.json()),
  ]);
  for (const [name, text] of Object.entries(files.prolog)) write(swipl.FS, `/prolog/${name}`, text);
  const { C: complaints } = swipl.prolog.query("use_module('/prolog/bridge.pl'), sudoku_bridge:load(C)").once();
  if (complaints.length) throw new Error(complaints.join("\n"));
  return swipl.prolog;
})();
loaded.then(() => postMessage({ ready: true }), reportError);

function write(FS, path, text) {
  FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
  FS.writeFile(path, text);
}

/** Answers up to `models`, 0 for all; `done.all` says whether there are no more. */
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
    postMessage({ id, done: { seconds: (performance.now() - start) / 1000, all, said: said.join("") } });
  } catch (error) {
    postMessage({ id, error: error.message || said.join("") });
  }
};
