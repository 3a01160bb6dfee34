// A graph as a drawing, by its layout: nodes and edges, a table, or bars along a time. Each has the same in words.

import { drawing as picture, drawn, part } from "./elements.js";
import { compared, wordOf } from "./terms.js";

const WIDE = 340; // of a drawing, in its own units
const LETTER = 7.2; // the width of a character
const ROW = 34; // of bars
const PALETTE = ["#8ecae6", "#ffc24b", "#a3d16e", "#f4a6c0", "#c8b6ff", "#f9a16f", "#f2e27a", "#6fd8c8", "#d9b38c", "#c3ccd4"];
const [DARK, LIGHT] = ["#16181d", "#ffffff"]; // letters on a colour

/** The drawing of a graph, with its label below. */
export function drawing(graph) {
  const drawings = { neato, table, bars };
  const label = graph.label ? [part("figcaption", {}, graph.label)] : [];
  return part("figure", {}, ...drawings[graph.layout](graph), ...label);
}

/** A picture for the eye, and the same as a list for those who hear it. */
const both = (image, lines) => [image, part("ul", { className: "unseen" }, ...lines.map((line) => part("li", {}, line)))];

// --- colours and words ----------------------------------------------------------------------------

/** The colour of a number or of a name. */
const colourOf = (value) => (/^-?\d+$/.test(value) ? PALETTE.at((Number(value) - 1) % PALETTE.length) : value);

const canvas = document.createElement("canvas").getContext("2d");
const NONE = "#010203"; // no name of a colour stands for it

/** The six digits of a colour that CSS knows by this name; null if it knows none. */
export function hexOf(name) {
  canvas.fillStyle = NONE;
  canvas.fillStyle = name;
  return canvas.fillStyle === NONE || !canvas.fillStyle.startsWith("#") ? null : canvas.fillStyle;
}

/** What is filled with a colour, and the letters on it; black is the ink of the page, so that it stands out in the dark. */
function filled(value) {
  if (!value) return {};
  if (value === "black") return { back: "var(--ink)", letters: "var(--card)" };
  const back = colourOf(value);
  const [red, green, blue] = hexOf(back).match(/\w\w/g).map((each) => parseInt(each, 16) / 255);
  return { back, letters: 0.3 * red + 0.59 * green + 0.11 * blue > 0.45 ? DARK : LIGHT };
}

/** Give an element these properties of CSS. */
function styled(element, properties) {
  for (const [name, value] of Object.entries(properties)) if (value) element.style[name] = value;
  return element;
}

/** What the eye sees of an element beside its label. */
function looks({ fillcolor, color, style, xlabel }) {
  const named = (value) => (/^-?\d+$/.test(value) ? `colour ${value}` : value);
  return [xlabel, fillcolor && named(fillcolor), color && named(color), style !== "filled" && style].filter(Boolean).map((each) => `, ${each}`).join("");
}

const inWords = (element) => `${element.label}${looks(element)}`;
const nameOf = ({ parts, ...term }) => wordOf(term.name === "" && parts.length ? parts.at(-1) : { parts, ...term });

// --- a table --------------------------------------------------------------------------------------

const SIDES = { "0 1": "right", "0 -1": "left", "1 0": "below", "-1 0": "above" };

/** A node is a row and a column, in the order of their terms; of a tuple, the last part is the name. */
function table({ nodes, edges, wrong }) {
  for (const { id, atom } of nodes) if (id.name !== "" || id.parts.length !== 2) throw wrong(atom, "in a table, a node is a pair of a row and a column, such as node((1,2))");
  const [rows, columns] = [0, 1].map((at) => axis(nodes.map(({ id }) => id.parts[at])));
  const place = ({ parts: [row, column] }) => [rows.get(row.text).at, columns.get(column.text).at];
  const cells = new Map(nodes.map((each) => [place(each.id).join(" "), each]));
  const at = (row, column) => cells.get(`${row} ${column}`);
  for (const { id, atom, label = "" } of edges) {
    const [from, to] = id.parts.map(place);
    const side = SIDES[`${to[0] - from[0]} ${to[1] - from[1]}`];
    if (!side) throw wrong(atom, "in a table, an edge is between cells side by side");
    (at(...from).signs ??= []).push([side, label]);
  }
  const named = [...rows.values(), ...columns.values()].some(({ name }) => name);
  const head = ({ name }, scope) => (name ? part("th", { scope }, name) : part("td", {}));
  const line = (row) => [...columns.values()].map((column) => cell(row.at, column.at, at));
  const top = [...columns.values()].some(({ name }) => name) ? [part("tr", {}, part("td", {}), ...[...columns.values()].map((each) => head(each, "col")))] : [];
  const all = part("table", { className: "grid" }, ...top, ...[...rows.values()].map((row) => part("tr", {}, ...(named ? [head(row, "row")] : []), ...line(row))));
  const longest = Math.max(...nodes.map(({ label }) => label.length), ...[...rows.values(), ...columns.values()].map(({ name }) => name.length));
  all.style.setProperty("--columns", columns.size + 1);
  all.style.setProperty("--rows", rows.size + 1);
  all.classList.toggle("wide", longest > 2);
  return [all];
}

/** The names of rows or columns by their terms, with their places, in order. */
function axis(terms) {
  const different = [...new Map(terms.map((term) => [term.text, term])).values()].sort(compared);
  return new Map(different.map((term, index) => [term.text, { at: index, name: nameOf(term) }]));
}

function cell(row, column, at) {
  const node = at(row, column);
  if (!node) return part("td", {});
  const { label, xlabel, fillcolor, color, style, shape, group, signs = [] } = node;
  const near = { right: at(row, column + 1), left: at(row, column - 1), below: at(row + 1, column), above: at(row - 1, column) };
  const borders = group === undefined ? [] : Object.keys(near).filter((side) => near[side]?.group !== group).map((side) => `edge-${side}`);
  const corner = xlabel ? [part("small", {}, xlabel), " "] : [];
  const unseen = (words) => part("span", { className: "unseen" }, words);
  const between = signs.flatMap(([side, sign]) => [part("span", { className: `sign ${side}`, ariaHidden: "true" }, sign), unseen(` ${sign} ${side}`)]);
  const look = looks({ fillcolor, color, style });
  const found = part("td", { className: ["value", shape === "plain" && "plain", style === "bold" && "heavy", ...borders].filter(Boolean).join(" ") }, ...corner, label, ...(look ? [unseen(look)] : []), ...between);
  const { back, letters = color && colourOf(color) } = filled(fillcolor);
  return styled(found, { background: back, color: letters, borderStyle: style === "dashed" && "dashed" });
}

// --- bars -----------------------------------------------------------------------------------------

/** A node is a row, a start and an end: two integers, and perhaps something to tell it from others. */
function bars({ nodes, edges, wrong }) {
  for (const { id, atom } of nodes) {
    const [, start, end] = id.parts ?? [];
    if (id.name !== "" || id.parts.length < 3 || !(start.number <= end.number)) throw wrong(atom, "a bar is a row, a start and an end, such as node((saw,0,3))");
  }
  for (const { atom } of edges) throw wrong(atom, "bars have no edges; leave it out");
  const rows = axis(nodes.map(({ id }) => id.parts[0]));
  const spans = nodes.map((node) => ({ ...node, row: rows.get(node.id.parts[0].text), start: node.id.parts[1].number, end: node.id.parts[2].number }));
  const least = Math.min(0, ...spans.map(({ start }) => start));
  const most = Math.max(least + 1, ...spans.map(({ end }) => end));
  const left = Math.max(...[...rows.values()].map(({ name }) => name.length)) * LETTER + 8;
  const x = (time) => left + ((time - least) / (most - least)) * (WIDE - left - 8);
  const bottom = rows.size * ROW;
  const image = picture({ viewBox: `0 0 ${WIDE} ${bottom + 20}`, class: "sketch" });
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((each) => (most - least) / each <= 12) ?? Math.ceil((most - least) / 12);
  for (let time = Math.ceil(least / step) * step; time <= most; time += step) {
    image.append(drawn("path", { class: "scale", d: `M${x(time)} 0V${bottom + 4}` }), drawn("text", { class: "soft", x: x(time), y: bottom + 16 }, String(time)));
  }
  for (const { at, name } of rows.values()) image.append(drawn("text", { class: "name", x: left - 6, y: (at + 0.5) * ROW + 4 }, name));
  for (const { row, start, end, label, ...look } of spans) {
    const [wide, y] = [x(end) - x(start), row.at * ROW + 4];
    image.append(shaped("rect", look, { x: x(start), y, width: Math.max(1, wide), height: ROW - 8, rx: 3 }), lettered(fitting(label, wide), look, { x: x(start) + wide / 2, y: y + 17 }));
  }
  const lines = [...rows.values()].map((row) => {
    const own = spans.filter((each) => each.row === row).sort((one, other) => one.start - other.start);
    return `${row.name}: ${own.map((each) => `${inWords(each)} from ${each.start} to ${each.end}`).join("; ")}`;
  });
  return both(image, lines);
}

/** As much of a label as fits. */
function fitting(label, wide) {
  const most = Math.floor((wide - 2) / LETTER);
  return label.length <= most ? label : most < 2 ? "" : `${label.slice(0, most - 1)}…`;
}

// --- nodes and edges ------------------------------------------------------------------------------

/** Nodes as far from each other as there are edges between them, if that is possible. */
function neato({ nodes, edges }) {
  const index = new Map(nodes.map(({ id }, at) => [id.text, at]));
  const pairs = edges.map(({ id }) => id.parts.map(({ text }) => index.get(text)));
  const { points, high } = scaled(placed(nodes.length, pairs));
  if (points.length < CROWD) separate(points);
  const size = nodes.length > 24 ? 10 : 13;
  const sizes = nodes.map(({ label }) => [Math.max(size, (label.length * size * 0.56 + 10) / 2), size]);
  const there = new Set(pairs.map(String));
  const image = picture({ viewBox: `0 0 ${WIDE} ${high}`, class: "sketch", "font-size": size });
  edges.forEach((edge, at) => image.append(...edgeOf(edge, pairs[at], points, sizes, there.has(String([...pairs[at]].reverse())))));
  nodes.forEach((node, at) => {
    const [[x, y], [wide, tall]] = [points[at], sizes[at]];
    const box = node.shape === "box" ? { rx: 2 } : { rx: tall };
    if (node.shape !== "plain") image.append(shaped("rect", node, { x: x - wide, y: y - tall, width: 2 * wide, height: 2 * tall, ...box }));
    image.append(lettered(node.label, node.shape === "plain" ? {} : node, { x, y: y + size * 0.36 }));
    if (node.xlabel) image.append(drawn("text", { class: "soft", x, y: y + tall + size }, node.xlabel));
  });
  const line = (edge, [from, to]) => `${nodes[from].label} ${edge.dir === "forward" ? "to" : "and"} ${nodes[to].label}${edge.label ? `: ${edge.label}` : ""}${looks(edge)}`;
  return both(image, [...nodes.map(inWords), ...edges.map((edge, at) => line(edge, pairs[at]))]);
}

const UNREACHED = 0.75; // of the longest way: how far nodes are that are not connected
const ROUNDS = 120;

/** Places of nodes, from a circle on: each moves to where the others want it, by the number of edges between them. */
function placed(number, pairs) {
  const points = Array.from({ length: number }, (_, at) => [Math.sin((2 * Math.PI * at) / number) * number / 6, -Math.cos((2 * Math.PI * at) / number) * number / 6]);
  const away = distances(number, pairs);
  for (let round = 0; round < ROUNDS; round++) {
    points.forEach(([x, y], at) => {
      let [all, right, down] = [0, 0, 0];
      points.forEach(([toX, toY], other) => {
        if (other === at) return;
        const wanted = away[at][other];
        const far = Math.hypot(x - toX, y - toY) || 1e-6;
        const weight = 1 / wanted ** 2;
        all += weight;
        right += weight * (toX + (wanted * (x - toX)) / far);
        down += weight * (toY + (wanted * (y - toY)) / far);
      });
      if (all) points[at] = [right / all, down / all];
    });
  }
  return points;
}

/** The number of edges on the shortest way between any two nodes. */
function distances(number, pairs) {
  const next = Array.from({ length: number }, () => []);
  for (const [from, to] of pairs) {
    next[from].push(to);
    next[to].push(from);
  }
  const ways = next.map((_, start) => {
    const far = Array(number).fill(null);
    far[start] = 0;
    const queue = [start];
    for (const at of queue) {
      for (const each of next[at]) {
        if (far[each] !== null) continue;
        far[each] = far[at] + 1;
        queue.push(each);
      }
    }
    return far;
  });
  const longest = Math.max(...ways.flat().map(Number), 0);
  return ways.map((way) => way.map((each) => each ?? Math.max(1, longest * UNREACHED)));
}

/** Points that fit into the drawing, and its height. */
function scaled(points) {
  const [[left, right], [top, bottom]] = [0, 1].map((at) => points.map((each) => each[at])).map((some) => [Math.min(...some), Math.max(...some)]);
  const margin = 30;
  const scale = Math.min(90, (WIDE - 2 * margin) / Math.max(right - left, 1e-6), WIDE / Math.max(bottom - top, 1e-6));
  const shift = (WIDE - (right - left) * scale) / 2;
  return { points: points.map(([x, y]) => [shift + (x - left) * scale, margin + (y - top) * scale]), high: 2 * margin + (bottom - top) * scale };
}

const GAP = 34; // between nodes
const CROWD = 40; // nodes for which there is no room

/** Move nodes apart that are almost in one place. */
function separate(points) {
  for (let round = 0; round < 20; round++) {
    points.forEach((one, at) => {
      for (const other of points.slice(at + 1)) {
        const far = Math.hypot(one[0] - other[0], one[1] - other[1]);
        const push = (GAP - far) / 4;
        if (push <= 0) continue;
        const [right, down] = far > 1 ? [(one[0] - other[0]) / far, (one[1] - other[1]) / far] : [1, 0];
        [one[0], one[1], other[0], other[1]] = [one[0] + right * push, one[1] + down * push, other[0] - right * push, other[1] - down * push];
      }
    });
  }
}

/** A line between two nodes, curved if there is one back, with an arrow if it has a direction; a loop at a single node. */
function edgeOf(edge, [from, to], points, sizes, hasReverse) {
  const [[x, y], [toX, toY]] = [points[from], points[to]];
  const name = ["edge", edge.style].filter(Boolean).join(" ");
  const line = (d) => styled(drawn("path", { class: name, d }), { stroke: edge.color && colourOf(edge.color) });
  if (from === to) return [line(`M${x - 6} ${y - 10}C${x - 22} ${y - 38} ${x + 22} ${y - 38} ${x + 6} ${y - 10}`)];
  const far = Math.hypot(toX - x, toY - y) || 1;
  const [right, down] = [(toX - x) / far, (toY - y) / far];
  const bend = hasReverse ? 14 : 0;
  const [midX, midY] = [(x + toX) / 2 - down * bend, (y + toY) / 2 + right * bend];
  const [wide, tall] = sizes[to];
  const rim = Math.min(wide / Math.max(Math.abs(right), 1e-6), tall / Math.max(Math.abs(down), 1e-6), far);
  const [endX, endY] = [toX - right * rim, toY - down * rim];
  const label = edge.label ? [drawn("text", { class: "between", x: midX, y: midY + 4 }, edge.label)] : [];
  if (edge.dir !== "forward") return [line(`M${x} ${y}Q${midX} ${midY} ${toX} ${toY}`), ...label];
  const back = (side) => `${endX - right * 10 - down * side} ${endY - down * 10 + right * side}`;
  const head = styled(drawn("path", { class: "head", d: `M${endX} ${endY}L${back(5)}L${back(-5)}z` }), { fill: edge.color && colourOf(edge.color) });
  return [line(`M${x} ${y}Q${midX} ${midY} ${endX - right * 6} ${endY - down * 6}`), head, ...label];
}

/** A shape with the look of a node. */
function shaped(tag, { fillcolor, color, style }, attributes) {
  const shape = drawn(tag, { class: ["node", style].filter(Boolean).join(" "), ...attributes });
  return styled(shape, { fill: filled(fillcolor).back, stroke: color && colourOf(color) });
}

/** A label in the middle of a node. */
function lettered(label, { fillcolor, style }, attributes) {
  const text = drawn("text", { ...attributes, ...(style === "bold" && { class: "heavy" }) }, label);
  return styled(text, { fill: filled(fillcolor).letters });
}
