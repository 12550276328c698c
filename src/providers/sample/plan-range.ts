import type { BarPin, Outcome, Plan, SlotDraws } from "./plan.ts";

/**
 * Returns the plan of an accumulation: a slow decline, a panic into a selling climax, an automatic rally, a range
 * between two edges, a Spring below the range and its quiet test. If it succeeds, a sign of strength above the range, a
 * last point of support and an advance follow; if it fails, a close below the Spring and a decline. Inverted, it is a
 * distribution with a UTAD.
 */
export function rangePlan(pick: SlotDraws, outcome: Outcome): Plan {
  const low = -pick.between("low", 14, 15.5);
  const high = low + pick.between("height", 4.6, 5.8);
  const climax = pick.integer("climax", 48, 54);
  const rally = climax + pick.integer("rally", 6, 8);
  const test = rally + pick.integer("test", 8, 11);
  const spring = climax + pick.integer("spring", 42, 48);
  const top = test + Math.round((spring - test) / 2);
  const dip = low - pick.between("depth", 0.35, 0.75);
  const effort = pick.between("effort", 0.6, 1.9);
  const quick = pick.between("quick", 0, 1) < 0.75;
  const retest = spring + 5;

  const pins = new Map<number, BarPin>([
    [climax - 1, { close: low + 1.5 }],
    [climax, { low, high: low + 3.2, close: low + 1.1, volume: 3.4 }],
    [rally, { high, close: high - 0.5 }],
    [test, { low: low + 0.15, high: low + 1.3, close: low + 0.9, volume: 0.6 }],
    [top, { high: high - 0.1, close: high - 0.6 }],
    [spring - 1, { close: low + 0.45 }],
    [spring, { low: dip, high: low + 0.5, close: quick ? low + 0.4 : low - 0.15, volume: effort }],
    [spring + 1, { low: low - 0.25, high: low + 0.95, close: low + 0.85 }],
    [retest, { low: low + 0.1, high: low + 1.1, close: low + 0.75, volume: effort * 0.45 }],
  ]);
  const after = outcome === "hold" ? rise(pick, pins, high, spring) : fall(pick, pins, low, dip, spring);
  return {
    knots: [
      [climax - 18, low + 11.5],
      [climax, low + 1.1],
      [rally, high - 0.4],
      [test, low + 0.7],
      [top, high - 0.5],
      [spring - 1, low + 0.45],
      [spring + 1, low + 0.85],
      [retest, low + 0.75],
      ...after.knots,
    ],
    bands: [
      { from: 0, to: climax - 1, floor: low + 0.4, ceiling: Number.POSITIVE_INFINITY },
      { from: climax, to: spring - 1, floor: low, ceiling: high },
      { from: spring, to: spring, floor: dip, ceiling: low + 0.5 },
      { from: spring + 1, to: spring + 1, floor: low - 0.25, ceiling: low + 0.95 },
      { from: spring + 2, to: after.until, floor: low + 0.1, ceiling: high - 0.1 },
      ...after.bands,
    ],
    pins,
    printLevels: [
      { level: low + 0.05, from: climax, to: test },
      { level: high - 0.2, from: rally, to: top },
    ],
    bars: { climax, rally, test, spring, retest, ...after.bars },
    levels: { support: low, resistance: high, spring: dip },
  };
}

/** Plan of the bars after the test, and the last bar inside the range. */
interface After {
  readonly until: number;
  readonly knots: Plan["knots"];
  readonly bands: Plan["bands"];
  readonly bars: Plan["bars"];
}

function rise(pick: SlotDraws, pins: Map<number, BarPin>, high: number, spring: number): After {
  const strength = spring + pick.integer("strength", 12, 16);
  const support = strength + 7;
  const away = pick.between("away", 4, 7);
  pins.set(strength - 1, { close: high - 0.8 });
  pins.set(strength, {
    low: high - 1,
    high: high + 1.05,
    close: high + 0.9,
    volume: pick.between("sos", 1.8, 2.4),
  });
  pins.set(strength + 1, { low: high + 0.7, high: high + 1.5, close: high + 1.35 });
  pins.set(strength + 2, { low: high + 1.1, high: high + 1.9, close: high + 1.7 });
  // each close is below the previous high, so that nothing confirms the structure before its low
  [1.3, 1, 0.7, 0.4].forEach((close, i) => {
    const bar = { low: high + close - 0.25, high: high + close + 0.5, close: high + close, volume: 0.7 };
    pins.set(strength + 3 + i, bar);
  });
  pins.set(support, { low: high - 0.25, high: high + 0.5, close: high + 0.3, volume: 0.6 });
  pins.set(support + 1, { low: high + 0.2, high: high + 1.3, close: high + 1.2 });
  return {
    until: strength - 1,
    knots: [
      [strength - 1, high - 0.8],
      [strength + 2, high + 1.7],
      [support, high + 0.3],
      [support + 1, high + 1.2],
      [149, high + away],
    ],
    bands: [
      { from: strength, to: strength + 2, floor: high - 1, ceiling: high + 1.9 },
      { from: strength + 3, to: support, floor: high - 0.25, ceiling: high + 1.8 },
      { from: support + 1, to: 149, floor: high + 0.2, ceiling: Number.POSITIVE_INFINITY },
    ],
    bars: { strength, support },
  };
}

function fall(pick: SlotDraws, pins: Map<number, BarPin>, low: number, dip: number, spring: number): After {
  const broken = spring + pick.integer("broken", 14, 20);
  pins.set(broken, { close: dip - pick.between("break", 0.4, 0.8) });
  return {
    until: broken - 1,
    knots: [
      [spring + 10, low + 2.2],
      [broken - 1, low + 0.5],
      [broken, dip - 0.6],
      [149, low - pick.between("away", 3, 5)],
    ],
    bands: [{ from: broken + 1, to: 149, floor: Number.NEGATIVE_INFINITY, ceiling: low + 0.2 }],
    bars: { broken },
  };
}
