/**
 * Returns the seed of the paths of one symbol, timeframe and bar, 0 to 2^32 - 1, so that an answer repeats and symbols
 * have random numbers of their own: two share them with a chance of 2^-32. `time` is the start of the bar, epoch ms.
 * @see G. Fowler, L. C. Noll and K. Vo, FNV-1a, 32 bits
 */
export function oddsSeed(symbol: string, timeframe: string, time: number): number {
  let hash = 0x811c9dc5;
  for (const character of `${symbol}|${timeframe}|${time}`)
    hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193);
  return hash >>> 0;
}
