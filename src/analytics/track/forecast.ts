import { effective } from "./interval.ts";

/** One outcome of a signal that has a side. */
export interface Told {
  /** When it was decided, epoch ms. */
  readonly at: number;
  /** When its outcome was known, epoch ms; later than `at`. */
  readonly known: number;
  /** Which of the groups it belongs to. */
  readonly group: string;
  readonly hit: boolean;
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
 * Scores, group by group, forecasts that each outcome's past would have made. What is forecast is the group's hit rate over outcomes
 * known when the signal was decided, drawn towards the rate of all groups (and that towards one half) by 20 effective
 * outcomes; the reference is the rate of all groups at the same moment. On noise the skill is about 0.
 * @see G. W. Brier, "Verification of forecasts expressed in terms of probability", 1950
 */
export function forecastScores(told: readonly Told[]): ReadonlyMap<string, ForecastScore> {
  const asked = told.toSorted((a, b) => a.at - b.at);
  const learnt = told.toSorted((a, b) => a.known - b.known);
  const all = tally();
  const groups = new Map<
    string,
    ReturnType<typeof tally> & { error: number; reference: number; n: number }
  >();
  for (const { group } of told)
    if (!groups.has(group)) groups.set(group, { ...tally(), error: 0, reference: 0, n: 0 });
  let next = 0;
  for (const { at, group, hit } of asked) {
    for (; next < learnt.length && learnt[next]!.known <= at; next++) {
      const one = learnt[next]!;
      add(all, one.hit);
      add(groups.get(one.group)!, one.hit);
    }
    const own = groups.get(group)!;
    const base = drawn(all, 0.5);
    const came = hit ? 1 : 0;
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

const tally = () => ({ hits: 0, count: 0 });
const add = (to: { hits: number; count: number }, hit: boolean): void => {
  to.count++;
  if (hit) to.hits++;
};
const drawn = ({ hits, count }: { hits: number; count: number }, toward: number): number =>
  (effective(hits) + PRIOR * toward) / (effective(count) + PRIOR);
