import { describe, expect, it } from "vitest";
import { rankUniverse } from "../../../src/features/signal/universe.ts";
import { climbingBars, type FakeMarket, marketOf, YESTERDAY } from "../../support/market.ts";

const CLOSED = Date.UTC(2026, 0, 14, 21);
const stock = climbingBars();
const coin = climbingBars({ zone: "UTC", count: 400 });
const ranked = (bars: FakeMarket["bars"], of = "AAPL", asOf = CLOSED) => {
  const market = marketOf({ bars });
  const { instrument } = market.ports.symbols.resolve(of);
  const ask = () => rankUniverse(instrument, { time: YESTERDAY, asOf }, market.ports);
  return { ...market, ask };
};

describe("the universe of ranks", () => {
  it("contains every stock and fund with a year of bars up to that day, with its 12-1 month return", async () => {
    const { returns, time } = await ranked({
      AAPL: stock,
      SPY: stock,
      NVDA: climbingBars({ step: 0.25 }),
    }).ask();
    expect(time).toBe(YESTERDAY);
    expect([...returns.keys()].sort()).toEqual(["AAPL", "NVDA", "SPY"]);
    // by hand: from the close 252 bars before the last (105.875) to the one 21 before it (134.75)
    expect(returns.get("AAPL")).toBeCloseTo(134.75 / 105.875 - 1, 12);
  });

  it("omits symbols with too few bars, without a bar of that day, or of another kind", async () => {
    const { ask } = ranked({
      AAPL: stock,
      MSFT: climbingBars({ count: 252 }),
      NVDA: climbingBars({ end: YESTERDAY - 86_400_000 }),
      TSLA: climbingBars({ count: 253 }),
      "BTC-USD": coin,
    });
    expect([...(await ask()).returns.keys()].sort()).toEqual(["AAPL", "TSLA"]);
  });

  it("contains only coins for a coin", async () => {
    const { ask } = ranked(
      { AAPL: stock, "BTC-USD": coin, "ETH-USD": coin },
      "ETH-USD",
      Date.UTC(2026, 0, 15),
    );
    expect([...(await ask()).returns.keys()].sort()).toEqual(["BTC-USD", "ETH-USD"]);
  });

  it("reads nothing later than its moment", async () => {
    const { ask, requests } = ranked({ AAPL: stock, SPY: stock });
    await ask();
    expect(requests.map(({ asOf, timeframe }) => [asOf, timeframe])).toEqual([
      [CLOSED, "1d"],
      [CLOSED, "1d"],
    ]);
  });

  it("is computed once for concurrent requests of the same day", async () => {
    const { ask, requests } = ranked({ AAPL: stock, SPY: stock });
    const [one, other] = await Promise.all([ask(), ask()]);
    expect(one).toBe(other);
    expect(requests).toHaveLength(2);
  });

  it("does not pass on a caller's signal, so that one abort does not affect other callers", async () => {
    const { ask, requests } = ranked({ AAPL: stock });
    await ask();
    expect(requests[0]).not.toHaveProperty("signal");
  });

  it("has a hash that changes with its members", async () => {
    const hashOf = async (bars: FakeMarket["bars"]) => (await ranked(bars).ask()).hash;
    const hash = await hashOf({ AAPL: stock, SPY: stock });
    expect(hash).toMatch(/^[0-9a-f]{16}$/);
    expect(await hashOf({ SPY: stock, AAPL: climbingBars({ step: 0.25 }) })).toBe(hash);
    expect(await hashOf({ AAPL: stock, MSFT: stock })).not.toBe(hash);
  });
});
