import { describe, expect, it } from "vitest";
import { TIMEFRAMES } from "../../../src/domain/market/bars.ts";
import { barCloseMs } from "../../../src/market/calendar/calendar.ts";
import { startsOf } from "../../../src/market/prices/windows.ts";
import { fixedWorld, MOMENT } from "../../support/fixed-world.ts";

const at = (iso: string): number => Date.parse(iso);
const iso = (times: readonly number[]): string[] => times.map((time) => new Date(time).toISOString());

describe("startsOf", () => {
  it("returns the sessions of a week with a holiday and a half day", () => {
    const range = { from: at("2025-11-24T00:00:00Z"), until: at("2025-11-30T00:00:00Z") };
    expect(iso(startsOf("1d", range, "etf")).map((time) => time.slice(0, 10))).toEqual([
      "2025-11-24",
      "2025-11-25",
      "2025-11-26",
      "2025-11-28",
    ]);
  });

  it("returns closed bars on the session grid", () => {
    const range = { from: at("2025-11-28T14:30:00Z"), until: at("2025-11-28T17:59:59Z") };
    expect(iso(startsOf("1h", range, "equity"))).toEqual([
      "2025-11-28T14:30:00.000Z",
      "2025-11-28T15:30:00.000Z",
      "2025-11-28T16:30:00.000Z",
    ]);
  });

  it("uses the UTC clock for a token", () => {
    const range = { from: at("2025-11-29T21:00:00Z"), until: at("2025-11-30T08:00:00Z") };
    expect(iso(startsOf("4h", range, "crypto"))).toEqual([
      "2025-11-30T00:00:00.000Z",
      "2025-11-30T04:00:00.000Z",
    ]);
  });

  it.each(TIMEFRAMES)("returns the bars of a market without gaps: %s", (timeframe) => {
    const world = fixedWorld();
    const range = { from: MOMENT - 40 * 86_400_000, until: MOMENT };
    for (const [symbol, assetClass, zone] of [
      ["SPY", "etf", "America/New_York"],
      ["BTC-USD", "crypto", "UTC"],
    ] as const) {
      const closed = world
        .bars(symbol, timeframe, range)
        .map(({ time }) => time)
        .filter((time) => barCloseMs(time, timeframe, zone) <= MOMENT);
      expect(startsOf(timeframe, range, assetClass)).toEqual(closed);
    }
  });
});
