/** Words that say nothing of what a question is about. */
const STOP_WORDS = new Set(
  "a an the will would be is are was it its their his her of in on at by to for from and or as than then this that next new what when which who how many much any there do does have has get with before after during until end".split(
    " ",
  ),
);
const SYNONYMS: readonly (readonly [RegExp, string])[] = [
  [/\bfederal reserve\b|\bfomc\b|\bfederal open market committee\b/g, "fed"],
  [/\binterest rates?\b/g, "rate"],
  [/\bbasis points?\b|\bbps\b/g, "bp"],
  [/\bunited states\b|\bu\.s\.(?=\W|$)/g, "us"],
];

/** Content words of a text, in lower case and stemmed, without stop words; numbers without commas. */
export function tokenize(text: string): readonly string[] {
  const plain = SYNONYMS.reduce((all, [from, to]) => all.replace(from, to), text.toLowerCase());
  return (
    plain.replace(/(\d),(?=\d{3})/g, "$1").match(/\d+(?:\.\d+)?|[\p{L}\p{M}][\p{L}\p{M}\p{N}]*/gu) ?? []
  )
    .filter((word) => !STOP_WORDS.has(word))
    .map(stem);
}

/** One form for `cut`, `cuts` and `cutting`. */
function stem(word: string): string {
  if (/[^s]s$/.test(word) && word.length > 3) return word.slice(0, -1);
  if (/ing$/.test(word) && word.length > 5) return word.slice(0, -3).replace(/(.)\1$/, "$1");
  return word;
}
