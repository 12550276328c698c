import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalCdf } from "../../src/analytics/backtest/normal.ts";
import { brownianPlan, type PlanProbabilities, touchProbability } from "./brownian.ts";
import { draws } from "./draws.ts";

interface Motion {
  readonly volatility: number;
  readonly drift: number;
}

/**
 * Probability of leaving [low, high] at `high` in time 1, from 0: the solution of u_t = v/2 u_xx + m u_x with u = 1 at
 * `high`, 0 at `low` and 0 at the start, on a grid that has 0 as a node, with steps of at most a 40th of the volatility.
 * Four implicit half steps smooth the jump in the corner, then Crank-Nicolson.
 */
function exitByHeatEquation(low: number, high: number, { volatility, drift }: Motion): number {
  const below = Math.ceil(-low * Math.max(40 / volatility, 150 / (high - low)));
  const step = -low / below;
  const nodes = below + Math.round(high / step) + 1;
  // the upper end is a node too: the last step is stretched to it
  const at = Float64Array.from({ length: nodes }, (_, i) => (i === nodes - 1 ? high : low + i * step));
  const times = 400;
  let u = new Float64Array(nodes);
  u[nodes - 1] = 1;
  const generator = (i: number) => {
    const [left, right] = [at[i]! - at[i - 1]!, at[i + 1]! - at[i]!];
    const variance = volatility * volatility;
    const down = variance / (left * (left + right)) - (drift * right) / (left * (left + right));
    const up = variance / (right * (left + right)) + (drift * left) / (right * (left + right));
    return { down, up };
  };
  const advance = (dt: number, implicit: number) => {
    const next = new Float64Array(nodes);
    next[nodes - 1] = 1;
    const [upper, right] = [new Float64Array(nodes), new Float64Array(nodes)];
    for (let i = 1; i < nodes - 1; i++) {
      const { down, up } = generator(i);
      const change = down * (u[i - 1]! - u[i]!) + up * (u[i + 1]! - u[i]!);
      const known = u[i]! + (1 - implicit) * dt * change + (i === nodes - 2 ? implicit * dt * up : 0);
      const pivot = 1 + implicit * dt * (down + up - (i > 1 ? down * upper[i - 1]! : 0));
      upper[i] = (implicit * dt * up) / pivot;
      right[i] = (known + (i > 1 ? implicit * dt * down * right[i - 1]! : 0)) / pivot;
    }
    for (let i = nodes - 2; i > 0; i--)
      next[i] = right[i]! + (i === nodes - 2 ? 0 : upper[i]! * next[i + 1]!);
    u = next;
  };
  const dt = 1 / times;
  for (let half = 0; half < 4; half++) advance(dt / 2, 1);
  for (let i = 2; i < times; i++) advance(dt, 0.5);
  return u[below]!;
}

/** Probability that a Brownian motion with drift touches one level above in time 1. */
const oneSided = (level: number, { volatility, drift }: Motion): number =>
  normalCdf((drift - level) / volatility) +
  Math.exp((2 * drift * level) / volatility ** 2) * normalCdf((-drift - level) / volatility);

const long = (stop: number, target: number) => ({ stop: -stop, target });

function expectOdds(odds: PlanProbabilities, expected: PlanProbabilities, within: number): void {
  for (const part of ["stop", "target", "neither"] as const)
    expect(Math.abs(odds[part] - expected[part])).toBeLessThan(within);
}

describe("the odds of a plan in closed form", () => {
  it("equal the numerical solution of the heat equation", () => {
    const cases = fc.record({
      stop: fc.double({ min: 0.03, max: 0.2, noNaN: true }),
      target: fc.double({ min: 0.03, max: 0.3, noNaN: true }),
      volatility: fc.double({ min: 0.02, max: 0.3, noNaN: true }),
      drift: fc.double({ min: -0.1, max: 0.1, noNaN: true }),
    });
    fc.assert(
      fc.property(cases, ({ stop, target, ...motion }) => {
        const upper = exitByHeatEquation(-stop, target, motion);
        const lower = exitByHeatEquation(-target, stop, { ...motion, drift: -motion.drift });
        const expected = { target: upper, stop: lower, neither: 1 - upper - lower };
        expectOdds(brownianPlan(long(stop, target), motion), expected, 5e-4);
      }),
      { numRuns: draws(120) },
    );
  });

  it("equal it where the drift carries the motion to the far level after the near one was touched", () => {
    for (const [stop, target, volatility, drift] of [
      [0.004, 0.1, 0.02, 0.06],
      [0.01, 0.2, 0.04, 0.1],
      [0.1, 0.004, 0.02, -0.05],
    ] as const) {
      const upper = exitByHeatEquation(-stop, target, { volatility, drift });
      const lower = exitByHeatEquation(-target, stop, { volatility, drift: -drift });
      const odds = brownianPlan(long(stop, target), { volatility, drift });
      expectOdds(odds, { target: upper, stop: lower, neither: 1 - upper - lower }, 2e-3);
      expect(Math.min(odds.stop, odds.target)).toBeGreaterThan(0.005);
    }
  });

  it("are known by hand in a symmetric interval", () => {
    // sum of 4/(pi n) (-1)^((n-1)/2) exp(-n^2 pi^2 / 8) over odd n: the motion stays within one deviation
    const stays = (4 / Math.PI) * (Math.exp(-(Math.PI ** 2) / 8) - Math.exp((-9 * Math.PI ** 2) / 8) / 3);
    const { stop, target, neither } = brownianPlan(long(0.1, 0.1), { volatility: 0.1, drift: 0 });
    expect(neither).toBeCloseTo(stays, 6);
    expect(stop).toBeCloseTo((1 - stays) / 2, 6);
    expect(target).toBeCloseTo((1 - stays) / 2, 6);
  });

  it("tend to the shares of the distances in a long time", () => {
    const { stop, target, neither } = brownianPlan(long(0.02, 0.06), { volatility: 1, drift: 0 });
    expect(target).toBeCloseTo(0.25, 6);
    expect(stop).toBeCloseTo(0.75, 6);
    expect(neither).toBeCloseTo(0, 6);
    // with drift: (1 - exp(-2 m b / v)) / (1 - exp(-2 m w / v)), here 2 m / v = 10
    const drifting = brownianPlan(long(0.02, 0.06), { volatility: 1, drift: 5 });
    expect(drifting.target).toBeCloseTo((1 - Math.exp(-0.2)) / (1 - Math.exp(-0.8)), 6);
  });

  it("are those of neither when both levels are many deviations away, also with a drift", () => {
    for (const volatility of [0.02, 0.01, 0.003, 0.001, 1e-4, 1e-6])
      for (const drift of [0, 0.001, 0.012, -0.012]) {
        const odds = brownianPlan(long(0.1, 0.15), { volatility, drift });
        expectOdds(odds, { stop: 0, target: 0, neither: 1 }, 1e-4);
      }
  });

  it("are those of one level when the other is many deviations away", () => {
    for (const [volatility, drift] of [
      [0.01, 0],
      [0.01, 0.004],
      [0.005, 0.012],
      [0.002, 0.012],
      [0.01, -0.004],
    ] as const) {
      const target = oneSided(0.01, { volatility, drift });
      const odds = brownianPlan(long(0.5, 0.01), { volatility, drift });
      expectOdds(odds, { stop: 0, target, neither: 1 - target }, 1e-4);
    }
  });

  it("reach a level that the drift passes, whatever the volatility", () => {
    for (const volatility of [1e-3, 1e-4, 1e-5]) {
      const odds = brownianPlan(long(0.05, 0.01), { volatility, drift: 0.02 });
      expectOdds(odds, { stop: 0, target: 1, neither: 0 }, 1e-4);
    }
  });

  it("are continuous in the volatility", () => {
    for (const drift of [0, 0.01, -0.02]) {
      let before: PlanProbabilities | null = null;
      for (let volatility = 0.01; volatility < 0.4; volatility *= 1.005) {
        const odds = brownianPlan(long(0.06, 0.1), { volatility, drift });
        if (before !== null) expectOdds(odds, before, 6e-3);
        before = odds;
      }
    }
  });

  const motions = fc.record({
    stop: fc.double({ min: 0.005, max: 0.3, noNaN: true }),
    target: fc.double({ min: 0.005, max: 0.3, noNaN: true }),
    volatility: fc.double({ min: 0.001, max: 0.5, noNaN: true }),
    drift: fc.double({ min: -0.02, max: 0.02, noNaN: true }),
  });

  it("add up to 1, and are those of the mirrored plan under the mirrored drift", () => {
    fc.assert(
      fc.property(motions, ({ stop, target, volatility, drift }) => {
        const odds = brownianPlan(long(stop, target), { volatility, drift });
        expect(odds.stop + odds.target + odds.neither).toBeCloseTo(1, 6);
        expect(Math.min(odds.stop, odds.target, odds.neither)).toBeGreaterThanOrEqual(0);
        const mirrored = brownianPlan({ stop, target: -target }, { volatility, drift: -drift });
        expectOdds(mirrored, odds, 1e-9);
      }),
      { numRuns: 300 },
    );
  });

  it("favour the side of the drift, and a nearer target", () => {
    fc.assert(
      fc.property(motions, ({ stop, target, volatility, drift }) => {
        const run = (t: number, d: number) => brownianPlan(long(stop, t), { volatility, drift: d });
        const [odds, up, near] = [run(target, drift), run(target, drift + 0.005), run(0.8 * target, drift)];
        expect(up.target).toBeGreaterThanOrEqual(odds.target - 1e-6);
        expect(up.stop).toBeLessThanOrEqual(odds.stop + 1e-6);
        expect(near.target).toBeGreaterThanOrEqual(odds.target - 1e-6);
        expect(near.stop).toBeLessThanOrEqual(odds.stop + 1e-6);
      }),
      { numRuns: 300 },
    );
  });
});

describe("the probability of a touch in closed form", () => {
  it("is twice that of ending beyond the level", () => {
    // 2 (1 - Phi(1)) and 2 (1 - Phi(2))
    expect(touchProbability(0.1, 0.1)).toBeCloseTo(0.3173105, 7);
    expect(touchProbability(-0.2, 0.1)).toBeCloseTo(0.0455003, 7);
    expect(touchProbability(1e-12, 0.1)).toBeCloseTo(1, 9);
  });

  it("is symmetric, falls with the distance and rises with the volatility", () => {
    let before = 1;
    for (let level = 0.01; level < 0.5; level += 0.01) {
      const touch = touchProbability(level, 0.1);
      expect(touch).toBe(touchProbability(-level, 0.1));
      expect(touch).toBeLessThan(before);
      expect(touchProbability(level, 0.11)).toBeGreaterThan(touch);
      before = touch;
    }
  });

  it("is that of the target of a plan whose stop is far away", () => {
    for (const level of [0.02, 0.1, 0.25])
      expect(brownianPlan(long(2, level), { volatility: 0.1, drift: 0 }).target).toBeCloseTo(
        touchProbability(level, 0.1),
        5,
      );
  });
});
