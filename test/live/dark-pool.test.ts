import { describe, expect, it } from "vitest";
import { getDarkpoolPrints } from "../../tools/get-darkpool-prints.ts";
import { call, KEYS, liveStage, requestCounts } from "../support/live.ts";

// half an hour after the close
const suite = liveStage("2026-01-15T21:30:00Z");
const { open } = suite;
const apple = () => suite.stage.world.instrument("AAPL")!;
const only = (...names: string[]) => Object.fromEntries(names.map((name) => [name, KEYS[name]!]));

describe("dark-pool prints from live providers", { timeout: 60_000 }, () => {
  it("without a key have volumes only: off-exchange share, short sales, weekly volume", async () => {
    const installation = await open({});
    const { prints, coverage, off_exchange, conviction } = await call(installation, getDarkpoolPrints, {
      symbol: "AAPL",
    });
    expect(prints).toEqual([]);
    expect(coverage.reason).toMatch(/UNUSUAL_WHALES_TOKEN/);
    expect(off_exchange!.coverage).toMatchObject({ source: "finra", stale: false, reason: null });
    expect(off_exchange!.days).toHaveLength(20);
    expect(off_exchange!.days[0]).toMatchObject({
      date: "2026-01-14",
      published_at: "2026-01-14T23:00:00.000Z",
    });
    const volumes = new Map(
      suite.stage.world
        .bars("AAPL", "1d", { from: 0, until: suite.stage.clock.at() })
        .map(({ time, volume }) => [new Date(time).toISOString().slice(0, 10), volume]),
    );
    for (const { date, off_exchange_share, short_share } of off_exchange!.days) {
      const { total, short } = suite.stage.world.offExchange(apple(), date)!;
      expect(off_exchange_share).toBeCloseTo(total / volumes.get(date)!, 3);
      expect(short_share).toBeCloseTo(short / total, 3);
    }
    expect(off_exchange!.weeks.map(({ kind }) => kind)).toContain("ats");
    expect(off_exchange!.prices_coverage!.source).toBeNull();
    expect(conviction).toMatchObject({ source: "none", conviction: "INSUFFICIENT" });
    const files = requestCounts(suite.stage.replay).finra!;
    await call(installation, getDarkpoolPrints, { symbol: "MSFT" });
    // The weekly volume of another symbol takes two more requests, the daily files none.
    expect(requestCounts(suite.stage.replay).finra! - files).toBe(2);
  });

  it.each([
    ["unusualwhales", ["UNUSUAL_WHALES_TOKEN"], 5],
    ["massive", ["MASSIVE_KEY"], 2],
    ["alpaca", ["ALPACA_KEY_ID", "ALPACA_SECRET_KEY"], 2],
  ])("come from %s when its key is set", async (name, keys, sessions) => {
    const installation = await open(only(...keys));
    const { prints, coverage, levels } = await call(installation, getDarkpoolPrints, {
      symbol: "AAPL",
      limit: 200,
    });
    expect(coverage).toMatchObject({ source: name, stale: false });
    expect(coverage.reason).toBe(
      `Only prints of $200000 or more in the newest ${sessions} sessions are available`,
    );
    expect(new Set(prints.map(({ reported_at }) => reported_at.slice(0, 10))).size).toBe(sessions);
    const dates = new Set(prints.map(({ reported_at }) => reported_at.slice(0, 10)));
    const truth = [...dates].flatMap((date) => suite.stage.world.prints(apple(), date));
    const withinReach = truth.filter(
      ({ price, size, reportedAt }) =>
        price * size >= 200_000 && reportedAt <= suite.stage.clock.at() - 16 * 60_000,
    );
    expect(prints.map(({ price, conditions }) => `${price} ${conditions}`).sort()).toEqual(
      withinReach.map(({ price, conditions }) => `${price} ${conditions}`).sort(),
    );
    expect(prints.every(({ notional }) => notional >= 200_000)).toBe(true);
    // A side requires the quotes at the time of the trade.
    expect(prints.some(({ side }) => side !== null)).toBe(name === "unusualwhales");
    expect(levels.length).toBeGreaterThan(0);
  });

  it("of the whole market come from a provider that offers them", async () => {
    const installation = await open(only("UNUSUAL_WHALES_TOKEN"));
    const { prints, coverage } = await call(installation, getDarkpoolPrints, { limit: 200 });
    expect(coverage).toMatchObject({ source: "unusualwhales", reason: null });
    expect(new Set(prints.map(({ symbol }) => symbol))).toEqual(
      new Set(["AAPL", "SPY", "BRK.B", "MSFT", "NVDA"]),
    );
    const { off_exchange } = await call(installation, getDarkpoolPrints, { symbol: "AAPL" });
    expect(off_exchange!.prices.length).toBeGreaterThan(5);
  });

  it("leave the rest of the response intact on failure, and name a rejected key", async () => {
    const installation = await open(only("UNUSUAL_WHALES_TOKEN"));
    suite.stage.replay.set({ off: new Set(["unusualwhales"]) });
    const outage = await call(installation, getDarkpoolPrints, { symbol: "AAPL" });
    expect(outage).toMatchObject({ prints: [], count: null, coverage: { source: null, as_of: null } });
    expect(outage.coverage.reason).toMatch(/^No provider answered for off-exchange prints of AAPL .*$/);
    expect(outage.off_exchange!.days).toHaveLength(20);
    suite.stage.replay.set({});
    const wrong = await open({ UNUSUAL_WHALES_TOKEN: "a-wrong-one", MASSIVE_KEY: "a-wrong-one" });
    const {
      coverage,
      conviction,
      off_exchange: volumes,
    } = await call(wrong, getDarkpoolPrints, {
      symbol: "AAPL",
    });
    for (const reason of [coverage.reason, conviction!.reason]) {
      expect(reason).toContain("unusualwhales rejects the key in UNUSUAL_WHALES_TOKEN");
      expect(reason).toContain("massive rejects the key in MASSIVE_KEY");
    }
    expect(volumes!.days).toHaveLength(20);
    expect(volumes!.coverage).toMatchObject({ source: "finra", reason: null });
    expect(volumes!.prices_coverage!.reason).toContain("UNUSUAL_WHALES_TOKEN");
    await expect(call(wrong, getDarkpoolPrints, {})).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
      message: expect.stringContaining("UNUSUAL_WHALES_TOKEN"),
    });
  });

  it("have no volume if its provider is unreachable", async () => {
    suite.stage.replay.set({ off: new Set(["finra"]) });
    const other = await open(only("UNUSUAL_WHALES_TOKEN"));
    const { off_exchange, prints } = await call(other, getDarkpoolPrints, { symbol: "AAPL" });
    suite.stage.replay.set({});
    expect(prints.length).toBeGreaterThan(0);
    expect(off_exchange).toMatchObject({ days: [], coverage: { source: null } });
    expect(off_exchange!.coverage.reason).toMatch(/^No provider answered for off-exchange volume/);
  });
});
