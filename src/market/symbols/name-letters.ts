/** Returns a text in lower case without accents. */
export const fold = (text: string): string =>
  (/[^ -~]/.test(text) ? text.normalize("NFKD") : text).toLowerCase();

/** Returns only the letters and digits of a name, in lower case without accents. */
export const squeeze = (text: string): string => fold(text).replace(/[^a-z0-9]/g, "");

/**
 * Returns the bit set of the letters that occur. Digits share bits with letters, so it gives only a lower bound of
 * differences.
 */
export function lettersOf(text: string): number {
  let set = 0;
  for (let i = 0; i < text.length; i++) set |= 1 << ((text.charCodeAt(i) - 97) & 31);
  return set;
}

/** Returns the number of bits that are set. */
export function bits(set: number): number {
  const pairs = set - ((set >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
