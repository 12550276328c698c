import { describe, expect, it } from "vitest";
import { deltaOf } from "../../../src/analytics/earnings/deltas.ts";
import { verdictOf } from "../../../src/analytics/earnings/score.ts";
import { surpriseOf } from "../../../src/analytics/earnings/surprise.ts";

const against = (actual: number | null, estimate = 1) =>
  surpriseOf({
    actual: actual === null ? null : { value: actual, basis: "adjusted", by: "one" },
    estimate: { value: estimate, basis: "adjusted", by: "one" },
  });
const line = (current: number) => deltaOf({ name: "A", unit: "USD", current, prior: 100, good: "UP" });
const NONE = against(null);

describe("the verdict on a report", () => {
  it("weighs EPS .4, revenue .25, guidance .15, KPIs and segments .1 each", () => {
    // .4 x .5 + .25 x -.5 + .15 x 1 + .1 x 1 + .1 x -1 = .225
    const verdict = verdictOf({
      eps: against(1.05),
      revenue: against(0.95),
      guidance: against(1.2),
      kpis: [line(110)],
      segments: [line(90)],
    });
    expect(verdict).toEqual({
      signal: "BEAT",
      score: 61.3,
      parts: [
        { part: "eps", weight: 0.4, value: 0.5 },
        { part: "revenue", weight: 0.25, value: -0.5 },
        { part: "guidance", weight: 0.15, value: 1 },
        { part: "kpis", weight: 0.1, value: 1 },
        { part: "segments", weight: 0.1, value: -1 },
      ],
    });
  });

  it("rescales to the available parts: EPS alone has full weight", () => {
    const verdict = verdictOf({ eps: against(0.9), revenue: NONE, guidance: NONE, kpis: [], segments: [] });
    expect(verdict).toEqual({
      signal: "STRONG_MISS",
      score: 0,
      parts: [{ part: "eps", weight: 1, value: -1 }],
    });
  });

  it("uses revenue if EPS is not comparable, and is null without both", () => {
    const rest = { guidance: against(1.2), kpis: [line(110)], segments: [] };
    expect(verdictOf({ eps: NONE, revenue: against(1), ...rest })).toMatchObject({
      signal: "IN_LINE",
      score: 75,
    });
    expect(verdictOf({ eps: NONE, revenue: NONE, ...rest })).toEqual({
      signal: null,
      score: null,
      parts: [],
    });
  });

  it("is 50 for a report exactly in line with estimates", () => {
    expect(
      verdictOf({ eps: against(1), revenue: against(1), guidance: NONE, kpis: [], segments: [] }).score,
    ).toBe(50);
  });
});
