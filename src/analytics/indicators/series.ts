/** One number per bar, aligned with its input; NaN until enough bars are known. */
export type Series = Float64Array;

/** Throws unless the period is an integer of at least `least` bars. @throws RangeError naming the indicator */
export function checkPeriod(name: string, period: number, least = 1): void {
  if (!Number.isInteger(period) || period < least)
    throw new RangeError(`${name}: a period must be an integer of at least ${least}, not ${period}`);
}

/** Throws if columns differ in length and so cannot belong to the same bars. @throws RangeError naming the indicator */
export function checkAligned(name: string, first: Series, ...others: readonly Series[]): void {
  for (const other of others)
    if (other.length !== first.length)
      throw new RangeError(`${name}: columns differ in length, ${first.length} and ${other.length}`);
}

/**
 * Returns the index of the first value that is a number, so that an indicator can use another's output; the length if
 * none is.
 */
export function firstNumber(x: Series): number {
  let index = 0;
  while (index < x.length && Number.isNaN(x[index]!)) index++;
  return index;
}

/** Returns a series of `length` NaN values. */
export function nanSeries(length: number): Series {
  return new Float64Array(length).fill(Number.NaN);
}

/** Returns a series with every value negated, which mirrors prices for the opposite side. */
export function negated(x: Series): Series {
  const out = new Float64Array(x.length);
  for (let i = 0; i < x.length; i++) out[i] = -x[i]!;
  return out;
}

/** Returns zeroed columns in one block of memory, which is much cheaper than separate allocations. */
export function columns(length: number, count: 2): [Series, Series];
export function columns(length: number, count: 3): [Series, Series, Series];
export function columns(length: number, count: 5): [Series, Series, Series, Series, Series];
export function columns(length: number, count: number): Series[] {
  const memory = new ArrayBuffer(8 * length * count);
  const out: Series[] = [];
  for (let i = 0; i < count; i++) out.push(new Float64Array(memory, 8 * length * i, length));
  return out;
}
