import { describe, expect, it } from "vitest";
import { asInstrument, type BarSeries, type Quote } from "../../../../src/domain/market/market.ts";
import type { HistoryRequest } from "../../../../src/domain/ports.ts";
import { liveIndices } from "../../../../src/features/indices/live/indices.ts";
import { climbingBars, quote } from "../../../support/market.ts";

const VIX = asInstrument({ symbol: "^VIX", name: "VIX" });
const GSPC = asInstrument({ symbol: "^GSPC", name: "S&P 500" });
const time = (text: string) => new Date(`2026-01-15T${text}:00-05:00`).toISOString();

const origin = {
  fetched_at: time("16:10"),
  session: "post",
  stale: false,
  served_from: "provider",
  tried: [],
  volume_unit: "shares",
  volume_scope: "all_venues",
} as const;

/** Levels at a time of New York; the port beneath says what it says of a fund. */
function at(now: string, figures: Partial<Quote>, series: Partial<BarSeries> = {}) {
  const requests: HistoryRequest[] = [];
  const indices = liveIndices({
    quotes: { latest: async () => quote({ market_state: "post", volume: 5, origin, ...figures }) },
    bars: {
      async history(_, request) {
        requests.push(request);
        const bars = climbingBars({ count: 2 });
        const base = { bars, forming: null, source: "cboe", venue: "US", adjustment: "split" } as const;
        return { ...base, as_of: time("16:00"), ...series };
      },
    },
    clock: { now: () => new Date(time(now)) },
    missing: null,
  });
  const shown = async (index = GSPC) => {
    const { price_source, market_state, volume, origin: given } = await indices.quotes.latest(index);
    return [price_source, market_state, given!.session, volume];
  };
  return { indices, shown, requests };
}

describe("live indices", () => {
  it("are at the official close once their session is over, though stocks trade on", async () => {
    const figures = { timestamp: time("16:00"), price_source: "live_quote" } as const;
    expect(await at("16:01", figures).shown()).toEqual(["prior_close", "closed", "regular", null]);
    const earlier = { timestamp: time("15:58"), price_source: "delayed_quote" } as const;
    expect(await at("18:00", earlier).shown()).toEqual(["last_trade", "closed", "regular", null]);
  });

  it("keep the freshness of a level during the session, that of options until 16:15", async () => {
    const figures = { timestamp: time("16:05"), price_source: "delayed_quote" } as const;
    expect(await at("16:10", figures).shown(VIX)).toEqual(["delayed_quote", "regular", "regular", null]);
    expect(await at("16:20", { ...figures, timestamp: time("16:15") }).shown(VIX)).toEqual([
      "prior_close",
      "closed",
      "regular",
      null,
    ]);
    const night = { timestamp: time("08:44"), price_source: "delayed_quote" } as const;
    expect(await at("09:00", night).shown(VIX)).toEqual(["delayed_quote", "pre", "pre", null]);
  });

  it("are at the close of the day before until the open", async () => {
    const before = { timestamp: "2026-01-14T21:00:00.000Z", price_source: "prior_close" } as const;
    expect(await at("08:00", before).shown()).toEqual(["prior_close", "closed", "regular", null]);
    expect(await at("09:31", before).shown()).toEqual(["prior_close", "regular", "regular", null]);
  });

  it("have bars that close with the index", async () => {
    const { indices, requests } = at("18:00", {});
    const asOf = Date.parse(time("16:10"));
    const request = { timeframe: "1d", limit: 2, asOf } as const;
    expect((await indices.bars.history(VIX, request)).as_of).toBe(time("16:15"));
    expect((await indices.bars.history(GSPC, request)).as_of).toBe(time("16:00"));
    expect((await indices.bars.history(GSPC, { timeframe: "1d", limit: 2 })).as_of).toBe(time("16:00"));
    // at 16:10, the VIX of the day is not closed
    expect(requests.map((one) => one.asOf)).toEqual([Date.parse(time("15:55")), asOf, undefined]);
  });
});
