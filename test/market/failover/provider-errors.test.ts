import { describe, expect, it } from "vitest";
import { ProviderFailure } from "../../../src/domain/providers/price-provider.ts";
import { liveHistory } from "../../../src/market/prices/history.ts";
import { liveQuotes } from "../../../src/market/prices/quotes.ts";
import {
  fakeProvider,
  INSTRUMENTS,
  providerBars,
  providerQuote,
  settableClock,
  shortMemory,
} from "../../support/providers.ts";

const { us } = INSTRUMENTS;
const NOW = "2026-01-15T15:00:00Z";
const FIFTEEN = { timeframe: "15m", limit: 10 } as const;

/** Bars and quotes of one provider with two calls per minute, and of one that has only daily bars. */
function setup({ down = false, listed = true }: { readonly down?: boolean; readonly listed?: boolean } = {}) {
  const clock = settableClock(NOW);
  const fail = () => {
    throw down ? new ProviderFailure("down", "no") : new ProviderFailure("unknown_symbol", "no");
  };
  const limited = fakeProvider("limited", {
    clock,
    budget: { calls: 2, perMs: 60_000, atOnce: 2 },
    reaches: { "15m": 59 },
    latest: async () => (listed ? providerQuote() : fail()),
    history: async () => (listed ? providerBars([]) : fail()),
  });
  const other = fakeProvider("other", { clock, latest: async () => fail() });
  const guards = down ? [limited, other] : [limited];
  const { memory } = shortMemory();
  const deps = { chain: () => guards, memory, clock };
  const quotes = liveQuotes(deps);
  const bars = liveHistory({ ...deps, barsAdvice: () => "Connect a second provider." });
  const spend = async () => {
    for (const symbol of ["SPY", "QQQ"]) await quotes.latest({ ...us, symbol });
  };
  return { clock, quotes, bars, spend };
}

describe("the error when the only provider's call limit is used up", () => {
  it("names the provider, the time at which it may be called again, and how to get another one", async () => {
    const { bars, spend, clock } = setup();
    await spend();
    clock.move(20_500);
    await expect(bars.history(us, FIFTEEN)).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
      message:
        "No provider answered for AAPL: the call limit of limited is used up until 2026-01-15T15:01:00Z",
      hint: "Retry at 2026-01-15T15:01:00Z. Connect a second provider.",
      data: {
        symbol: "AAPL",
        tried: [{ provider: "limited", outcome: "over_budget" }],
        limits: [{ provider: "limited", until: "2026-01-15T15:01:00Z" }],
        retry_after: 40,
      },
    });
  });

  it("has the seconds until then for the header Retry-After", async () => {
    const { quotes, spend } = setup();
    await spend();
    await expect(quotes.latest(us)).rejects.toMatchObject({ data: { price: null, retry_after: 60 } });
  });

  it("asks to retry soon if another provider failed for another reason", async () => {
    const { quotes, spend } = setup({ down: true });
    await spend();
    await expect(quotes.latest(us)).rejects.toMatchObject({
      message: expect.stringMatching(/the call limit of limited is used up until/),
      hint: expect.stringMatching(/^Retry in a few seconds\./),
      data: { limits: [{ provider: "limited" }] },
    });
    const failure = await quotes.latest(us).catch((cause: { data: object }) => cause.data);
    expect(failure).not.toHaveProperty("retry_after");
  });
});
