import { describe, expect, it } from "vitest";
import type { PutCalls } from "../../../src/domain/ports.ts";
import { computeMarketIndex } from "../../../src/features/nightly/market-index.ts";
import { LISTINGS } from "../../../src/providers/sample/listing.ts";
import { unavailable } from "../../support/context.ts";
import { climbingBars, marketOf, withPrices } from "../../support/market.ts";

const { signal } = new AbortController();
const COINS = ["BTC-USD", "ETH-USD", "LTC-USD", "SOL-USD", "XRP-USD"] as const;

/** A market whose coins rise continuously. */
function stand() {
  const coin = climbingBars({ zone: "UTC", count: 400 });
  const coins = Object.fromEntries(COINS.map((name) => [name, coin]));
  const { ports, requests } = marketOf({ bars: { SPY: climbingBars(), AAPL: climbingBars(), ...coins } });
  const index = (members: readonly string[], stop = signal) =>
    computeMarketIndex({ members, symbols: ports.symbols, bars: ports.bars, signal: stop });
  return { index, requests };
}
const part = (found: Awaited<ReturnType<typeof computeMarketIndex>>, name: string) =>
  found!.parts.find((one) => one.part === name)!;

describe("the index over members", () => {
  it("counts each member once", async () => {
    const { index, requests } = stand();
    const found = await index([...COINS, ...COINS]);
    expect(part(found, "risk_appetite").reading).toBe(1);
    expect(requests.filter(({ symbol }) => symbol === "SOL-USD")).toHaveLength(1);
    expect(part(await index([...COINS.slice(1), ...COINS.slice(1)]), "risk_appetite").reason).toBe(
      "Needs 5 coins, has 4",
    );
  });

  it("ranks new highs within 252 days, each over 252 bars", async () => {
    const count = 600;
    // all at a new high on the first of the 252 ranked days, none at a high or low after it
    const peaked = withPrices(climbingBars({ count }), (_, i) =>
      i <= count - 252 ? 10 + (90 * i) / (count - 252) : 50 + i / 1_000,
    );
    const stocks = LISTINGS.filter(({ instrument }) => instrument.asset_class === "equity");
    const names = stocks.slice(0, 20).map(({ instrument }) => instrument.symbol);
    const bars = Object.fromEntries(["SPY", ...names].map((symbol) => [symbol, peaked]));
    const found = await computeMarketIndex({ members: names, ...marketOf({ bars }).ports, signal });
    expect(found!.history).toHaveLength(60);
    expect(found!.history!.at(-1)).toBe(found!.value);
    // 251 days of 0 and one above
    expect(part(found, "new_highs_lows")).toMatchObject({
      reading: 0,
      value: expect.closeTo((100 * 251) / 2 / 252, 10),
    });
  });

  it("reads put/call ratios up to its own day, when a provider responds", async () => {
    const { ports } = marketOf({ bars: { SPY: climbingBars({ count: 300 }) } });
    const all = climbingBars({ count: 300 }).time;
    const days = Array.from(all, (time, i) => ({
      day: new Date(time).toISOString().slice(0, 10),
      at: time,
      total: i === 299 ? 0.5 : 1,
      index: null,
      etp: null,
      equity: null,
      callVolume: null,
      putVolume: null,
    }));
    const later = { ...days[0]!, day: "2026-01-15", total: 9 };
    const origin = { source: "x", fetchedAt: "2026-01-15T15:00:00.000Z", stale: false, tried: [] };
    const over = (putCalls: PutCalls) =>
      computeMarketIndex({ members: [], symbols: ports.symbols, bars: ports.bars, putCalls, signal });
    const found = await over({ days: async () => ({ ...origin, days: [...days, later] }) });
    expect(part(found, "put_call")).toMatchObject({ reading: 0.9 });
    const down = unavailable("so");
    for (const unavailable of [ports.putCalls, { days: down }])
      expect(part(await over(unavailable), "put_call").reason).toBe(
        "No provider of option volumes is connected",
      );
  });

  it("stops when aborted", async () => {
    await expect(stand().index(COINS, AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
  });
});
