import { describe, expect, it } from "vitest";
import { intradayAdvice } from "../../../src/app/providers/prices.ts";
import { fakeProvider, settableClock } from "../../support/providers.ts";

describe("the advice for intraday bars of stocks", () => {
  const clock = settableClock("2026-01-15T15:00:00Z");
  const has = (name: string, reaches: object) => fakeProvider(name, { clock, reaches });
  const yahoo = has("yahoo", { "1d": 9, "15m": 9 });

  it("is given only if a single provider has them", () => {
    expect(intradayAdvice([yahoo, has("cboe", { "1d": 9 })])).toMatch(/^A free Alpaca key \(ALPACA_KEY_ID/);
    expect(intradayAdvice([yahoo, has("alpaca", { "1d": 9, "30m": 9 })])).toBeNull();
  });
});
