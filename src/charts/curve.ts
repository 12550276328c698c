import type { Columns } from "./candles.ts";
import { px } from "./svg.ts";

/** Returns the x coordinate of the middle of a value, in pixels. */
export const valueCenterX = (index: number, { left, slot }: Columns): number => left + (index + 0.5) * slot;

/** Limits a y coordinate: far outside the picture the exact position does not matter, and the numbers stay short. */
const clampY = (y: number): number => Math.max(-5_000, Math.min(5_000, y));

/**
 * Returns the path of a line through a column of numbers, with gaps at NaN. If several values share a pixel,
 * only the first, lowest, highest and last of them are drawn, which looks the same. `xOf` places a value in its column.
 */
export function curve(
  values: Float64Array,
  y: (value: number) => number,
  columns: Columns,
  xOf = valueCenterX,
): string {
  let steps = "";
  let pen = "M";
  for (const index of columns.slot >= 0.5 ? values.keys() : visiblePoints(values, columns.slot)) {
    const value = values[index]!;
    if (Number.isFinite(value)) steps += `${pen}${px(xOf(index, columns))} ${px(clampY(y(value)))}`;
    pen = Number.isFinite(value) ? "L" : "M";
  }
  return steps;
}

/** Returns the path of the area between the line of `curve` and the height `floor`; NaN counts as 0. */
export function areaUnder(
  values: Float64Array,
  y: (value: number) => number,
  columns: Columns,
  floor: number,
): string {
  const line = curve(
    values.map((value) => (Number.isFinite(value) ? value : 0)),
    y,
    columns,
  );
  if (line === "") return "";
  const [first, last] = [valueCenterX(0, columns), valueCenterX(values.length - 1, columns)];
  return `M${px(first)} ${px(floor)}L${line.slice(1)}L${px(last)} ${px(floor)}z`;
}

/** Yields the indices of the values to draw, pixel by pixel. */
function* visiblePoints(values: Float64Array, slot: number): Iterable<number> {
  for (let from = 0, to = 0; from < values.length; from = to) {
    const pixel = Math.floor(from * slot);
    let [least, most] = [from, from];
    for (to = from; to < values.length && Math.floor(to * slot) === pixel; to++) {
      if (!(values[to]! >= values[least]!)) least = to;
      if (values[to]! > values[most]!) most = to;
    }
    yield* [...new Set([from, least, most, to - 1])].sort((a, b) => a - b);
  }
}
