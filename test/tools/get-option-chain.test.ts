import { describe, expect, it } from "vitest";
import type { OptionChain } from "../../src/domain/options-flow/options.ts";
import type { Chains } from "../../src/domain/ports.ts";
import { getOptionChain } from "../../tools/get-option-chain.ts";
import { NOW, pro, stoppedClock } from "../support/context.ts";
import { simulatedMarket, smallMarket } from "../support/market.ts";
import { chainOf, option } from "../support/option-chain.ts";
import { callerOf, invalidField } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";

const stamps = { source: "fixture", fetchedAt: NOW.toISOString(), stale: false, tried: [] };
const chainsOf = (chain: OptionChain, stale = false): Chains => ({
  chain: async () => ({ ...stamps, stale, chain, earlier: null }),
});

/** A call and a put at 95, 100 and 105 of three expiries, without figures. */
const contracts = ["2026-01-16", "2026-02-20", "2026-03-20"].flatMap((expiry) =>
  [105, 95, 100].flatMap((strike) => [
    option({ expiry, strike, type: "put", volume: strike, openInterest: 10 * strike, delta: -0.4 }),
    option({ expiry, strike, type: "call", volume: 0, openInterest: 5, delta: (110 - strike) / 20 }),
  ]),
);
const chain = chainOf(contracts, { delayMinutes: 15, asOf: NOW.toISOString(), price: 101 });

const ports = { ...smallMarket().ports, chains: chainsOf(chain) };
const individual = { ...pro, plan: "individual" } as const;
const call = callerOf(getOptionChain, ports, individual);
const named = (answer: { readonly contracts: readonly { readonly contract: string }[] }) =>
  answer.contracts.map(({ contract }) => contract.slice(3));

describe("get_option_chain", () => {
  it("returns the contracts of the nearest expiry by strike, with their figures, time and delay", async () => {
    const only = option({
      expiry: "2026-01-16",
      strike: 100,
      bid: 3.95,
      ask: 4.05,
      last: 4.1,
      lastTradedAt: "2026-01-15T14:30:00.000Z",
      volume: 12,
      openInterest: 340,
      iv: 0.25,
      delta: 0.51234567,
      gamma: 0.0312345678,
      theta: -0.05,
      vega: 0.11,
    });
    const answer = await call({ symbol: "AAPL" }, { chains: chainsOf({ ...chain, contracts: [only] }) });
    expect(answer).toMatchObject({
      symbol: "AAPL",
      coverage: { status: "covered", reason: null },
      as_of: "2026-01-15T14:45:00.000Z",
      delay_minutes: 15,
      session: "2026-01-15",
      underlying: { price: 101, traded_at: "2026-01-21T21:00:00.000Z" },
      expiries: ["2026-01-16"],
      total: 1,
      next_cursor: null,
      missing: [],
      provenance: { provider: "fixture", delay_minutes: 15, stale: false },
      market: "sample",
    });
    expect(answer.contracts).toEqual([
      {
        contract: "XYZ260116C00100000",
        expiry: "2026-01-16",
        days: 1,
        type: "call",
        strike: 100,
        bid: 3.95,
        ask: 4.05,
        mid: 4,
        last: 4.1,
        last_traded_at: "2026-01-15T14:30:00.000Z",
        volume: 12,
        open_interest: 340,
        iv: 0.25,
        delta: 0.5123,
        gamma: 0.031235,
        theta: -0.05,
        vega: 0.11,
        greeks: "provider",
      },
    ]);
  });

  it("orders contracts by expiry, strike, call before put", async () => {
    const answer = await call({ symbol: "AAPL" });
    expect(answer.expiries).toEqual(["2026-01-16", "2026-02-20", "2026-03-20"]);
    expect(named(answer)).toEqual([
      "260116C00095000",
      "260116P00095000",
      "260116C00100000",
      "260116P00100000",
      "260116C00105000",
      "260116P00105000",
    ]);
  });

  it.each([
    [{ expiry: "2026-02-20", type: "put" }, ["260220P00095000", "260220P00100000", "260220P00105000"]],
    [{ expiry: "2026-02-20", strikes: 1 }, ["260220C00100000", "260220P00100000"]],
    [{ expiry: "2026-02-20", type: "call", min_strike: 100 }, ["260220C00100000", "260220C00105000"]],
    [{ expiry: "2026-02-20", type: "call", max_strike: 95 }, ["260220C00095000"]],
    [
      { expiry: "all", type: "call", min_delta: 0.75 },
      ["260116C00095000", "260220C00095000", "260320C00095000"],
    ],
    [{ max_delta: 0.3 }, ["260116C00105000"]],
    [{ min_days: 30, max_days: 40, strikes: 1 }, ["260220C00100000", "260220P00100000"]],
    [{ min_days: 40, type: "call", strikes: 1 }, ["260320C00100000"]],
    [{ moneyness: "otm" }, ["260116P00095000", "260116P00100000", "260116C00105000"]],
    [{ moneyness: "itm", type: "put" }, ["260116P00105000"]],
    [{ min_volume: 100 }, ["260116P00100000", "260116P00105000"]],
    [{ min_open_interest: 1050 }, ["260116P00105000"]],
  ])("filters by %j", async (filters, expected) => {
    const answer = await call({ symbol: "AAPL", ...filters });
    expect(named(answer)).toEqual(expected);
    expect(answer.total).toBe(expected.length);
  });

  it("skips an expiry that has closed", async () => {
    const clock = stoppedClock(new Date("2026-01-16T21:00:00.000Z"));
    const nearest = await call({ symbol: "AAPL" }, { clock });
    expect(nearest.contracts[0]!.expiry).toBe("2026-02-20");
    const all = await call({ symbol: "AAPL", expiry: "all" }, { clock });
    expect(all.contracts.map(({ expiry }) => expiry)).not.toContain("2026-01-16");
  });

  it("pages through every matching contract once", async () => {
    const whole = await call({ symbol: "AAPL", expiry: "all" });
    const pages: string[] = [];
    let cursor: string | null = null;
    do {
      const page: typeof whole = await call({
        symbol: "AAPL",
        expiry: "all",
        limit: 4,
        ...(cursor !== null && { cursor }),
      });
      expect(page.total).toBe(18);
      pages.push(...named(page));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(pages).toEqual(named(whole));
  });

  it("rejects a cursor of another chain", async () => {
    await expect(call({ symbol: "AAPL", cursor: "ABC260116C00095000" })).rejects.toMatchObject(
      invalidField("/cursor"),
    );
  });

  it("computes the Greeks from the volatility if the provider has none", async () => {
    // one year to 16:00 on the expiry, strike at the price: d1 = 0.1, density 0.396953
    const only = option({ expiry: "2027-01-21", iv: 0.2 });
    const year = chainOf([only], { asOf: "2026-01-21T21:00:00.000Z" });
    const { contracts, missing } = await call({ symbol: "AAPL" }, { chains: chainsOf(year) });
    expect(contracts[0]).toMatchObject({
      delta: 0.5398,
      gamma: 0.019848,
      theta: -0.0109,
      vega: 0.397,
      greeks: "computed",
    });
    expect(missing.map(({ field }) => field)).toEqual([
      "bid",
      "ask",
      "mid",
      "last",
      "volume",
      "open_interest",
    ]);
  });

  it("gives the reason of every null figure", async () => {
    const traded = option({ strike: 95, bid: 1, ask: 2, last: 1.5, iv: 0.3, openInterest: 1 });
    const contracts = [traded, option({ strike: 100 }), option({ strike: 105 })];
    const { missing } = await call({ symbol: "AAPL" }, { chains: chainsOf({ ...chain, contracts }) });
    const none = (field: string, reason: string) => ({ field, contracts: 2, reason });
    expect(missing).toEqual([
      none("bid", "No bid"),
      none("ask", "No ask"),
      none("mid", "No valid bid and ask"),
      none("last", "No trade is known"),
      { field: "volume", contracts: 3, reason: "fixture supplies no volume" },
      none("open_interest", "Not known for these contracts"),
      none("iv", "No volatility of these contracts is known"),
      ...["delta", "gamma", "theta", "vega"].map((field) =>
        none(field, `fixture supplies no ${field}, and no volatility to compute it from`),
      ),
    ]);
  });

  it("notes an unknown expiry with the nearest ones, an old chain and filters that nothing passes", async () => {
    const unknown = await call({ symbol: "AAPL", expiry: "2026-02-21" });
    expect(unknown).toMatchObject({ contracts: [], total: 0 });
    expect(unknown.notes).toEqual([
      "No contract of AAPL expires on 2026-02-21; nearest of its 3 expiries: 2026-02-20 and 2026-03-20",
    ]);
    const stale = await call({ symbol: "AAPL", min_volume: 1e6 }, { chains: chainsOf(chain, true) });
    expect(stale.notes).toEqual([
      "No provider responds; this is the last known chain",
      "No contract passes the filters: widen them, or pass expiry all",
    ]);
    const unpriced = chainsOf({
      ...chain,
      until: "2026-03-20",
      underlying: { ...chain.underlying, price: null },
    });
    expect((await call({ symbol: "AAPL" }, { chains: unpriced })).notes).toEqual([
      "The provider covers expiries only until 2026-03-20",
      "The chain has no price of the underlying: strikes around the money are unknown",
    ]);
  });

  it("gives the reason without a chain, and rejects if the provider fails", async () => {
    const without = { contracts: [], total: null, as_of: null, provenance: null };
    expect(await call({ symbol: "AAPL" }, { chains: smallMarket().ports.chains })).toMatchObject({
      ...without,
      coverage: { status: "not_connected", reason: expect.stringContaining("TRADIER_TOKEN") },
    });
    expect(await call({ symbol: "BTC-USD" })).toMatchObject({
      ...without,
      coverage: { status: "not_covered", reason: "Options are read only for US stocks and funds" },
    });
    const failing: Chains = { chain: async () => Promise.reject(new Error("down")) };
    await expect(call({ symbol: "AAPL" }, { chains: failing })).rejects.toMatchObject({ code: "INTERNAL" });
  });

  it("takes about 1,500 tokens with detail concise in the simulated market", async () => {
    const simulated = callerOf(getOptionChain, simulatedMarket("2026-01-15T15:00:00.000Z"), individual);
    const answer = await simulated({ symbol: "SPY", detail: "concise" });
    expect(answer.contracts).toHaveLength(10);
    expect(answer.contracts.every(({ greeks }) => greeks === "provider")).toBe(true);
    // about four characters per token
    expect(JSON.stringify(answer).length).toBeLessThan(6_000);
  });
});

toolContract(getOptionChain, { ports });
