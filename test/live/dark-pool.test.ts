import { mkdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getDarkpoolPrints } from "../../tools/get-darkpool-prints.ts";
import type { Installation } from "../support/installation.ts";
import { heard, KEYS, type LiveStage, stageAt, told } from "../support/live.ts";
import { suiteDir } from "../support/temp-dir.ts";

const suite = suiteDir();
const houses: Installation[] = [];
let stage: LiveStage;
let count = 0;
const open = async (env: Record<string, string>): Promise<Installation> => {
  const dir = `${suite.dir}/${count++}`;
  mkdirSync(dir);
  const house = await stage.open(dir, env);
  houses.push(house);
  return house;
};
const only = (...names: string[]) => Object.fromEntries(names.map((name) => [name, KEYS[name]!]));
beforeAll(async () => {
  stage = await stageAt("2026-01-15T21:30:00Z"); // half an hour after the close
});
afterAll(async () => {
  for (const house of houses) await house.stop();
  await stage.close();
  suite.remove();
});

describe("dark-pool prints of real sources", { timeout: 60_000 }, () => {
  it("without a key are volume alone: shares off exchange, short sales, weeks", async () => {
    const house = await open({});
    const { prints, coverage, off_exchange, conviction } = await told(house, getDarkpoolPrints, {
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
    for (const { off_exchange_share, short_share } of off_exchange!.days) {
      expect(off_exchange_share).toBeGreaterThan(0.34);
      expect(off_exchange_share).toBeLessThan(0.51);
      expect(short_share).toBeGreaterThan(0.39);
      expect(short_share).toBeLessThan(0.56);
    }
    expect(off_exchange!.weeks.map(({ kind }) => kind)).toContain("ats");
    expect(off_exchange!.prices_coverage!.source).toBeNull();
    expect(conviction).toMatchObject({ source: "volume_proxy", conviction: "INSUFFICIENT" });
    const files = heard(stage.replay).finra!;
    await told(house, getDarkpoolPrints, { symbol: "MSFT" });
    // two more for the weeks of another symbol, and no file again
    expect(heard(stage.replay).finra! - files).toBe(2);
  });

  it.each([
    ["unusualwhales", ["UNUSUAL_WHALES_TOKEN"], 5],
    ["massive", ["MASSIVE_KEY"], 2],
    ["alpaca", ["ALPACA_KEY_ID", "ALPACA_SECRET_KEY"], 2],
  ])("come from %s where its key is set", async (name, keys, sessions) => {
    const house = await open(only(...keys));
    const { prints, coverage, levels } = await told(house, getDarkpoolPrints, { symbol: "AAPL", limit: 200 });
    expect(coverage).toMatchObject({ source: name, stale: false });
    expect(coverage.reason).toBe(
      `Only prints of $200000 or more in the newest ${sessions} sessions are told`,
    );
    expect(new Set(prints.map(({ reported_at }) => reported_at.slice(0, 10))).size).toBe(sessions);
    expect(prints.some(({ conditions }) => conditions.includes("average_price"))).toBe(true);
    expect(prints.every(({ notional }) => notional >= 200_000)).toBe(true);
    // sides are told where quotes of the moment are
    expect(prints.some(({ side }) => side !== null)).toBe(name === "unusualwhales");
    expect(levels.length).toBeGreaterThan(0);
  });

  it("of the whole market come where a source tells them", async () => {
    const house = await open(only("UNUSUAL_WHALES_TOKEN"));
    const { prints, coverage } = await told(house, getDarkpoolPrints, { limit: 200 });
    expect(coverage).toMatchObject({ source: "unusualwhales", reason: null });
    expect(new Set(prints.map(({ symbol }) => symbol))).toEqual(
      new Set(["AAPL", "SPY", "BRK.B", "MSFT", "NVDA"]),
    );
    const { off_exchange } = await told(house, getDarkpoolPrints, { symbol: "AAPL" });
    expect(off_exchange!.prices.length).toBeGreaterThan(5);
  });

  it("that cannot be had take nothing else away, and a refused key is named", async () => {
    const house = await open(only("UNUSUAL_WHALES_TOKEN"));
    stage.replay.set({ off: new Set(["unusualwhales"]) });
    const silent = await told(house, getDarkpoolPrints, { symbol: "AAPL" });
    expect(silent).toMatchObject({ prints: [], count: null, coverage: { source: null, as_of: null } });
    expect(silent.coverage.reason).toMatch(/^No source answers for off-exchange prints of AAPL .* just now$/);
    expect(silent.off_exchange!.days).toHaveLength(20);
    stage.replay.set({});
    const wrong = await open({ UNUSUAL_WHALES_TOKEN: "a-wrong-one", MASSIVE_KEY: "a-wrong-one" });
    const {
      coverage,
      conviction,
      off_exchange: volumes,
    } = await told(wrong, getDarkpoolPrints, {
      symbol: "AAPL",
    });
    for (const reason of [coverage.reason, conviction!.reason]) {
      expect(reason).toContain("unusualwhales refuses what UNUSUAL_WHALES_TOKEN holds");
      expect(reason).toContain("massive refuses what MASSIVE_KEY holds");
    }
    expect(volumes!.days).toHaveLength(20);
    expect(volumes!.coverage).toMatchObject({ source: "finra", reason: null });
    expect(volumes!.prices_coverage!.reason).toContain("UNUSUAL_WHALES_TOKEN");
    await expect(told(wrong, getDarkpoolPrints, {})).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
      message: expect.stringContaining("UNUSUAL_WHALES_TOKEN"),
    });
  });

  it("come without the volume around them where that cannot be had", async () => {
    stage.replay.set({ off: new Set(["finra"]) });
    const other = await open(only("UNUSUAL_WHALES_TOKEN"));
    const { off_exchange, prints } = await told(other, getDarkpoolPrints, { symbol: "AAPL" });
    stage.replay.set({});
    expect(prints.length).toBeGreaterThan(0);
    expect(off_exchange).toMatchObject({ days: [], coverage: { source: null } });
    expect(off_exchange!.coverage.reason).toMatch(/^No source answers for off-exchange volume/);
  });
});
