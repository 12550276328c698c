import { expect, it } from "vitest";
import { drawdownsOf } from "../../../src/analytics/backtest/drawdowns.ts";

const of = (...equity: readonly number[]) =>
  drawdownsOf(
    Float64Array.from(equity, (_, day) => day),
    Float64Array.from(equity),
  );

it("states each fall by its depth under the peak and the time until the peak is back", () => {
  expect(of(100, 75, 50, 100, 200, 150, 200)).toEqual({ deepest: 0.5, depths: [0.5, 0.25], lengths: [3, 2] });
});

it("lets a fall that is not made up for last to the end", () => {
  expect(of(100, 75, 80)).toEqual({ deepest: 0.25, depths: [0.25], lengths: [2] });
});

it("counts a fall in the last bar for the deepest alone", () => {
  expect(of(100, 200, 150)).toEqual({ deepest: 0.25, depths: [], lengths: [] });
});

it("finds none where equity never fell, and none in one bar or no bar", () => {
  for (const equity of [[100, 100, 110], [100], []])
    expect(of(...equity)).toEqual({ deepest: 0, depths: [], lengths: [] });
});
