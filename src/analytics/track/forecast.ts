import { effectiveCount } from "./interval.ts";

export interface ForecastOutcome {
  /** Time of the decision, epoch ms. */
  readonly at: number;
  /** Time at which the outcome was known, epoch ms; later than `at`. */
  readonly known: number;
  /** Group of the signal; null if it counts only for the base rate. */
  readonly group: string | null;
  readonly rose: boolean;
}

/**
 * Quality of forecasts: the mean squared error, and the share of the reference's error that they avoid (1 all, 0 none,
 * negative if worse).
 */
export interface ForecastScore {
  readonly brier: number;
  /** Null if the reference has no error. */
  readonly skill: number | null;
}

export interface ForecastFold {
  /** Adds the next outcome, in order of decision. Throws RangeError for an earlier one. */
  add(outcome: ForecastOutcome): void;
  /** Returns the scores of everything added so far, by group. */
  result(): ReadonlyMap<string, ForecastScore>;
}

/** Weight of the wider record relative to a group's own, in effective outcomes. */
const PRIOR = 20;

/**
 * Scores forecasts of a price rise by group, as each signal's past would have made them. The forecast is the group's
 * share of rises among outcomes known at the decision, shrunk by 20 effective outcomes towards the share among all
 * outcomes known by then, which is itself shrunk towards one half; the reference is this base rate only. On noise the
 * skill is about 0. All outcomes have one horizon, in bars. Stores only counts, not the outcomes.
 * @see G. W. Brier, "Verification of forecasts expressed in terms of probability", 1950
 */
export function forecastFold(horizon: number): ForecastFold {
  const all = tally();
  const groups = new Map<string, Group>();
  // counts known only after the newest decision, earliest first
  const waiting: Waiting[] = [];
  let now = Number.NEGATIVE_INFINITY;

  const drawn = ({ rises, count }: Tally, toward: number): number =>
    (effectiveCount(rises, horizon) + PRIOR * toward) / (effectiveCount(count, horizon) + PRIOR);

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
    let index = waiting.length;
    while (index > 0 && waiting[index - 1]!.known > known) index--;
    const there = waiting[index - 1];
    if (there?.known === known) return there;
    const added = { known, all: tally(), groups: new Map<string, Tally>() };
    waiting.splice(index, 0, added);
    return added;
  }

  return {
    add({ at, known, group, rose }) {
      if (at < now) throw new RangeError("Signals must be added in order of decision");
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
