// The events of a search in words: of both programs on a sudoku, and on any problem.

import { counted, inFigures, listed, part } from "./elements.js";

const NAMED = 6; // placements that a line names

/** An event whose placed and excluded things are in words; `aim` is what the search is for. In a tree, which shows the levels, a choice has no number. */
export function inWords({ kind, level, placed, excluded }, aim, inTree = false) {
  switch (kind) {
    case "choice":
      return `${inTree ? "" : `Choice ${level}: `}${listed([...placed, ...excluded]) || "something else that the program speaks of"}?`;
    case "implied": {
      const more = placed.length - NAMED;
      const gone = excluded.length ? [`${counted(excluded.length, "candidate")} ${excluded.length === 1 ? "goes" : "go"}`] : [];
      return `Follows${level ? "" : " without a guess"}: ${listed([...placed.slice(0, NAMED), ...(more > 0 ? [`${more} more`] : []), ...gone])}.`;
    }
    case "conflict":
      return level ? "Conflict: this cannot be." : `Conflict before any choice: there is no ${aim}.`;
    case "back":
      return level ? `Back to choice ${level}.` : "Back to the beginning, before any choice.";
    default:
      return `A ${aim}.`;
  }
}

/** An event in the tree of choices, which shows their numbers. */
export function eventLine({ kind, level }, index, words) {
  const line = part("li", { className: kind, value: index + 1 }, words);
  line.style.setProperty("--level", level);
  return line;
}

/** How many events there are, and of which kinds. */
export function summary({ events, number, stopped }) {
  const some = ["choice", "conflict"].map((kind) => counted(events.filter((event) => event.kind === kind).length, kind));
  const all = `${stopped ? "more than " : ""}${counted(number, "event")}`;
  return `${number > events.length || stopped ? `The first ${inFigures(events.length)} of ${all}` : all}: ${listed(some)}.`;
}
