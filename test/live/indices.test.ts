import { describe, expect, it } from "vitest";
import { getHistory } from "../../tools/get-history.ts";
import { getQuote } from "../../tools/get-quote.ts";
import { indexWorld } from "../replay/indices.ts";
import { call, errorOf, liveStage } from "../support/live.ts";

// 10:42 New York, in the session
const suite = liveStage("2026-01-15T15:42:00Z");
const { open } = suite;
const indices = () => indexWorld(suite.stage.world);

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
});
