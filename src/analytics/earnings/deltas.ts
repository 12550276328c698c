import type { LineDelta, ReportLine } from "../../domain/earnings/earnings.ts";

/** Minimum change in percent that is material. */
const MATERIAL = 5;
/** Change in percent below which a line counts as flat. */
const FLAT = 0.05;

/** Compares a line with the year before. The change is in percent of the absolute prior value; null if that is 0. */
export function deltaOf({ name, unit, current, prior, good }: ReportLine): LineDelta {
  const change = prior === 0 ? null : Math.round((1e4 * (current - prior)) / Math.abs(prior)) / 100;
  const way = change ?? Math.sign(current - prior);
  const direction = Math.abs(way) < FLAT ? "FLAT" : way > 0 ? "UP" : "DOWN";
  const material = change !== null && Math.abs(change) >= MATERIAL;
  return {
    name,
    unit,
    current,
    prior,
    changePct: change,
    direction,
    isMateriallyPositive: material && direction === good,
    isMateriallyNegative: material && direction !== good,
  };
}

/** Returns good minus bad material changes over the number of lines, in [-1, 1]; null without lines. */
export function balanceOf(deltas: readonly LineDelta[]): number | null {
  if (deltas.length === 0) return null;
  const sum = deltas.reduce(
    (total, { isMateriallyPositive, isMateriallyNegative }) =>
      total + Number(isMateriallyPositive) - Number(isMateriallyNegative),
    0,
  );
  return sum / deltas.length;
}
