/** Characters of a question that patterns are read in. */
export const LONGEST_READ = 2_000;
const OF_ITS_END = 600;

/** A question as patterns read it: of a long one the beginning and the end, where what is asked stands. */
export const endsOf = (text: string): string =>
  text.length <= LONGEST_READ
    ? text
    : `${text.slice(0, LONGEST_READ - OF_ITS_END - 1)}\n${text.slice(-OF_ITS_END)}`;
