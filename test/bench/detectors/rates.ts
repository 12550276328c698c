import { countsOf } from "../../../src/analytics/elliott/count.ts";
import { consensus } from "../../../src/analytics/score/consensus.ts";
import { GRADES, type Grade } from "../../../src/analytics/score/grade.ts";
import type { WyckoffEvent } from "../../../src/analytics/wyckoff/event-match.ts";
import { wyckoffEvents } from "../../../src/analytics/wyckoff/events.ts";
import { type Bars, sliceBars } from "../../../src/domain/market/bars.ts";
import { type OracleEvent, oracleEvents } from "./oracle-wyckoff.ts";
import { isSame } from "./plant.ts";

type ReportedEvent = Pick<OracleEvent, "type" | "context" | "bar" | "confirmedAt">;

/** Counted event classes by name, each with its filter. */
export const COUNTED: Readonly<
  Record<string, (event: Pick<ReportedEvent, "context"> & { readonly type: string }) => boolean>
> = {
  "Spring after a decline": ({ type, context }) => type === "SPRING" && context === "after_decline",
  "Spring after an advance": ({ type, context }) => type === "SPRING" && context === "after_advance",
  "Spring in any context": ({ type }) => type === "SPRING",
  "UTAD after an advance": ({ type, context }) => type === "UTAD" && context === "after_advance",
  "UTAD after a decline": ({ type, context }) => type === "UTAD" && context === "after_decline",
  "UTAD in any context": ({ type }) => type === "UTAD",
  SOS: ({ type }) => type === "SOS",
  SOW: ({ type }) => type === "SOW",
  LPS: ({ type }) => type === "LPS",
  LPSY: ({ type }) => type === "LPSY",
};

/** Events of many series found by the detector and by the oracle, and how well their bars agree. */
export interface Rates {
  readonly bars: number;
  readonly detector: Readonly<Record<string, number>>;
  readonly oracle: Readonly<Record<string, number>>;
  readonly climaxes: number;
  /** Events that both report with the same bar and confirming bar, and events that only one reports. */
  readonly same: number;
  readonly detectorAlone: number;
  readonly oracleAlone: number;
  /** Events that only one reports, less than 5 bars from one of that type reported by the other. */
  readonly nearby: number;
  /** Share of bars with a wave count. */
  readonly counted: number;
  /** Complete impulses reported. */
  readonly impulses: number;
}

export function ratesOf(series: Iterable<Bars>): Rates {
  const names = Object.keys(COUNTED);
  const zeros = () => Object.fromEntries(names.map((name) => [name, 0])) as Record<string, number>;
  const [detector, oracle] = [zeros(), zeros()];
  let [bars, climaxes, same, detectorAlone, oracleAlone, nearby, counted, impulses] = [
    0, 0, 0, 0, 0, 0, 0, 0,
  ];
  for (const one of series) {
    bars += one.close.length;
    const all = wyckoffEvents(one).filter(({ confirmedAt }) => confirmedAt !== null);
    const detected = all.filter(isReportedType);
    const admitted = oracleEvents(one);
    climaxes += all.filter(({ type }) => type === "SC" || type === "BC").length;
    for (const name of names) {
      detector[name]! += detected.filter(COUNTED[name]!).length;
      oracle[name]! += admitted.filter(COUNTED[name]!).length;
    }
    const known = admitted.filter(({ context }) => context !== "none");
    const [own, others] = [without(detected, known), without(known, detected)];
    same += known.length - others.length;
    detectorAlone += own.length;
    oracleAlone += others.length;
    nearby += own.filter((event) => known.some((other) => isSame(event, other))).length;
    nearby += others.filter((event) => detected.some((other) => isSame(event, other))).length;
    const waves = wavesOf(one);
    counted += waves.counted;
    impulses += waves.impulses;
  }
  return {
    bars,
    detector,
    oracle,
    climaxes,
    same,
    detectorAlone,
    oracleAlone,
    nearby,
    counted: counted / bars,
    impulses,
  };
}

const REPORTED_TYPES = ["SPRING", "SOS", "LPS", "UTAD", "SOW", "LPSY"];
const isReportedType = ({ type }: WyckoffEvent): boolean => REPORTED_TYPES.includes(type);

interface Known {
  readonly type: string;
  readonly bar: number;
  readonly confirmedAt: number | null;
}

/** Events without one in `others` at the same bar and confirming bar. */
function without<T extends Known>(events: readonly T[], others: readonly Known[]): readonly T[] {
  const keyOf = ({ type, bar, confirmedAt }: Known) => `${type} ${bar} ${confirmedAt}`;
  const keys = new Set(others.map(keyOf));
  return events.filter((event) => !keys.has(keyOf(event)));
}

function wavesOf(bars: Bars): { readonly counted: number; readonly impulses: number } {
  const whole = new Set<string>();
  let counted = 0;
  for (const count of countsOf(bars)) {
    if (!count.available) continue;
    counted++;
    if (count.pattern === "impulse" && count.path.length === 6)
      whole.add(count.path.map(({ bar }) => bar).join());
  }
  return { counted, impulses: whole.size };
}

/** Verdicts of the consensus at decision bars, each from the 500 bars up to it. */
export interface Verdicts {
  readonly decisions: number;
  readonly long: number;
  readonly short: number;
  readonly grades: Readonly<Record<Grade, number>>;
}

const HISTORY = 500;

export function verdictsOf(series: Iterable<Bars>, stride: number): Verdicts {
  const grades = Object.fromEntries(GRADES.map((grade) => [grade, 0])) as Record<Grade, number>;
  let [decisions, long, short] = [0, 0, 0];
  for (const bars of series) {
    for (let end = HISTORY; end <= bars.close.length; end += stride) {
      const { direction, grade } = consensus({
        bars: sliceBars(bars, end - HISTORY, end),
        assetClass: bars.zone === "UTC" ? "crypto" : "equity",
        benchmark: null,
        isBenchmark: false,
        peers: [],
        universe: null,
      });
      decisions++;
      if (direction === "LONG") long++;
      if (direction === "SHORT") short++;
      if (grade !== null) grades[grade]++;
    }
  }
  return { decisions, long, short, grades };
}
