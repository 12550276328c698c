import { effective } from "./interval.ts";

/** One outcome of a signal. */
export interface ForecastOutcome {
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

export interface ForecastFold {
  /** The next outcome, in the order in which signals were decided. Throws RangeError for an earlier one. */
  add(outcome: ForecastOutcome): void;
  /** By group, of everything added so far. */
  result(): ReadonlyMap<string, ForecastScore>;
}

/** Effective outcomes that the wider record is worth against a group's own. */
const PRIOR = 20;

/**
 * Scores, group by group, forecasts of whether the price rises that each signal's past would have made. What is forecast
 * is the group's share of rises among outcomes known when the signal was decided, drawn by 20 effective outcomes towards
 * the share among all outcomes known by then (and that towards one half); the reference is this base rate alone. On
 * noise the skill is about 0. All outcomes are of one horizon, in bars. It holds counts alone, not the outcomes.
 * @see G. W. Brier, "Verification of forecasts expressed in terms of probability", 1950
 */
export function forecastFold(horizon: number): ForecastFold {
  const all = tally();
  const groups = new Map<string, Group>();
  // counts that are known later than the newest decision, soonest first
  const waiting: Waiting[] = [];
  let now = Number.NEGATIVE_INFINITY;

  const drawn = ({ rises, count }: Tally, toward: number): number =>
    (effective(rises, horizon) + PRIOR * toward) / (effective(count, horizon) + PRIOR);

  const groupOf = (name: string): Group => {
    const group = groups.get(name) ?? { ...tally(), error: 0, reference: 0, n: 0 };
    groups.set(name, group);
    return group;
  };

  function learn(): void {
    while (waiting.length > 0 && waiting[0]!.known <= now) {
      const { all: more, groups: own } = waiting.shift()!;
      join(all, more);
      for (const [name, one] of own) join(groupOf(name), one);
    }
  }

  function waitingAt(known: number): Waiting {
    let place = waiting.length;
    while (place > 0 && waiting[place - 1]!.known > known) place--;
    const there = waiting[place - 1];
    if (there?.known === known) return there;
    const made = { known, all: tally(), groups: new Map<string, Tally>() };
    waiting.splice(place, 0, made);
    return made;
  }

  return {
    add({ at, known, group, rose }) {
      if (at < now) throw new RangeError("Signals come in the order in which they were decided");
      now = at;
      learn();
      const later = waitingAt(known);
      count(later.all, rose);
      if (group === null) return;
      const own = groupOf(group);
      const base = drawn(all, 0.5);
      const came = rose ? 1 : 0;
      own.error += (drawn(own, base) - came) ** 2;
      own.reference += (base - came) ** 2;
      own.n++;
      const ofGroup = later.groups.get(group) ?? tally();
      later.groups.set(group, ofGroup);
      count(ofGroup, rose);
    },
    result: () =>
      new Map(
        [...groups].map(([group, { error, reference, n }]) => [
          group,
          { brier: error / n, skill: reference === 0 ? null : 1 - error / reference },
        ]),
      ),
  };
}

interface Tally {
  rises: number;
  count: number;
}
interface Group extends Tally {
  error: number;
  reference: number;
  n: number;
}
interface Waiting {
  readonly known: number;
  readonly all: Tally;
  readonly groups: Map<string, Tally>;
}
const tally = (): Tally => ({ rises: 0, count: 0 });
function count(to: Tally, rose: boolean): void {
  to.count++;
  if (rose) to.rises++;
}
function join(to: Tally, more: Tally): void {
  to.count += more.count;
  to.rises += more.rises;
}
