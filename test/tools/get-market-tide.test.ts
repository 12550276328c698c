import { describe, expect, it } from "vitest";
import type { PutCallDay } from "../../src/domain/options-flow/options.ts";
import type { Chains, FlowTape, Ports } from "../../src/domain/ports.ts";
import { getMarketTide } from "../../tools/get-market-tide.ts";
import { NOW, pro, unavailable } from "../support/context.ts";
import { climbingBars, smallMarket } from "../support/market.ts";
import { chainOf, option } from "../support/option-chain.ts";
import { callerOf, invalidField } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";

const told = { source: "fixture", fetchedAt: NOW.toISOString(), stale: false, tried: [] };
const bars = Object.fromEntries(["AAPL", "SPY", "QQQ", "IWM"].map((name) => [name, climbingBars()]));
/** 80 days alternating between 1 and .8, then five of .6. */
const days = Array.from({ length: 85 }, (_, i): PutCallDay => {
  const at = NOW.getTime() - (85 - i) * 86_400_000;
  const total = i >= 80 ? 0.6 : i % 2 === 0 ? 1 : 0.8;
  const rest = { index: null, etp: 1.2, equity: 0.5, callVolume: 1000, putVolume: 1000 * total };
  return { day: new Date(at).toISOString().slice(0, 10), at, total, ...rest };
});
const chains: Chains = {
  chain: async ({ symbol }) => ({
    ...told,
    earlier: null,
    chain: chainOf([option({ volume: 100 }), option({ type: "put", volume: symbol === "SPY" ? 250 : 100 })], {
      underlying: { symbol, price: 100, tradedAt: null },
      delayMinutes: 15,
    }),
  }),
};
const ports = { ...smallMarket({ bars }).ports, chains, putCalls: { days: async () => ({ ...told, days }) } };
const call = callerOf(getMarketTide, ports, { ...pro, plan: "individual" });
const ask = (input: unknown = {}, over: Partial<Ports> = {}) => call(input, over);
const failing = unavailable("No source answers just now");

describe("get_market_tide", () => {
  it("returns ratios, newest first, their trend and the direction of flow", async () => {
    const tide = await ask({ days: 2 });
    expect(tide).toMatchObject({
      ok: true,
      direction: "BULLISH",
      basis: "put/call ratio of all products: 5-day mean against 20-day mean",
      reason: null,
      put_call: {
        // of the 20: five of .6, eight of .8 and seven of 1
        total: {
          latest: 0.6,
          mean_5: 0.6,
          mean_20: expect.closeTo((3 + 6.4 + 7) / 20, 4),
          trend: "falling",
          days: 85,
          reason: null,
        },
        equity: { latest: 0.5, strength: null, trend: null, reason: "The ratio has not changed" },
        index: { latest: null, days: 0, reason: "The provider does not supply this ratio" },
      },
      coverage: { status: "covered", reason: null },
      provenance: {
        provider: "fixture",
        as_of: "2026-01-14T15:00:00.000Z",
        delay_minutes: null,
        stale: false,
      },
      market: "sample",
    });
    const ratios = { total: 0.6, equity: 0.5, etp: 1.2, index: null, call_volume: 1000, put_volume: 600 };
    expect(tide.days).toEqual([
      { date: "2026-01-14", ...ratios },
      { date: "2026-01-13", ...ratios },
    ]);
  });

  it("returns today's volume of three funds as a proxy", async () => {
    expect((await ask()).intraday).toEqual({
      proxy: true,
      of: ["SPY", "QQQ", "IWM"],
      session: "2026-01-21",
      as_of: "2026-01-21T20:45:00.000Z",
      call_volume: 300,
      put_volume: 450,
      put_call: 1.5,
      provider: "fixture",
    });
  });

  it("has no proxy unless all three chains are available, with the reason", async () => {
    const without = smallMarket({ bars: { SPY: climbingBars() } }).ports.symbols;
    expect(await ask({}, { symbols: without })).toMatchObject({
      direction: "BULLISH",
      intraday: null,
      intraday_reason: "Needs the chains of SPY, QQQ, IWM; 1 of them are available",
    });
    expect(await ask({}, { chains: { chain: failing } })).toMatchObject({
      intraday: null,
      direction: "BULLISH",
    });
    expect(await ask({}, { chains: smallMarket().ports.chains })).toMatchObject({
      intraday: null,
      intraday_reason: expect.stringContaining("MARKET_DATA=live"),
    });
  });

  it("returns net premium only from a tape", async () => {
    expect(await ask()).toMatchObject({
      net_premium: null,
      net_premium_reason: expect.stringContaining("UNUSUAL_WHALES_TOKEN"),
    });
    const ticks = [1, 2].map((i) => ({
      time: NOW.getTime() + i,
      netCallPremium: 10 * i,
      netPutPremium: -5 * i,
      netVolume: i,
    }));
    const flowTape: FlowTape = { ...ports.flowTape, tide: async () => ({ ...told, ticks }) };
    expect((await ask({}, { flowTape })).net_premium).toEqual({
      as_of: "2026-01-15T15:00:00.002Z",
      call: 20,
      put: -10,
      volume: 2,
      provider: "fixture",
    });
    const silent: FlowTape = { ...flowTape, tide: async () => ({ ...told, ticks: [] }) };
    expect(await ask({}, { flowTape: silent })).toMatchObject({
      net_premium_reason: "The tape has no net premium for today",
    });
    const down: FlowTape = { ...flowTape, tide: failing };
    expect(await ask({}, { flowTape: down })).toMatchObject({
      net_premium_reason: "No source answers just now",
    });
  });

  it("has no direction with too few days, and fails when the ratios are unavailable", async () => {
    const few = { days: async () => ({ ...told, days: days.slice(-59) }) };
    expect(await ask({}, { putCalls: few })).toMatchObject({
      direction: null,
      basis: null,
      reason: "Needs 60 days of ratios; 59 are known",
    });
    const begun = async () => ({ ...told, days: days.slice(-3), fetching: { known: 3, of: 254 } });
    expect((await ask({}, { putCalls: { days: begun } })).reason).toBe(
      "Needs 60 days of ratios; 3 are known. Older days are fetched while a server is running, 3 of 254 so far: retry in a few minutes",
    );
    expect(await ask({}, { putCalls: { days: async () => ({ ...told, days: [] }) } })).toMatchObject({
      direction: null,
      reason: "No day is published yet",
      put_call: { equity: { reason: "No day is published yet" } },
    });
    await expect(ask({}, { putCalls: { days: failing } })).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
    });
  });

  it("answers without providers, with the setting that connects them", async () => {
    const { chains, putCalls } = smallMarket().ports;
    expect(await ask({}, { chains, putCalls })).toMatchObject({
      direction: null,
      days: [],
      provenance: null,
      intraday: null,
      net_premium: null,
      coverage: { status: "not_connected", reason: expect.stringContaining("MARKET_DATA=live") },
      reason: expect.stringContaining("MARKET_DATA=live"),
    });
  });

  it.each([0, 253, 1.5, "week"])("rejects %s days", async (given) => {
    await expect(ask({ days: given })).rejects.toMatchObject(invalidField("/days"));
  });

  it("prints the direction, the ratios and what is missing", async () => {
    const lines = getMarketTide.terminal!(await ask({ days: 1 }), (_, text) => text).split("\n");
    expect(lines).toEqual([
      "BULLISH put/call ratio of all products: 5-day mean against 20-day mean",
      "ratios of fixture, as of 2026-01-14T15:00:00.000Z",
      "total     0.6, 5 days 0.6, 20 days 0.82, falling",
      "equity    0.5, 5 days 0.5, 20 days 0.5, no trend yet",
      "etp       1.2, 5 days 1.2, 20 days 1.2, no trend yet",
      "intraday  put/call 1.5 of SPY, QQQ, IWM, a proxy, session 2026-01-21, from fixture",
      expect.stringMatching(/^premium {3}none: Net premium of the whole market needs .*UNUSUAL_WHALES_TOKEN/),
      "date        total  equity  etp  index",
      "2026-01-14    0.6     0.5  1.2  -",
      expect.stringMatching(/^For the next page, pass `cursor` \w+$/),
    ]);
  });
});

describe("get_market_tide from and to", () => {
  const datesOf = ({ days }: { days: readonly { date: string }[] }) => days.map(({ date }) => date);

  it("returns the days of a range, with the trend of now", async () => {
    const answer = await ask({ from: "2025-12-30", to: "2026-01-02" });
    expect(datesOf(answer)).toEqual(["2026-01-02", "2026-01-01", "2025-12-31", "2025-12-30"]);
    expect(answer).toMatchObject({ direction: "BULLISH", next_cursor: null });
  });

  it("returns each day once over all pages", async () => {
    const first = await ask({ to: "2026-01-02", days: 40 });
    const rest = await ask({ to: "2026-01-02", days: 40, cursor: first.next_cursor });
    expect([...datesOf(first), ...datesOf(rest)]).toEqual(
      days
        .map(({ day }) => day)
        .filter((day) => day <= "2026-01-02")
        .reverse(),
    );
    expect(rest.next_cursor).toBeNull();
  });

  it("refuses days with from", async () => {
    await expect(ask({ days: 5, from: "2026-01-02" })).rejects.toMatchObject(invalidField("/days"));
  });
});

toolContract(getMarketTide, { ports });
