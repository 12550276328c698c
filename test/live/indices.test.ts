import { describe, expect, it } from "vitest";
import { getHistory } from "../../tools/get-history.ts";
import { getQuote } from "../../tools/get-quote.ts";
import { getSignal } from "../../tools/get-signal.ts";
import { indexWorld } from "../replay/indices.ts";
import type { Vendor } from "../replay/vendor.ts";
import { yahooVendor } from "../replay/yahoo.ts";
import { call, liveStage, refusalOf } from "../support/live.ts";

// 10:42 New York, in the session
const suite = liveStage("2026-01-15T15:42:00Z");
const { open } = suite;
const indices = () => indexWorld(suite.stage.world);
const AT_CLOSE = "2026-01-15T21:30:00Z";

/** Yahoo with every level of an index and the close before multiplied. */
const lying = (factor: number): Vendor => ({
  ...yahooVendor,
  answer(request, world) {
    const reply = yahooVendor.answer(request, world);
    if (!decodeURIComponent(request.path).includes("/^")) return reply;
    const multiplied = (values: readonly number[]) => values.map((value) => value * factor);
    const { chart } = JSON.parse(reply.body);
    const { meta, indicators } = chart.result[0];
    for (const name of [
      "regularMarketPrice",
      "regularMarketDayHigh",
      "regularMarketDayLow",
      "chartPreviousClose",
    ])
      meta[name] *= factor;
    for (const name of ["open", "high", "low", "close"])
      indicators.quote[0][name] = multiplied(indicators.quote[0][name]);
    return { ...reply, body: JSON.stringify({ chart }) };
  },
});

describe("the level of an index", { timeout: 60_000 }, () => {
  it("is live where another family confirms it, in points and without volume", async () => {
    const installation = await open({});
    const quote = await call(installation, getQuote, { symbol: "^GSPC", provenance: "full" });
    const truth = indices().trade("^GSPC")!;
    expect(quote).toMatchObject({
      symbol: "^GSPC",
      asset_class: "index",
      data: {
        price: truth.price,
        high: truth.high,
        low: truth.low,
        volume: null,
        currency: null,
        source: "yahoo",
        price_source: "live_quote",
        market_state: "regular",
        delayed_minutes: 0,
      },
      provenance: { session: "regular", check: { reason: "near_close", witness: "cnbc", confirmed: true } },
      index_note: expect.stringMatching(/cannot be traded\. SPY \(.+\) is a fund that tracks it\.$/),
    });
    expect(quote.provenance).not.toHaveProperty("volume_unit");
    for (const symbol of ["S&P 500", "$SPX", "SPX:IND"])
      expect(await call(installation, getQuote, { symbol })).toMatchObject({
        symbol: "^GSPC",
        data: { price: truth.price },
      });
  });

  it("of the VIX is delayed, and from Cboe", async () => {
    const installation = await open({});
    expect(await call(installation, getQuote, { symbol: "VIX" })).toMatchObject({
      symbol: "^VIX",
      asset_class: "index",
      data: { price_source: "delayed_quote", delayed_minutes: 15, market_state: "regular", volume: null },
      index_note: expect.stringContaining("VIXY"),
    });
  });

  it("has daily and weekly bars without volume, of the VIX from Cboe and of the S&P 500 from Yahoo", async () => {
    const installation = await open({});
    const closesOf = async (symbol: string, timeframe: "1d" | "1w") => {
      const { bars, ...answer } = await call(installation, getHistory, { symbol, timeframe, limit: 3 });
      expect(answer).toMatchObject({
        asset_class: "index",
        index_note: expect.stringContaining("no volume"),
      });
      expect(bars.map(({ volume }) => volume)).toEqual([null, null, null]);
      return [answer.source, bars[0]!.datetime, bars.map(({ close }) => close)];
    };
    const truth = (symbol: string) =>
      indices()
        .bars(symbol, "1d", { from: Date.UTC(2026, 0, 12), until: Date.UTC(2026, 0, 14) })
        .map(({ close }) => close)
        .toReversed();
    expect(await closesOf("^VIX", "1d")).toEqual(["cboe", "2026-01-14", truth("^VIX")]);
    expect(await closesOf("^GSPC", "1d")).toEqual([
      "yahoo",
      "2026-01-14",
      truth("^GSPC").map((level) => expect.closeTo(level, 2)),
    ]);
    expect((await closesOf("VIX", "1w"))[1]).toBe("2026-01-05");
    expect(await refusalOf(installation, getHistory, { symbol: "^VIX", timeframe: "1h" })).toMatchObject({
      code: "INVALID_INPUT",
      errors: [{ pointer: "/timeframe" }],
    });
  });

  it("is refused with its fund by everything else, and where its providers are off", async () => {
    const installation = await open({});
    expect(await refusalOf(installation, getSignal, { symbol: "^GSPC" })).toMatchObject({
      code: "UNKNOWN_SYMBOL",
      candidates: [{ symbol: "SPY" }],
    });
    const off = await open({ PROVIDERS_OFF: "yahoo,cboe" });
    const error = await call(off, getQuote, { symbol: "^GSPC" }).catch((cause: unknown) => cause);
    expect(error).toMatchObject({
      code: "UNKNOWN_SYMBOL",
      message: "^GSPC is the S&P 500 index, which cannot be traded",
      hint: expect.stringMatching(
        /^SPY .+ tracks it\. No provider of indices is connected: .+ PROVIDERS_OFF/,
      ),
    });
  });
});

describe("the close of an index", { timeout: 60_000 }, () => {
  const later = liveStage(AT_CLOSE);

  it("is at 16:00, that of the VIX at 16:15", async () => {
    const installation = await later.open({});
    const shown = async (symbol: string) => {
      const { data } = await call(installation, getQuote, { symbol });
      return [data.price_source, data.market_state, data.timestamp, data.price];
    };
    const truth = (symbol: string) => indexWorld(later.stage.world).trade(symbol)!.price;
    expect(await shown("^GSPC")).toEqual([
      "prior_close",
      "closed",
      "2026-01-15T21:00:00.000Z",
      truth("^GSPC"),
    ]);
    expect(await shown("^VIX")).toEqual(["prior_close", "closed", "2026-01-15T21:15:00.000Z", truth("^VIX")]);
  });
});

describe.each([1.1, 0.9, 0.5, 4])("a provider that multiplies the level by %d", (factor) => {
  const liar = liveStage("2026-01-15T15:42:00Z", [lying(factor)]);

  it("is not called live", { timeout: 60_000 }, async () => {
    const installation = await liar.open({});
    const { data, provenance } = await call(installation, getQuote, { symbol: "^GSPC" });
    expect(data).toMatchObject({ source: "yahoo", price_source: "unconfirmed_quote" });
    expect(provenance.check).toMatchObject({ confirmed: false });
  });
});
