const SIGNED = "[A-D][+-](?![\\w+-])";
const LETTER = "(?:[A-D][+-]?|F)(?![\\w+&.'’-])";
const BEFORE = "(?<![\\w$&.])";
const KIND = "stocks|coins|tokens|cryptos|etfs|ETFs|names|longs|shorts|setups|signals|companies";

/** Patterns of a single grade: `graded b-`, `A-grade`, `B+ rated`, `A+`, `B stocks`. */
const GRADES: readonly RegExp[] = [
  /\b(?:[Gg]rad(?:e|ed|es)|GRADE)(?: (?:of|is|at|an))? ([A-Da-d][+-]?|[Ff])(?![\w+-])/gu,
  /\b[Rr]at(?:ed|ing|ings)(?: (?:of|is|at|an))? ([A-D][+-]?|F)(?![\w+-])/gu,
  new RegExp(`${BEFORE}([A-D][+-](?= )|[A-DF])[- ]?(?:[Gg]rad(?:e|ed|es)|[Rr]at(?:ed|ings?))\\b`, "gu"),
  new RegExp(`${BEFORE}(${SIGNED})`, "gu"),
  new RegExp(`${BEFORE}([A-DF]) (?:${KIND})\\b`, "gu"),
];
/** Patterns of several grades: `A or A+`, `B+ or better`, `at least B`, `between B and C`. */
const SEVERAL = [
  `${BEFORE}${LETTER}(?: graded?| rated)?\\s*(?:,|/|&|–|\\bor\\b|\\band\\b|\\bto\\b)\\s*(?:an? )?(?:graded? |rated )?${LETTER}`,
  `${BEFORE}(?:[A-D][+-]?|F)(?: graded?| rated| grades)?(?: (?:or|and|&) (?:better|above|higher|up|over|more|greater|worse|below|lower|under|down|less)| (?:upwards?|at (?:least|most|worst|minimum)|min(?:imum)?|max(?:imum)?))\\b`,
  "\\b[Gg]rad(?:e|ed) [a-d][+-]? (?:or|and) (?:[a-d][+-]?(?![\\w+-])|(?:better|above|higher|up|worse|below|lower|under)\\b)",
  `(?:\\b(?:at least|at most|min(?:imum)?|max(?:imum)?|above|over|(?:better|higher|greater|more|less|worse|lower) than|below|under|beyond|between|up to)|[<>≤≥]=?)\\s*(?:(?:an?|the|grad(?:e|ed)|rat(?:ed|ing)|of|with) )*${LETTER}`,
].map((source) => new RegExp(source, "gu"));

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
