/** Returns the words of lines of a data file. */
export const wordsOfLines = (lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(" ")));
