// Steps as the page gets them: in words, as data, and what to mark on the board.

import { linksOf, rimOf } from "./drawing.js";
import { housesOf } from "./position.js";
import { sentence } from "./sentences.js";
import { gone } from "./words.js";
import { cellName, inOrder, json } from "../cells.js";
import { toJson } from "../../puzzle.js";
import { listed } from "../../words.js";

const MOST_HOUSES = 10; // with more houses, outlines would hide what matters
const MOST_BASES = 4; // the same for houses that must hold a digit; without any, for those that hold it at most once
const PARTS = "abcdef"; // the looks of candidates with a part of their own

/** A step that was found in a position, explained. */
export function shown(found, position, scale, table) {
  const technique = table[found.technique].name;
  const { placed, removed, must, most, chain, roles } = found;
  const said = sentence(found, position);
  const text = `${/^r\d/.test(said) ? said : said[0].toUpperCase() + said.slice(1)}.`;
  const weight = scale.weight(found);
  const { grid, candidates } = position;
  const done = placed ? `${cellName(placed)}=${placed[2]}` : `removes ${gone(removed)}`;
  return {
    title: `${technique}: ${done}`,
    text,
    short: text,
    explanation: {
      question: "step",
      puzzle: toJson(position.puzzle),
      grid,
      candidates,
      technique,
      weight,
      level: scale.level(found),
      placed: placed && json([placed])[0],
      removed: json(removed),
      rules: [...must, ...most],
      chain: chain.map(json),
      roles: Object.fromEntries(Object.entries(roles).map(([role, part]) => [role, json(part)])),
      text,
    },
    grid,
    candidates,
    highlights: highlightsOf(found, position),
    links: linksOf(chain, technique, position),
  };
}

/** What is marked in one role: cells, and placements. */
export function highlight(label, role, cells, placements = [], n = 0) {
  const named = placements.map((each) => [cellName(each), each[2]]);
  const framed = ["house", "cover"].includes(role);
  return { label, role, cells: cells.map(cellName), candidates: named, rim: framed ? rimOf(cells, n) : null };
}

function highlightsOf(found, position) {
  const { placed, removed, must, chain, roles } = found;
  const parts = Object.entries(roles);
  const follows = placed
    ? highlight(`${placed[2]} goes here`, "target", [placed], [placed])
    : highlight("what goes", "removed", [], removed);
  const others = new Set([...parts.flatMap(([, part]) => part), ...removed, ...(placed ? [placed] : [])].map(String));
  const reason = new Map([...must.flatMap((rule) => position.held(rule)), ...chain.flat()].map((each) => [String(each), each]));
  const rest = [...reason].filter(([key]) => !others.has(key)).map(([, each]) => each).sort(inOrder);
  return [
    follows,
    ...partsOf(parts),
    ...(rest.length ? [highlight("why", "reason", [], rest)] : []),
    ...(chain.length ? [] : houses(found, position)),
  ];
}

/** A look for each part: "set B" has that of b, the others have those that are left, in turn. */
function partsOf(parts) {
  const own = (name) => (/ [A-Fa-f]$/.test(name) ? name.at(-1).toLowerCase() : null);
  const taken = parts.map(([name]) => own(name));
  const left = [...PARTS].filter((letter) => !taken.includes(letter));
  const free = left.length ? left : [...PARTS];
  let next = 0;
  return parts.map(([name, part]) => highlight(labelOf(name), own(name) ?? free[next++ % free.length], [], part));
}

const labelOf = (name) => (name.startsWith("set ") ? `set ${name.at(-1).toUpperCase()}` : name);

/** The houses that the step is about: those that must hold a digit, and those that hold it at most once. */
function houses({ must, most }, position) {
  const about = (rules, name) => new Set(rules.filter(([each]) => each === name).map(([, kind, number]) => `${kind} ${number}`));
  const bases = about(must, "somewhere");
  const covers = new Set([...about(most, "once")].filter((each) => !bases.has(each)));
  if ((bases.size || covers.size) > MOST_BASES || bases.size + covers.size > MOST_HOUSES) return [];
  const roles = bases.size ? [["house", bases], ["cover", covers]] : [["house", covers]];
  return roles.flatMap(([role, named]) => {
    const all = housesOf(position.puzzle).filter(({ kind, number }) => named.has(`${kind} ${number}`));
    const label = listed(all.map(({ kind, number }) => `${kind} ${number}`));
    return all.map(({ cells }, at) => highlight(at ? "" : label, role, cells, [], position.size));
  });
}
