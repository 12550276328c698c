/**
 * Lines of a data file with phrases separated by `; `. In a phrase, `(a|b)` is a choice, `?` makes the preceding letter
 * or choice optional, `*` ends any word, `#` is a number, `-` is nothing, a space or one mark, `~` is one word, `..5`
 * is up to 5 words (`..` up to 3), `...` is up to 40 characters, and `^` and `$` are the beginning and end of a
 * sentence.
 */
export interface Phrases {
  readonly any: readonly string[];
  /** Exceptions, removed from the text first. */
  readonly not?: readonly string[];
}

const TOKENS: readonly (readonly [RegExp, string])[] = [
  [/ \.\.\. /g, "\uE000"],
  [/\.\.(\d?) /g, "\uE001$1"],
  [/^\^ | \(\^\|\$\)$| \$$|^\$$/g, "\uE002"],
  [/\$/g, "\\$"],
  [/\./g, "\\."],
  [/\*/g, "\\w*"],
  [/(?<!\\)-/g, "[ ./-]?"],
  [/#/g, "\\d+"],
  [/\((?!\?)/g, "(?:"],
  [/'/g, "['’]"],
  [/\uE000/g, "\\b.{0,40}?\\b"],
  [/\uE001(\d)/g, "(?:\\S+ ){0,$1}"],
  [/\uE001/g, "(?:\\S+ ){0,3}"],
  [/~/g, "\\S+"],
  [/\uE002/g, "(?:^|[\\s.?!,;]*$|[.?!,;]\\s*)"],
];
const sourceOf = (phrase: string): string =>
  TOKENS.reduce((source, [token, to]) => source.replace(token, to), phrase);

/** Characters that belong to a word, as part of a character class. */
const LETTERS = "\\p{L}\\p{N}_";

export const phrasesOf = (lines: readonly string[]): readonly string[] => lines.join("; ").split("; ");

export const wordsOf = (lines: readonly string[]): ReadonlySet<string> => new Set(lines.join(" ").split(" "));

/** Compiles phrases into one pattern that matches whole words. `marks`: characters that belong to a word. */
export const pattern = (phrases: readonly string[], flags = "iu", marks = LETTERS): RegExp =>
  new RegExp(`(?<![${marks}])(?:${phrases.map(sourceOf).join("|")})(?![${marks}])`, flags);

/** Compiles the phrases of each row of a data file; `{name}` stands for any phrase of that row of `names`. */
export function patterns<Label extends string>(
  table: Readonly<Record<Label, readonly string[]>>,
  names: Readonly<Record<string, readonly string[]>> = {},
): Readonly<Record<Label, RegExp>> {
  const rows = Object.entries<readonly string[]>(table).map(([label, lines]) => {
    const any = lines.map((line) =>
      line.replace(/\{([a-z]+)\}/g, (_, name: string) => `(${phrasesOf(names[name]!).join("|")})`),
    );
    return [label, pattern(phrasesOf(any))];
  });
  return Object.fromEntries(rows);
}

/** Compiles the regular expressions of a data file; `{name}` stands for the expression of that name. */
export const expressions = <Label extends string>(
  table: Readonly<Record<Label, string>>,
  names: Readonly<Record<string, string>>,
  flags: string,
) => {
  const whole = (source: string) => source.replace(/\{([a-z]+)\}/g, (_, name: string) => names[name]!);
  const rows = Object.entries<string>(table).map(([label, source]) => [
    label,
    new RegExp(whole(source), flags),
  ]);
  return Object.fromEntries(rows) as Readonly<Record<Label, RegExp>>;
};

/** Returns the labels of the patterns that match a text. */
export const labelsIn = <Label extends string>(table: Readonly<Record<Label, RegExp>>, text: string) =>
  (Object.keys(table) as Label[]).filter((label) => table[label].test(text));

/** Compiles phrases and their exceptions into a matcher. */
function matcher({ any, not = [] }: Phrases) {
  const found = pattern(phrasesOf(any));
  const exceptions = not.length === 0 ? null : pattern(phrasesOf(not), "giu");
  const spaces = (text: string) => " ".repeat(text.length);
  const read = (text: string) => (exceptions === null ? text : text.replace(exceptions, spaces));
  return {
    test: (text: string): boolean => found.test(read(text)),
    /** Returns the position of the first match; -1 for none. */
    at: (text: string): number => read(text).search(found),
    /** Returns `left` with spaces in place of the first match in `text`. Both texts have the same length. */
    blank(text: string, left: string): string {
      const { 0: match = "", index = 0 } = found.exec(read(text)) ?? {};
      return `${left.slice(0, index)}${spaces(match)}${left.slice(index + match.length)}`;
    },
  };
}

/** Returns the rows of a data file, each with its label and the matcher of its phrases. */
export const matchers = <Label extends string, Row extends Phrases>(table: Readonly<Record<Label, Row>>) =>
  Object.entries<Row>(table).map(([label, row]) => ({ ...row, label: label as Label, words: matcher(row) }));
