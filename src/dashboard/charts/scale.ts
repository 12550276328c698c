export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Maps the values from `low` to `high` to the pixels from `from` to `to`. */
export const linearScale =
  ([low, high]: readonly [number, number], [from, to]: readonly [number, number]) =>
  (value: number): number =>
    high === low ? (from + to) / 2 : from + ((value - low) / (high - low)) * (to - from);

/** Returns round values within a range, with at most `max` steps between them. */
export function roundTicks(low: number, high: number, max: number): readonly number[] {
  if (!(high > low)) return [low];
  const rough = (high - low) / max;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough)!;
  const first = Math.ceil(low / step);
  const ticks = Math.floor(high / step) - first + 1;
  return Array.from({ length: ticks }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

/** Returns the lowest and highest value with a margin of 4 % on either side. */
export function paddedRange(values: readonly number[]): readonly [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  if (low > high) return [0, 1];
  const margin = (high - low) * 0.04 || Math.abs(high) * 0.04 || 1;
  return [low - margin, high + margin];
}

/** Moves positions apart, so that each is at least `gap` below the one before; keeps their order. */
export function spread(positions: readonly number[], gap: number): readonly number[] {
  const order = positions.map((position, index) => ({ position, index }));
  order.sort((a, b) => a.position - b.position);
  const moved = [...positions];
  let last = Number.NEGATIVE_INFINITY;
  for (const { position, index } of order) {
    last = Math.max(position, last + gap);
    moved[index] = last;
  }
  return moved;
}

interface Tick {
  readonly x: number;
  readonly text: string;
  readonly width: number;
}

/** Places the texts of ticks inside of 0 to `end`: the first and the last one, and those between that touch no other. */
export function fittingTicks(ticks: readonly Tick[], end: number, gap: number) {
  const boxes = ticks.map(({ x, text, width }) => ({
    text,
    width,
    left: Math.max(0, Math.min(x - width / 2, end - width)),
  }));
  const last = boxes.at(-1);
  let free = Number.NEGATIVE_INFINITY;
  return boxes.filter((box) => {
    const fits = box === last || (box.left >= free && box.left + box.width + gap <= last!.left);
    if (fits || box === boxes[0]) free = box.left + box.width + gap;
    return fits || box === boxes[0];
  });
}

/** Returns the point that is nearest to `x`; undefined without points. Points ascend by x. */
export function nearest<P extends { readonly x: number }>(points: readonly P[], x: number): P | undefined {
  let [low, high] = [0, points.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (points[middle]!.x < x) low = middle + 1;
    else high = middle;
  }
  const [before, after] = [points[low - 1], points[low]];
  return before !== undefined && after !== undefined && x - before.x < after.x - x ? before : after;
}

/** Returns the path of a line through points. */
export const linePath = (points: readonly Point[]): string =>
  points.map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
