// A picture of an answer, from the atoms that a draw.lp shows in the words of clingraph; without one, a table of the
// values of a rectangle, or a list.

import { drawing, hexOf } from "./drawing.js";
import { part } from "./elements.js";
import { compared, parsed, wordOf } from "./terms.js";

const MOST = 2000; // nodes and edges
const LAYOUTS = ["neato", "table", "bars"];
const oneOf = (...names) => [({ text }) => names.includes(text), `expected ${names.join(" or ")}`];
const COLOURS = [({ number, word }) => number !== undefined || (word !== undefined && hexOf(word) !== null), 'expected a number, a name such as red, or "#ff8800"'];
const ANY = [() => true, ""];

/** The attributes of each kind of element: a test of a value, and what to expect. */
const KEYS = {
  graph: { label: ANY, layout: oneOf(...LAYOUTS) },
  node: { label: ANY, xlabel: ANY, fillcolor: COLOURS, color: COLOURS, style: oneOf("bold", "dashed", "filled"), shape: oneOf("box", "ellipse", "plain"), group: ANY },
  edge: { label: ANY, color: COLOURS, style: oneOf("bold", "dashed"), dir: oneOf("forward", "none") },
};
const SEVERAL = ["label", "xlabel"]; // keys with a value that may have several parts
const OF_ALL = { graph_nodes: "node", graph_edges: "edge" }; // attributes of all elements of a graph
const DEFAULT = "default"; // the graph that need not be named
const VOCABULARY = "node/1, node/2, edge/1, edge/2, graph/1 and attr/4";

/** The picture that these atoms describe; null if they describe none. An Error says what is wrong with them. */
export function pictureOf(atoms) {
  const graphs = described(atoms).filter(({ nodes }) => nodes.length);
  return graphs.length ? part("div", { className: "drawn" }, ...graphs.map(drawing)) : null;
}

/** The picture of an answer that nothing describes: a table if it has a value for each cell of a rectangle, else a list; null if it has no atom. */
export function plainPicture(atoms) {
  if (!atoms.length) return null;
  const cells = atoms.map(parsed);
  if (isFull(cells)) return pictureOf(["attr(graph,default,layout,table)", ...cells.flatMap(asCell)]);
  const longest = Math.max(...atoms.map(({ length }) => length));
  const list = part("ul", { className: "atoms" }, ...cells.sort(compared).map(({ text }) => part("li", {}, text)));
  list.style.setProperty("--atom", `${longest}ch`);
  return list;
}

/** Whether these atoms are a value for each cell of a rectangle of more than one row and column. */
function isFull(atoms) {
  const [{ name }] = atoms;
  if (!atoms.every((each) => each.name === name && each.parts?.length === 3 && each.parts.every(({ number }) => number !== undefined))) return false;
  const [rows, columns] = [0, 1].map((at) => new Set(atoms.map(({ parts }) => parts[at].text)).size);
  const places = new Set(atoms.map(({ parts: [row, column] }) => `${row.text},${column.text}`));
  return rows > 1 && columns > 1 && places.size === atoms.length && places.size === rows * columns;
}

function asCell({ parts: [row, column, value] }) {
  const cell = `(${row.text},${column.text})`;
  return [`node(${cell})`, `attr(node,${cell},label,${value.text})`];
}

// --- the description ------------------------------------------------------------------------------

/** The graphs that these atoms describe: each has its layout, label, nodes and edges, with attributes by their keys. */
function described(atoms) {
  const found = { graph: [], node: [], edge: [], attr: [] };
  for (const atom of atoms.map(parsed)) {
    const number = atom.parts?.length ?? 0;
    const most = { graph: 1, node: 2, edge: 2 }[atom.name];
    if (atom.name === "attr" ? number !== 4 : !most || number < 1 || number > most) {
      throw wrong(atom, `a picture consists of ${VOCABULARY}; show nothing else by #show`);
    }
    found[atom.name].push(atom);
  }
  if (found.node.length + found.edge.length > MOST) throw new Error(`draw.lp: the picture has ${found.node.length} nodes and ${found.edge.length} edges; at most ${MOST} are drawn, so choose a smaller instance`);
  const graphs = new Map([[DEFAULT, graphOf(DEFAULT)], ...found.graph.map(({ parts: [id] }) => [id.text, graphOf(id.text)])]);
  const inGraph = (atom) => {
    const [, id] = atom.parts;
    const name = id?.text ?? DEFAULT;
    if (!graphs.has(name)) throw wrong(atom, `there is no graph ${name}; add graph(${name}), or correct the name`);
    return graphs.get(name);
  };
  for (const atom of found.node) inGraph(atom).node.set(atom.parts[0].text, { id: atom.parts[0], atom });
  for (const atom of found.edge) {
    const graph = inGraph(atom);
    const [id] = atom.parts;
    if (id.name !== "" || id.parts.length !== 2) throw wrong(atom, "an edge is a pair of nodes, such as edge((a,b))");
    const missing = id.parts.find(({ text }) => !graph.node.has(text));
    if (missing) throw wrong(atom, `there is no node ${missing.text}; add node(${missing.text}), or correct the edge`);
    graph.edge.set(id.text, { id, atom });
  }
  addAttributes(found.attr, graphs);
  return [...graphs.values()].map(finished);
}

const graphOf = (name) => ({ name, own: {}, graph_nodes: {}, graph_edges: {}, node: new Map(), edge: new Map() });

const wrong = ({ text }, words) => new Error(`draw.lp: ${text}: ${words}`);

/** Give elements their attributes, those of all nodes or edges of a graph first. */
function addAttributes(atoms, graphs) {
  for (const atom of atoms) {
    const [{ text: kind }, id, { text: key }, value] = atom.parts;
    const known = KEYS[OF_ALL[kind] ?? kind];
    if (!known) throw wrong(atom, `there is no element ${kind}; choose one of ${[...Object.keys(KEYS), ...Object.keys(OF_ALL)].join(", ")}`);
    if (!Object.hasOwn(known, key)) throw wrong(atom, `there is no attribute ${key} of ${kind}; choose one of ${Object.keys(known).join(", ")}`);
    const [isRight, expected] = known[key];
    if (!isRight(value)) throw wrong(atom, `the ${key} ${value.text} is unknown; ${expected}`);
    const isOfGraph = kind === "graph" || kind in OF_ALL;
    if (isOfGraph && !graphs.has(id.text)) throw wrong(atom, `there is no graph ${id.text}; add graph(${id.text}), or write ${DEFAULT}`);
    const owners = isOfGraph ? [graphs.get(id.text)] : [...graphs.values()].filter((graph) => graph[kind].has(id.text));
    if (!owners.length) throw wrong(atom, `there is no ${kind} ${id.text}; add ${kind}(${id.text}), or correct the name`);
    for (const graph of owners) {
      const element = kind in OF_ALL ? graph[kind] : kind === "graph" ? graph.own : (graph[kind].get(id.text).own ??= {});
      const values = (element[key] ??= []);
      values.push(value);
      if (values.length > 1 && !SEVERAL.includes(key)) throw wrong(atom, `it has the ${key} ${values[0].text}, too; leave one of them`);
    }
  }
}

/** The graph with its nodes and edges in order, and the one value of each attribute. */
function finished({ name, own, graph_nodes: ofNodes, graph_edges: ofEdges, node, edge }) {
  const inOrder = (elements, all) =>
    [...elements.values()].sort((one, other) => compared(one.id, other.id)).map(({ id, atom, own: some = {} }) => ({ id, atom, ...valued({ ...all, ...some }) }));
  const { layout = "neato", label = "" } = valued(own);
  const nodes = inOrder(node, ofNodes);
  for (const each of nodes) each.label ??= layout === "neato" ? wordOf(each.id) : ""; // as in clingraph; the place of a cell says its name
  return { name, layout, label, nodes, edges: inOrder(edge, ofEdges), wrong };
}

const valued = (attributes) => Object.fromEntries(Object.entries(attributes).map(([key, values]) => [key, values.sort(compared).map(wordOf).join(", ")]));
