/** Matches full-width and mathematical letters, digits and marks, which look like plain ones. */
const STYLED = /[\u3000\uff01-\uff5e\uffe0-\uffe6\u{1d400}-\u{1d7ff}]+/gu;

/** Replaces full-width and styled letters with plain ones; signs such as ™ are unchanged. */
export const plainLetters = (text: string): string =>
  text.replace(STYLED, (styled) => styled.normalize("NFKC"));
