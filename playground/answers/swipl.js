// SWI-Prolog in a worker; the worker imports this.

importScripts("../swipl/swipl-web.js");

/**
 * Prolog, started with these options and with the files of prolog/ in a folder. `on_output` gets what it
 * prints; `changed` has texts by name that replace ours.
 */
async function started(folder, on_output, options = [], changed = {}) {
  const [{ FS, prolog }, { prolog: ours }] = await Promise.all([
    SWIPL({ arguments: ["-q", ...options], locateFile: (name) => `../swipl/${name}`, on_output }),
    fetch("../programs.json").then((answer) => answer.json()),
  ]);
  for (const [name, text] of Object.entries({ ...ours, ...changed })) {
    const path = `${folder}/${name}`;
    FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    FS.writeFile(path, text);
  }
  return prolog;
}
