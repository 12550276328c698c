import grades from "../data/grades.json" with { type: "json" };
import { expressions } from "../phrases.ts";

/** Patterns of a single grade: `graded b-`, `A-grade`, `B+ rated`, `A+`, `B stocks`. */
const GRADES = Object.values(expressions(grades.one, grades.names, "gu"));
/** Patterns of several grades: `A or A+`, `B+ or better`, `at least B`, `between B and C`. */
const SEVERAL = Object.values(expressions(grades.several, grades.names, "gu"));

/** Returns the requested grade and the text without grades. `isSeveral`: the text names more than one grade. */
export function gradeIn(asked: string) {
  const text = asked.replace(
    /\b((?:[Gg]raded?|[Rr]ated) [A-Da-d]|[A-D]) (plus|minus)\b/gu,
    (_, before: string, sign: string) => `${before}${sign === "plus" ? "+" : "-"}`,
  );
  const matches = GRADES.flatMap((pattern) => [...text.matchAll(pattern)]);
  const [grade = null, another] = new Set(matches.map(([, letter]) => letter!.toUpperCase()));
  const rest = SEVERAL.reduce((left, pattern) => left.replace(pattern, " "), text);
  const isSeveral = rest !== text || another !== undefined;
  return { grade: isSeveral ? null : grade, isSeveral, rest };
}
