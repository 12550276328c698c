import { describe, expect, it } from "vitest";
import { explain } from "../../../src/analytics/explain/explain.ts";
import { consensus } from "../../../src/analytics/score/consensus.ts";
import { splitFault } from "../../../src/analytics/score/split-fault.ts";
import { signalTape } from "../../../src/analytics/score/tape.ts";
import { type Bars, sliceBars } from "../../../src/domain/market/bars.ts";
import { readDailyBars } from "../../support/daily-bars.ts";
import { splitAt, syntheticBars } from "../../support/synthetic-bars.ts";
import { describeWithData } from "../../support/test-data.ts";

const alone = {
  assetClass: "equity",
  benchmark: null,
  isBenchmark: false,
  peers: [],
  universe: null,
} as const;
const verdict = (bars: Bars) => {
  const { score, grade, direction, tier, reason, agreement } = consensus({ ...alone, bars });
  return { score, grade, direction, tier, reason, agreement };
};

describe("bars with a suspected unadjusted split", () => {
  const bars = syntheticBars(7, 620);
  const split = splitAt(bars, 400, "raw");

  it("name a change of unit by 100 times beside the split", () => {
    const times = (factor: number): Bars => {
      const scale = (column: Float64Array) => column.map((price, at) => (at < 400 ? price : price * factor));
      const { open, high, low, close } = bars;
      return {
        ...bars,
        adjustment: "raw",
        open: scale(open),
        high: scale(high),
        low: scale(low),
        close: scale(close),
      };
    };
    for (const factor of [100, 0.01])
      expect(splitFault(times(factor))).toMatch(
        /, close to [\d:]+, or to a change of unit by 100 times, such as between dollars and cents: possibly an unadjusted split/,
      );
    for (const factor of [50, 0.1]) expect(splitFault(times(factor))).not.toContain("unit by 100");
  });

  it("give no score and WAIT with the reason", () => {
    expect(splitFault(split)).toMatch(
      /^The price fell from [\d.]+ to [\d.]+ at the open of the bar of [\d-]+, close to 10:1: possibly an unadjusted split\. If it is one, add SYMBOL,[\d-]+,10:1 to splits\.csv/,
    );
    expect(verdict(split)).toEqual({
      score: null,
      grade: null,
      direction: "WAIT",
      tier: "NEUTRAL",
      reason: splitFault(split),
      agreement: 0,
    });
  });

  it("give a signal once they are adjusted or begin after the split", () => {
    expect(splitFault(splitAt(bars, 400, "split"))).toBeNull();
    expect(verdict(sliceBars(split, 0, 400)).score).not.toBeNull();
    expect(verdict(sliceBars(splitAt(bars, 300, "raw"), 300)).score).not.toBeNull();
  });

  it("have no score in a tape from the split until it leaves the window of 500 bars", () => {
    const input = { ...alone, universeAt: () => null };
    const late = splitAt(bars, 300, "raw");
    const { score, direction } = signalTape({ ...input, bars: splitAt(bars, 100, "raw") });
    expect(Number.isNaN(score[598])).toBe(true);
    expect(Number.isNaN(score[599])).toBe(false);
    expect([...direction.subarray(251, 599)].every((one) => one === 0)).toBe(true);
    const tape = signalTape({ ...input, bars: late });
    expect([299, 300, 619].map((at) => Number.isNaN(tape.score[at]!))).toEqual([false, true, true]);
  });

  it("are explained without a direction that a driver could change", () => {
    const input = { ...alone, bars: split };
    const { drivers, minimalRemoval } = explain(input, consensus(input));
    expect(drivers.every(({ without }) => without.score === null && without.direction === "WAIT")).toBe(true);
    expect(minimalRemoval.drivers).toBeNull();
  });
});

describeWithData("raw prices of Apple after its split", ["ohlcv", "us_daily_raw_factors"], (dir) => {
  it("give no signal on 2020-09-18, and one if they begin at the split", () => {
    const raw: Bars = { ...readDailyBars(`${dir}/AAPL.csv`), adjustment: "unknown" };
    const at = (day: string) => raw.time.indexOf(Date.parse(day));
    const end = at("2020-09-18") + 1;
    expect(verdict(sliceBars(raw, end - 500, end))).toMatchObject({
      score: null,
      direction: "WAIT",
      reason: expect.stringMatching(
        /at the open of the bar of 2020-08-31, close to 4:1: possibly an unadjusted split/,
      ),
    });
    expect(verdict(sliceBars(raw, at("2020-08-31"))).reason).not.toMatch(/split/);
  });
});
