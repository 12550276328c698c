/** Random numbers determined by the seed, the stream name and the number of draws. */
export interface Random {
  /** In [0, 1). */
  readonly unit: () => number;
  readonly between: (low: number, high: number) => number;
  /** An integer, both ends included. */
  readonly whole: (low: number, high: number) => number;
  /** Mean 0, standard deviation 1. @see Box and Muller, "A Note on the Generation of Random Normal Deviates" (1958) */
  readonly normal: () => number;
}

/** A counter hashed to 32 bits: no draw depends on the previous one. @see Steele, Lea and Flood, SplitMix (2014) */
export function randomOf(seed: number, stream: number): Random {
  const key = spread(Math.imul(seed, 0x9e3779b1) ^ spread(stream + 0x51ed27));
  let drawn = 0;
  const unit = (): number => (spread(key + Math.imul(++drawn, 0x9e3779b9)) >>> 0) / 2 ** 32;
  return {
    unit,
    between: (low, high) => low + (high - low) * unit(),
    whole: (low, high) => low + Math.floor((high - low + 1) * unit()),
    normal: () => Math.sqrt(-2 * Math.log(1 - unit())) * Math.cos(2 * Math.PI * unit()),
  };
}

function spread(bits: number): number {
  let h = bits | 0;
  h = Math.imul(h ^ (h >>> 16), 0x21f0aaad);
  h = Math.imul(h ^ (h >>> 15), 0x735a2d97);
  return h ^ (h >>> 15);
}
