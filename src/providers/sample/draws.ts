/** Mixes 32 bits so that neighbouring inputs give unrelated outputs. @see Appleby, MurmurHash3 (2011), finaliser */
function mix(bits: number): number {
  let h = bits;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** Returns a 32-bit key for the stream of draws identified by `parts`. @see Fowler, Noll and Vo, FNV-1a (1991) */
export function keyOf(...parts: readonly (string | number)[]): number {
  let h = 0x811c9dc5;
  for (const letter of parts.join("|")) h = Math.imul(h ^ letter.codePointAt(0)!, 0x01000193);
  return mix(h);
}

/** Returns the draw at `index` of the stream `key`: a signed 32-bit integer that depends only on these two. */
export const draw = (key: number, index: number): number => mix(mix(index ^ 0x9e3779b9) ^ key);

/** Converts a draw to a number in [0, 1). */
export const unit = (bits: number): number => (bits >>> 0) / 4_294_967_296;

const byteSum = (bits: number) => (bits & 255) + ((bits >>> 8) & 255) + ((bits >>> 16) & 255) + (bits >>> 24);
const ONE_OVER_SPREAD = 1 / Math.sqrt((4 * (256 * 256 - 1)) / 12);

/**
 * Converts a draw to a bell-shaped number with mean 0 and standard deviation 1, between -3.5 and 3.5: the sum
 * of its four bytes.
 */
export const bell = (bits: number): number => (byteSum(bits) - 510) * ONE_OVER_SPREAD;

/**
 * Combines two draws of a stream to a nearly normal number with mean 0 and standard deviation 1, between -4.9 and 4.9.
 */
export const normal = (key: number, index: number): number =>
  (bell(draw(key, 2 * index)) + bell(draw(key, 2 * index + 1))) * Math.SQRT1_2;

/**
 * Returns a slowly changing number with mean 0 and standard deviation 1: a scaled sum of the newest `count` draws;
 * `drawAt(0)` is the newest.
 */
export function drift(count: number, drawAt: (back: number) => number): number {
  let sum = 0;
  for (let back = 0; back < count; back++) sum += drawAt(back);
  return sum / Math.sqrt(count);
}

/**
 * Returns the exponential of a number between -4 and 4, bit-identical on every engine. The standard leaves
 * the last digits of `Math.exp` to the engine, but a simulated history must be the same everywhere.
 */
export function exp(x: number): number {
  const y = x / 64;
  // Taylor series up to the eighth power, exact to the last digits for arguments this small
  const tail = 1 / 720 + y * (1 / 5040 + y * (1 / 40_320));
  const part = 1 + y * (1 + y * (1 / 2 + y * (1 / 6 + y * (1 / 24 + y * (1 / 120 + y * tail)))));
  const p4 = part * part * part * part;
  const p16 = p4 * p4 * p4 * p4;
  return p16 * p16 * p16 * p16;
}

/** Returns the logarithm of a draw taken as a fraction in (0, 1): never -Infinity, bit-identical on every engine. */
export function lnUnit(bits: number): number {
  const odd = (bits | 1) >>> 0;
  const zeros = Math.clz32(odd);
  const mantissa = ((odd << zeros) >>> 0) / 2_147_483_648;
  const ratio = (mantissa - 1) / (mantissa + 1);
  let sum = 0;
  for (let n = 27; n > 0; n -= 2) sum = sum * ratio * ratio + 1 / n;
  return 2 * ratio * sum - (zeros + 1) * Math.LN2;
}
