import grades from "../data/grades.json" with { type: "json" };
import { expressions } from "../phrases.ts";

/** Patterns of a single grade: `graded b-`, `A-grade`, `B+ rated`, `A+`, `B stocks`. */
const GRADES = Object.values(expressions(grades.one, grades.names, "gu"));
/** Patterns of a list of grades: `A or A+`, `graded b or c`. */
const LISTS = Object.values(expressions(grades.list, grades.names, "gu"));
/** Patterns of a range of grades: `B+ or better`, `at least B`, `between B and C`. */
const RANGES = Object.values(expressions(grades.range, grades.names, "gu"));

/** Returns the requested grades and the text without lists of them. `isRange`: the text names a range of grades. */
export function gradesIn(asked: string) {
  const text = asked.replace(
    /\b((?:[Gg]raded?|[Rr]ated) [A-Da-d]|[A-D]) (plus|minus)\b/gu,
    (_, before: string, sign: string) => `${before}${sign === "plus" ? "+" : "-"}`,
  );
  const left = RANGES.reduce((all, range) => all.replace(range, " "), text);
  const single = GRADES.flatMap((grade) => [...left.matchAll(grade)].map(([, letter]) => letter!));
  const listed = LISTS.flatMap((list) => left.match(list) ?? []).flatMap(
    (list) => list.match(/(?<!\w)[A-DFa-d](?![\w.'’])[+-]?/gu) ?? [],
  );
  return {
    grades: [...new Set([...single, ...listed].map((letter) => letter.toUpperCase()))],
    isRange: left !== text,
    rest: LISTS.reduce((all, list) => all.replace(list, " "), left),
  };
}
