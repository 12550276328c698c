import { analyzeWyckoff } from "../../../src/analytics/wyckoff/analysis.ts";
import { wyckoffEvents } from "../../../src/analytics/wyckoff/events.ts";
import { sliceBars } from "../../../src/domain/market/bars.ts";
import type { WyckoffPhase } from "../../../src/domain/signal/structure.ts";
import { oracleRange } from "./oracle-wyckoff.ts";
import { isSame, type Planted } from "./plant.ts";
import type { Tally } from "./tally.ts";

/** Compares reported events with the planted ones by type; unconfirmed events are ignored. */
export function scoreEvents({ bars, truth, admitted, plan, sign }: Planted, types: readonly string[]): Tally {
  const of = <T extends { readonly type: string }>(events: readonly T[]) =>
    events.filter(({ type }) => types.includes(type));
  const claims = of(wyckoffEvents(bars)).filter(({ confirmedAt }) => confirmedAt !== null);
  const planted = of(truth);
  const right = claims.filter((claim) => planted.some((event) => isSame(event, claim)));
  const names: readonly string[] = sign === 1 ? ["SPRING", "SOS", "LPS"] : ["UTAD", "SOW", "LPSY"];
  return {
    planted: plan.kind === "range" && types.some((type) => names.includes(type)) ? 1 : 0,
    truth: planted.length,
    found: planted.filter((event) => claims.some((claim) => isSame(event, claim))).length,
    claimed: claims.length,
    right: right.length,
    chance: claims.filter((claim) => !right.includes(claim) && of(admitted).some((one) => isSame(one, claim)))
      .length,
  };
}

/**
 * Scores the phase at checkpoints of a planted range: its last bar, the bars that confirm its Spring and its last
 * point, and 30 bars later. A checkpoint counts if the oracle accepts the events that define the phase. In a trend, any
 * phase other than that of the trend is wrong.
 */
export function scorePhases(planted: Planted): Tally {
  const moments = momentsOf(planted);
  const said = moments.map(({ bar }) => analyzeWyckoff(sliceBars(planted.bars, 0, bar + 1)).phase);
  const agreed = moments.filter(({ phase }, i) => said[i] === phase).length;
  const missable = planted.plan.kind === "range";
  return {
    planted: missable ? 4 : 0,
    truth: missable ? moments.length : 0,
    found: missable ? agreed : 0,
    claimed: said.filter((phase) => phase !== "Undetermined").length,
    right: agreed,
    chance: 0,
  };
}

interface Moment {
  readonly bar: number;
  readonly phase: WyckoffPhase;
}

function momentsOf({ plan, sign, bars, truth }: Planted): readonly Moment[] {
  const [forming, leaving] =
    sign === 1 ? (["Accumulation", "Markup"] as const) : (["Distribution", "Markdown"] as const);
  if (plan.kind === "trend") return [100, 150, 200, 250].map((bar) => ({ bar, phase: leaving }));
  if (plan.kind !== "range") return [];
  const before = sign === 1 ? "after_decline" : "after_advance";
  const moments: Moment[] = [];
  // A range is the same for either side, except for its context.
  if (oracleRange(bars, plan.last)?.context === before) moments.push({ bar: plan.last, phase: forming });
  for (const { type, confirmedAt, context, range } of truth) {
    if (context !== before || ["SOS", "SOW"].includes(type)) continue;
    moments.push({ bar: confirmedAt, phase: forming });
    const later = confirmedAt + 30;
    if (["SPRING", "UTAD"].includes(type) || later >= bars.close.length) continue;
    if (sign * bars.close[later]! > range.high) moments.push({ bar: later, phase: leaving });
  }
  return moments;
}
