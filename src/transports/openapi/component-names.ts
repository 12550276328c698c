/** End of the name of a whole response. */
const RESPONSE = /Response$/;
/** Words that are the same in singular and plural. */
const INVARIANT = /(news|series|ss|us|is)$/;

/**
 * Returns a name for the schema at the end of a path of field names that is not taken: the name of its field, in the
 * singular for the items of a list; preceded by the names before it as far as needed, and numbered in the end.
 */
export function componentName(path: readonly string[], taken: ReadonlySet<string>): string {
  const words = wordsOf(path);
  for (let from = words.length - 1; from >= 0; from--) {
    const name = words.slice(from).join("");
    if (!taken.has(name)) return name;
  }
  for (let number = 2; ; number++) {
    const name = `${words.join("")}${number}`;
    if (!taken.has(name)) return name;
  }
}

/**
 * Returns the names of a path in Pascal case. `items` makes the name before it singular, `allOf` the name of its fields;
 * those of a whole response are `ResponseFields` of its operation.
 */
function wordsOf(path: readonly string[]): readonly string[] {
  const words: string[] = [];
  for (const field of path) {
    const last = words.pop();
    if (last === undefined) words.push(pascalCase(field));
    else if (field === "items") words.push(singular(last));
    else if (field !== "allOf") words.push(last, pascalCase(field));
    else if (last.endsWith("Fields")) words.push(last);
    else if (words.length > 0 || !RESPONSE.test(last)) words.push(`${last}Fields`);
    else words.push(last.replace(RESPONSE, ""), "ResponseFields");
  }
  return words;
}

const pascalCase = (text: string): string =>
  text
    .split(/[^a-zA-Z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

function singular(word: string): string {
  if (INVARIANT.test(word)) return `${word}Item`;
  if (/(ss|x|ch|sh)es$/.test(word)) return word.slice(0, -2);
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return word.endsWith("s") ? word.slice(0, -1) : `${word}Item`;
}
