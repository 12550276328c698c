import { describe, expect, it } from "vitest";
import { horizonTable, levelsIn, overlayLines, overlayOf } from "../../src/charts/level-overlay.ts";
import { oddsAnswer } from "./odds-answer.ts";
import { textsIn } from "./svg-content.ts";

const linesOf = ({ levels }: Pick<ReturnType<typeof overlayOf>, "levels">) =>
  levels.map(({ lines }) => lines.join("; "));

describe("the level overlay of an answer", () => {
  it("labels each price with its change and its odds at the horizon, with their base rate", () => {
    expect(linesOf(overlayOf(oddsAnswer(), { horizon: 20, timeframe: "1d" }))).toEqual([
      "110.00 (+10.0%); touch 31, base 28",
      "1,000.00 (+900.0%); touch <1, base <1",
      "Stop 95.00 (-5.0%); first 48, base 55",
      "Target 112.00 (+12.0%); first 23, base 22",
    ]);
    expect(linesOf(overlayOf(oddsAnswer(), { horizon: 5, timeframe: "1d" })).slice(0, 2)).toEqual([
      "110.00 (+10.0%); touch 9, base 8",
      "1,000.00 (+900.0%); touch <1, base <1",
    ]);
  });

  it("has lines on the range, the plan and the levels", () => {
    expect(overlayOf(oddsAnswer(), { horizon: 20, timeframe: "1d" }).lines).toEqual([
      "In 90 of 100 cases its close after 20 bars (1d) lies between 86.00 and 117.00 (base range in the past: 85.00 to 119.00).",
      "LONG plan: stop first in 48 of 100 cases, target in 23, neither within 20 bars in 29",
      "(any close of this symbol: stop 55, target 22, neither 23; 480 past windows).",
      "Levels: of 100 cases, those that touch the price within 20 bars; base: the same in past windows of the symbol.",
    ]);
  });

  it("has only the line on the range without plan and levels, and no base without past windows", () => {
    const { ranges, ...others } = oddsAnswer({ plan: null, levels: [] });
    const bare = { ...others, ranges: ranges.map((range) => ({ ...range, base: null })) };
    expect(overlayOf(bare, { horizon: 1, timeframe: "4h" })).toEqual({
      horizon: 1,
      levels: [],
      lines: ["In 90 of 100 cases its close after 1 bar (4h) lies between 97.00 and 103.00."],
    });
  });
});

const level = (price: number) => ({ price, lines: [`at ${price}`, "odds"], colour: "#1858b8", dash: "9 3" });

describe("the levels in a chart", () => {
  it("are inside up to 35% of the range of prices beyond them; an arrow marks those outside", () => {
    // prices from 80 to 120: 14 more at each end
    const placed = levelsIn([134, 135, 66, 65].map(level), [80, 100, 120]);
    expect(placed.map(({ isInside, lines }) => [isInside, lines])).toEqual([
      [true, ["at 134", "odds"]],
      [false, ["↑ at 135", "odds"]],
      [true, ["at 66", "odds"]],
      [false, ["↓ at 65", "odds"]],
    ]);
  });

  it("are thick lines from the last bar to the end of the horizon, and none outside", () => {
    const place = { left: 60, now: 300, end: 400, right: 500, prices: { top: 100, bottom: 520 } };
    const levels = levelsIn([110, 1_000].map(level), [80, 120]);
    const drawn = overlayLines(20, levels, { y: (price) => 10 * (130 - price) }, place);
    expect([...drawn.matchAll(/<path d="([^"]*)"/g)].map(([, steps]) => steps)).toEqual([
      "M60 200L300 200",
      "M300 200L400 200",
      "M400 200L500 200",
      "M400 100L400 520",
    ]);
    expect(drawn).toContain('<text x="400" y="534"');
    expect(textsIn(drawn)).toEqual(["20 bars"]);
  });

  it.each([
    ["begins", 1, 305, "1 bar", 300],
    ["ends", 60, 498, "60 bars", 500],
  ])("name the horizon inside the future where it %s", (_, horizon, end, text, edge) => {
    const place = { left: 60, now: 300, end, right: 500, prices: { top: 100, bottom: 520 } };
    const drawn = overlayLines(horizon, [], { y: () => 0 }, place);
    const half = (text.length * 11 * (1233 / 2048)) / 2;
    const x = Number(/<text x="([\d.]+)"/.exec(drawn)![1]);
    expect(x).toBeCloseTo(edge === 300 ? edge + half : edge - half, 2);
    expect(textsIn(drawn)).toEqual([text]);
  });
});

describe("the table of a horizon", () => {
  it("has the ranges of 90, 80 and 50 cases and the median, 16 pixels apart", () => {
    const drawn = horizonTable(oddsAnswer().ranges, 20, { x: 310, top: 540 });
    expect(textsIn(drawn)).toEqual([
      "After 20 bars, of 100 cases:",
      "90  86.00 to 117.00",
      "80  89.00 to 113.00",
      "50  95.00 to 107.00",
      "median 101.00",
    ]);
    expect([...drawn.matchAll(/<text x="310" y="(\d+)"/g)].map(([, y]) => Number(y))).toEqual([
      556, 572, 588, 604, 620,
    ]);
    expect(horizonTable(oddsAnswer().ranges, 7, { x: 0, top: 0 })).toBe("");
  });
});
