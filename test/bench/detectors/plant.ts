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

/** A series with what was planted in it; upside down where `sign` is -1, so that a Spring is a UTAD. */
export interface Planted {
  readonly plan: Plan;
  readonly sign: 1 | -1;
  readonly bars: Bars;
  /** Logarithm of price that the noise was measured in. */
  readonly atr: number;
  /** Springs, signs and last points of either side that the oracle admits, planted or not, after a decline or an advance. */
  readonly admitted: readonly OracleEvent[];
  /** Those planted that it admits: the truth. */
  readonly truth: readonly OracleEvent[];
  /** How often its noise was drawn again. */
  readonly redrawn: number;
  /** Whether nothing but what was planted is to be found. */
  readonly isAlone: boolean;
}

const TREND = 300;
const MOST_DRAWS = 60;

/**
 * The series of a seed at a noise in ATR: of ten, four hold a range, one a trend, three an impulse, two a correction.
 * With `alone`, the noise is drawn again while by the oracle it makes a Spring, a UTAD, a last point or an impulse
 * that was not planted: only then is the record of what was planted the whole truth, and a precision against it a
 * figure of the detector and not of chance.
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

/** Events of one type less than 5 bars apart are one. */
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
