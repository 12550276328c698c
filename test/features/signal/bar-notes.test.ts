import { expect, it } from "vitest";
import type { Bars } from "../../../src/domain/market/bars.ts";
import { barNotes, oddsBarNotes } from "../../../src/features/signal/bar-notes.ts";
import type { Tool } from "../../../src/kernel/tool.ts";
import { explainSignal } from "../../../tools/explain-signal.ts";
import { getAnalysis } from "../../../tools/get-analysis.ts";
import { getSignal } from "../../../tools/get-signal.ts";
import { climbingBars, marketOf, withPrices } from "../../support/market.ts";
import { callerOf } from "../../support/tool-call.ts";

const bars = climbingBars();
const series = (of: Bars, adjustment: Bars["adjustment"] = "unknown") => ({
  bars: { ...of, adjustment },
});

it("notes nothing on complete bars", () => {
  expect(barNotes(series(bars))).toEqual([]);
});

const gapped = { ...bars, time: bars.time.map((at, i) => (i < 100 ? at - 60 * 86_400_000 : at)) };

it("notes a gap in the bars", () => {
  expect(barNotes(series(gapped, "total_return"))).toEqual([
    expect.stringMatching(
      /^The bars have a gap: no bars for 4\d sessions between 2025-\d\d-\d\d and 2025-\d\d-\d\d\. Averages/,
    ),
  ]);
});

it("notes rows that were left out", () => {
  const omitted = [{ time: Date.parse("2025-11-29"), reason: "no_session" }] as const;
  expect(barNotes({ bars, omitted })).toEqual([
    "1 row of bars was left out: 1 on a day without trading (2025-11-29).",
  ]);
});

it("notes a possible unadjusted split only when prices are not split-adjusted", () => {
  const split = {
    ...withPrices(bars, (price, i) => (i < 280 ? price : price / 10)),
    volume: bars.volume.map((shares, i) => (i < 280 ? shares : 10 * shares)),
  };
  // by hand: closes rise by an eighth from 100, so the 280th closes at 134.875 and the next opens there
  const note = expect.stringMatching(
    /^The price fell from 134\.88 to 13\.488 at the open of the bar of 2025-12-\d\d, close to 10:1: possibly an unadjusted split\.$/,
  );
  for (const adjustment of ["raw", "unknown"] as const)
    expect(barNotes(series(split, adjustment))).toEqual([note]);
  for (const adjustment of ["split", "total_return"] as const)
    expect(barNotes(series(split, adjustment))).toEqual([]);
});

it.each([
  ["declared", "the owner of the server declared that it is no split"],
  ["file", "splits.csv lists it as no split"],
  ["market", "the market moved alike at that time"],
] as const)("notes a change that is known to be no split: %s", (basis, reason) => {
  const fall = withPrices(bars, (price, i) => (i < 280 ? price : price / 10));
  const known = { ...fall, noSplits: [{ date: fall.time[280]!, basis }] };
  expect(barNotes(series(known))).toEqual([
    expect.stringMatching(new RegExp(`, close to 10:1: taken as a real move, because ${reason}\\.$`)),
  ]);
});

it("notes the bars that odds read after a jump, if there are enough", () => {
  const fallAt = (index: number) => series(withPrices(bars, (price, i) => (i < index ? price : price / 10)));
  expect(oddsBarNotes(fallAt(180))).toEqual([
    expect.stringMatching(/^The odds read only the 120 bars from 2025-\d\d-\d\d on, because/),
  ]);
  expect(oddsBarNotes(fallAt(181))).toEqual([]);
  expect(oddsBarNotes(series(bars))).toEqual([]);
});

it.each([getSignal, getAnalysis, explainSignal])(
  "is in the answer of $name, current or past",
  async (tool) => {
    const { ports } = marketOf({ bars: { AAPL: gapped, SPY: bars } });
    for (const past of [{}, { as_of: "2026-01-12" }]) {
      const named = tool === getAnalysis ? { symbol: "AAPL" } : { symbol: "AAPL" };
      const answer = await callerOf<Tool>(tool, ports)({ ...named, ...past });
      expect(JSON.stringify(answer)).toContain('"notes":["The bars have a gap: no bars for 4');
    }
  },
);
