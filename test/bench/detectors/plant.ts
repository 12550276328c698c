import type { Bars } from "../../../src/domain/market/bars.ts";
import { type Hand, layBars, line, type Step } from "./lay-bars.ts";
import { brokenRules, shownTurns, turnsOf } from "./oracle-waves.ts";
import { type OracleEvent, oracleEvents } from "./oracle-wyckoff.ts";
import { type PlantedRange, plantRange } from "./plant-range.ts";
import { type PlantedWaves, plantCorrection, plantImpulse } from "./plant-waves.ts";
import { type Random, randomOf } from "./random.ts";

type Plan = { readonly steps: readonly Step[] } & (
  | ({ readonly kind: "range" } & PlantedRange)
  | { readonly kind: "trend" }
  | PlantedWaves
);

/** A series with its planted events; mirrored if `sign` is -1, so that a Spring becomes a UTAD. */
export interface Planted {
  readonly plan: Plan;
  readonly sign: 1 | -1;
  readonly bars: Bars;
  /** Logarithmic price change per ATR. */
  readonly atr: number;
  /**
   * Springs, signs and last points of either side that the oracle accepts, planted or not, after a decline or an
   * advance.
   */
  readonly admitted: readonly OracleEvent[];
  /** The planted events that the oracle accepts: the ground truth. */
  readonly truth: readonly OracleEvent[];
  /** How often its noise was redrawn. */
  readonly redrawn: number;
  /** True if the oracle finds nothing but the planted events. */
  readonly isAlone: boolean;
}

const TREND = 300;
const MOST_DRAWS = 60;

/**
 * The planted series of a seed with noise in ATR: of ten, four contain a range, one a trend, three an impulse, two a
 * correction. With `alone`, the noise is redrawn while the oracle finds an unplanned Spring, UTAD, last point or
 * impulse: only then is the planted record complete, and precision measures the detector and not chance.
 */
export function plant(seed: number, noise: number, alone: boolean): Planted {
  const random = randomOf(seed, 1);
  const hand: Hand = {
    noise,
    memory: random.between(0.65, 0.85),
    atr: random.between(0.008, 0.016),
    price: random.between(20, 400),
    sign: random.unit() < 0.5 ? 1 : -1,
  };
  const plan = planOf(seed % 10, random);
  for (let redrawn = 0; ; redrawn++) {
    const bars = layBars(plan.steps, hand, randomOf(seed, 2 + redrawn));
    const admitted = oracleEvents(bars).filter(({ context }) => context !== "none");
    const truth = admitted.filter((event) => isPlanted(plan, hand.sign, event));
    const strays = admitted.some((event) => !truth.includes(event) && !SIGNS.includes(event.type));
    const isAlone = !strays && !hasStrayImpulse(plan, bars);
    if (!alone || isAlone || redrawn === MOST_DRAWS)
      return { plan, sign: hand.sign, bars, atr: hand.atr, admitted, truth, redrawn, isAlone };
  }
}

const SIGNS = ["SOS", "SOW"];

function planOf(turn: number, random: Random): Plan {
  if (turn < 4) return { kind: "range", ...plantRange(random) };
  if (turn === 4) return { kind: "trend", steps: line(0, TREND * random.between(0.12, 0.25), TREND) };
  return turn < 8 ? plantImpulse(random) : plantCorrection(random, turn === 8 ? "zigzag" : "flat");
}

/** Events of one type less than 5 bars apart count as one. */
export const isSame = (
  a: { readonly type: string; readonly bar: number },
  b: { readonly type: string; readonly bar: number },
): boolean => a.type === b.type && Math.abs(a.bar - b.bar) < 5;

function hasStrayImpulse(plan: Plan, bars: Bars): boolean {
  const turns = turnsOf(bars);
  const shown = plan.kind === "impulse" ? shownTurns(turns, plan.turns) : null;
  const sixes = turns.slice(0, -5).map((_, start) => turns.slice(start, start + 6));
  return sixes.some(
    (six) => six[0] !== shown?.[0] && brokenRules(six.map(({ price }) => price)).length === 0,
  );
}

function isPlanted(plan: Plan, sign: 1 | -1, event: OracleEvent): boolean {
  if (plan.kind !== "range") return false;
  const [spring, sos, lps] = sign === 1 ? ["SPRING", "SOS", "LPS"] : ["UTAD", "SOW", "LPSY"];
  return (
    isSame(event, { type: spring!, bar: plan.spring }) ||
    isSame(event, { type: sos!, bar: plan.sos }) ||
    isSame(event, { type: lps!, bar: plan.lps })
  );
}
