import type { LineDelta, ReportLine } from "../../domain/earnings/earnings.ts";

/** Percent from which a change matters. */
const MATERIAL = 5;
/** Percent up to which nothing changed. */
const FLAT = 0.05;

/** A line against its year before; change in percent of the prior figure's size, null where that is 0. */
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

/** The balance of material changes on [-1, 1]: the good less the bad, of all; null without any line. */
export function balanceOf(deltas: readonly LineDelta[]): number | null {
  if (deltas.length === 0) return null;
  const sum = deltas.reduce(
    (total, { isMateriallyPositive, isMateriallyNegative }) =>
      total + Number(isMateriallyPositive) - Number(isMateriallyNegative),
    0,
  );
  return sum / deltas.length;
}
