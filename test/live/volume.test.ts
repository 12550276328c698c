import { describe, expect, it } from "vitest";
import { getQuote } from "../../tools/get-quote.ts";
import { call, KEYS, liveStage } from "../support/live.ts";

const { open } = liveStage("2026-01-15T16:00:00Z"); // Thursday, 11:00 New York

describe("a quote of Finnhub, which has no volume", () => {
  it("has the volume of Yahoo, and says so", async () => {
    const installation = await open({ FINNHUB_TOKEN: KEYS.FINNHUB_TOKEN! });
    const { data, provenance } = await call(installation, getQuote, { symbol: "AAPL" });
    expect(data).toMatchObject({ source: "finnhub", volume: expect.any(Number) });
    expect(provenance).toMatchObject({ provider: "finnhub", volume_provider: "yahoo" });
  });

  it("has none if no other provider is enabled", async () => {
    const installation = await open({
      FINNHUB_TOKEN: KEYS.FINNHUB_TOKEN!,
      PROVIDERS_OFF: "yahoo,cboe,nasdaq",
    });
    const { data, provenance } = await call(installation, getQuote, { symbol: "AAPL" });
    expect(data).toMatchObject({ source: "finnhub", volume: null });
    expect(provenance).not.toHaveProperty("volume_provider");
  });
});
