/** Lower case without accents. */
export const fold = (text: string): string =>
  (/[^ -~]/.test(text) ? text.normalize("NFKD") : text).toLowerCase();

/** Letters and digits of a name, folded. */
export const squeeze = (text: string): string => fold(text).replace(/[^a-z0-9]/g, "");

/** One bit for each letter that occurs; digits share bits with letters, which only loosens a bound. */
export function lettersOf(text: string): number {
  let set = 0;
  for (let i = 0; i < text.length; i++) set |= 1 << ((text.charCodeAt(i) - 97) & 31);
  return set;
}

/** Number of bits set, added up in parallel. */
export function bits(set: number): number {
  const pairs = set - ((set >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
