import { expect, it } from "vitest";
import type { Bars } from "../../../src/domain/market/bars.ts";
import { barNotes } from "../../../src/features/signal/bar-notes.ts";
import { invoke } from "../../../src/kernel/invoke.ts";
import type { Tool } from "../../../src/kernel/tool.ts";
import { explainSignal } from "../../../tools/explain-signal.ts";
import { getAnalysis } from "../../../tools/get-analysis.ts";
import { getSignal } from "../../../tools/get-signal.ts";
import { pro, testPorts } from "../../support/context.ts";
import { climbingBars, marketOf } from "../../support/market.ts";

const bars = climbingBars();
const series = (of: Bars, adjustment: Bars["adjustment"] = "unknown") => ({ bars: of, adjustment });

it("notes nothing on complete bars", () => {
  expect(barNotes(series(bars))).toEqual([]);
});

it("notes a gap in the bars", () => {
  const time = bars.time.map((at, i) => (i < 100 ? at - 60 * 86_400_000 : at));
  expect(barNotes(series({ ...bars, time }, "total_return"))).toEqual([
    expect.stringMatching(
      /^The bars have a gap: no bars for 4\d sessions between 2025-\d\d-\d\d and 2025-\d\d-\d\d\. Averages/,
    ),
  ]);
});

it("notes a possible unadjusted split only when prices are not split-adjusted", () => {
  const tenth = (column: Float64Array) => column.map((price, i) => (i < 280 ? price : price / 10));
  const split = {
    ...bars,
    open: tenth(bars.open),
    high: tenth(bars.high),
    low: tenth(bars.low),
    close: tenth(bars.close),
    volume: bars.volume.map((shares, i) => (i < 280 ? shares : 10 * shares)),
  };
  // by hand: closes rise by an eighth from 100, so the 280th closes at 134.875 and the next opens there
  const note = expect.stringMatching(
    /^The price fell from 134\.88 to 13\.49 at the open of the bar of 2025-12-\d\d, close to 10:1: possibly an unadjusted split\.$/,
  );
  for (const adjustment of ["raw", "unknown"] as const)
    expect(barNotes(series(split, adjustment))).toEqual([note]);
  for (const adjustment of ["split", "total_return"] as const)
    expect(barNotes(series(split, adjustment))).toEqual([]);
});

it.each([getSignal, getAnalysis, explainSignal])(
  "is in the answer of $name, current or past",
  async (tool) => {
    const time = bars.time.map((at, i) => (i < 100 ? at - 60 * 86_400_000 : at));
    const { ports } = marketOf({ bars: { AAPL: { ...bars, time }, SPY: bars } });
    for (const past of [{}, { as_of: "2026-01-12" }]) {
      const ask = { ports: { ...testPorts(), ...ports }, principal: pro, transport: "test" };
      const named = tool === getAnalysis ? { sym: "AAPL" } : { symbol: "AAPL" };
      const answer = await invoke(tool as Tool, { ...named, ...past }, ask);
      expect(JSON.stringify(answer)).toContain('"notes":["The bars have a gap: no bars for 4');
    }
  },
);
