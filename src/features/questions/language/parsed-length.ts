/** Maximum number of characters of a question that are searched for patterns. */
export const MAX_PARSED_LENGTH = 2_000;
const END_LENGTH = 600;

/** Returns the beginning and the end of a long question, which usually hold what it asks for. */
export const withoutMiddle = (text: string): string =>
  text.length <= MAX_PARSED_LENGTH
    ? text
    : `${text.slice(0, MAX_PARSED_LENGTH - END_LENGTH - 1)}\n${text.slice(-END_LENGTH)}`;
