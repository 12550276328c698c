import { describe, expect, it } from "vitest";
import { asInstrument } from "../../../src/domain/market/market.ts";
import { yahooIndices } from "../../../src/providers/yahoo/indices.ts";
import { indexWorld } from "../../replay/indices.ts";
import { yahooVendor } from "../../replay/yahoo.ts";
import { fixedWorld, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { describePriceProvider } from "../../support/price-provider-contract.ts";
import { barsIn, kindOf, respondWith, signal } from "../requests.ts";

const world = indexWorld(fixedWorld());
const GSPC = world.instrument("^GSPC")!;
const SOX = asInstrument({ symbol: "^SOX", name: "PHLX Semiconductor" });

describePriceProvider("yahoo, indices", {
  make: (fetch) => yahooIndices({ fetch }),
  vendor: yahooVendor,
  world,
  instruments: { good: GSPC, unknown: UNLISTED_STOCK, other: world.instrument("^VIX")! },
  tolerance: 1e-6,
  volumes: false,
});

/** Response of 2026-10-05, shortened to its last three days. */
const META = {
  currency: "USD",
  symbol: "^SOX",
  exchangeName: "NIM",
  instrumentType: "INDEX",
  regularMarketTime: 1791215934,
  regularMarketPrice: 13128.23,
  regularMarketDayHigh: 13152.674,
  regularMarketDayLow: 13004.668,
  regularMarketVolume: 0,
  chartPreviousClose: 12628.62,
  dataGranularity: "1d",
};
const DAYS = {
  timestamp: [1790861400, 1790947800, 1791207000],
  indicators: {
    quote: [
      {
        open: [12651.5595703125, 13130.759765625, 13148.8427734375],
        high: [12913.400390625, 13269.330078125, 13152.673828125],
        low: [12587.33984375, 13082.009765625, 13004.66796875],
        close: [12829.0, 13136.669921875, 13128.23046875],
        volume: [0, 0, 0],
      },
    ],
  },
};
function respond(meta: object = {}) {
  const result = [{ meta: { ...META, ...meta }, ...DAYS }];
  const { fetch, requests } = respondWith({ "": { chart: { result, error: null } } });
  return { provider: yahooIndices({ fetch }), requests };
}
const quoted = (meta: object) => respond(meta).provider.latest!(SOX, { signal });

describe("yahoo's indices", () => {
  it("have a level with its time and the close of the session before, without volume", async () => {
    const { provider, requests } = respond();
    expect(await provider.latest!(SOX, { signal })).toEqual({
      price: 13128.23,
      tradedAt: Date.parse("2026-10-05T15:58:54Z"),
      officialClose: false,
      previousClose: 13136.67,
      open: 13148.84,
      high: 13152.674,
      low: 13004.668,
      volume: null,
      volumeScope: "all_venues",
      venue: "US",
    });
    expect(requests).toEqual(["https://query2.finance.yahoo.com/v8/finance/chart/^SOX?interval=1d&range=5d"]);
  });

  it("have the time of the session's close for a later stamp", async () => {
    expect(await quoted({ regularMarketTime: Date.parse("2026-10-05T21:15:59Z") / 1_000 })).toMatchObject({
      tradedAt: Date.parse("2026-10-05T20:00:00Z"),
      officialClose: true,
    });
  });

  it("are 15 minutes late if they are Cboe's", async () => {
    expect(await quoted({ exchangeName: "CGI" })).toMatchObject({ delayMinutes: 15 });
  });

  it("have daily bars without volume", async () => {
    const given = await barsIn(respond().provider, { from: "2026-10-01", until: "2026-10-06" }, SOX);
    expect(
      given.bars.map(({ time, close, volume }) => [new Date(time).toISOString().slice(0, 10), close, volume]),
    ).toEqual([
      ["2026-10-01", 12829, 0],
      ["2026-10-02", 13136.67, 0],
      ["2026-10-05", 13128.23, 0],
    ]);
  });

  it.each([{ instrumentType: "ETF" }, { symbol: "^BKX" }, { currency: "KRW" }])(
    "refuse a chart with %j",
    async (meta) => {
      expect(await kindOf(quoted(meta))).toBe("malformed");
    },
  );
});
