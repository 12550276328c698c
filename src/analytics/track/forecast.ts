import { effective } from "./interval.ts";

/** One outcome of a signal. */
export interface Told {
  /** When it was decided, epoch ms. */
  readonly at: number;
  /** When its outcome was known, epoch ms; later than `at`. */
  readonly known: number;
  /** Which of the groups it belongs to; null where it counts for the base rate alone. */
  readonly group: string | null;
  readonly rose: boolean;
}

/** How good forecasts were: the mean squared error, and how much of the reference's it saves (1 all, 0 none, under 0 worse). */
export interface ForecastScore {
  readonly brier: number;
  /** null where the reference made no error to save. */
  readonly skill: number | null;
}

/** Effective outcomes that the wider record is worth against a group's own. */
const PRIOR = 20;

/**
 * Scores, group by group, forecasts of whether the price rises that each signal's past would have made. What is forecast
 * is the group's share of rises among outcomes known when the signal was decided, drawn by 20 effective outcomes towards
 * the share among all outcomes known by then (and that towards one half); the reference is this base rate alone. On
 * noise the skill is about 0.
 * @see G. W. Brier, "Verification of forecasts expressed in terms of probability", 1950
 */
export function forecastScores(told: readonly Told[]): ReadonlyMap<string, ForecastScore> {
  const asked = told.toSorted((a, b) => a.at - b.at);
  const learnt = told.toSorted((a, b) => a.known - b.known);
  const all = tally();
  const groups = new Map<string, Tally & { error: number; reference: number; n: number }>();
  for (const { group } of told)
    if (group !== null && !groups.has(group)) groups.set(group, { ...tally(), error: 0, reference: 0, n: 0 });
  let next = 0;
  for (const { at, group, rose } of asked) {
    for (; next < learnt.length && learnt[next]!.known <= at; next++) {
      const one = learnt[next]!;
      add(all, one.rose);
      if (one.group !== null) add(groups.get(one.group)!, one.rose);
    }
    if (group === null) continue;
    const own = groups.get(group)!;
    const base = drawn(all, 0.5);
    const came = rose ? 1 : 0;
    own.error += (drawn(own, base) - came) ** 2;
    own.reference += (base - came) ** 2;
    own.n++;
  }
  return new Map(
    [...groups].map(([group, { error, reference, n }]) => [
      group,
      { brier: error / n, skill: reference === 0 ? null : 1 - error / reference },
    ]),
  );
}

interface Tally {
  rises: number;
  count: number;
}
const tally = (): Tally => ({ rises: 0, count: 0 });
function add(to: Tally, rose: boolean): void {
  to.count++;
  if (rose) to.rises++;
}
const drawn = ({ rises, count }: Tally, toward: number): number =>
  (effective(rises) + PRIOR * toward) / (effective(count) + PRIOR);
