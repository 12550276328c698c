import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { getMarketTide } from "../../tools/get-market-tide.ts";
import { getOptionsFlow } from "../../tools/get-options-flow.ts";
import { call, KEYS, liveStage, refusalOf, requestCounts } from "../support/live.ts";
import { tempDir } from "../support/temp-dir.ts";

const suite = liveStage("2026-01-15T16:00:00Z"); // Thursday, 11:00 New York
const { open } = suite;
const { signal } = new AbortController();
const ALPACA = { ALPACA_KEY_ID: KEYS.ALPACA_KEY_ID!, ALPACA_SECRET_KEY: KEYS.ALPACA_SECRET_KEY! };
/** Number of options listed on a stock. */
const contractsOf = (symbol: string): number => {
  const { world } = suite.stage;
  return world.chain(world.instrument(symbol)!, world.trade(symbol)!)!.contracts.length;
};

describe("options from live providers", { timeout: 60_000 }, () => {
  it("come from a chain delayed by 15 minutes and stored daily, with the trades since the previous chain", async () => {
    suite.stage.to("2026-01-15T16:00:00Z");
    const installation = await open();
    const flow = await call(installation, getOptionsFlow, { symbol: "AAPL" });
    expect(flow).toMatchObject({
      coverage: { status: "covered", reason: null },
      provenance: { provider: "cboe", delay_minutes: 15, as_of: "2026-01-15T15:45:00.000Z", stale: false },
      contracts: contractsOf("AAPL"),
      since: null,
      sweeps: null,
      blocks: null,
      iv: { atm_30d: expect.any(Number), days: 1 },
      market: "live",
    });
    expect(flow.tape.reason).toContain("UNUSUAL_WHALES_TOKEN");
    const { flowDays } = installation.app.ports;
    const range = { until: suite.stage.clock.at(), limit: 9 };
    expect(await flowDays.days("AAPL", range)).toMatchObject([
      { day: "2026-01-15", callVolume: flow.volume.call },
    ]);
    suite.stage.to("2026-01-15T16:12:00Z");
    const later = await call(installation, getOptionsFlow, { symbol: "AAPL" });
    expect(later.since).toMatchObject({ from: "2026-01-15T15:45:00.000Z", to: "2026-01-15T15:57:00.000Z" });
  });

  it("have sides, sweeps and blocks if a tape is connected", async () => {
    const installation = await open({ UNUSUAL_WHALES_TOKEN: KEYS.UNUSUAL_WHALES_TOKEN! });
    const { sweeps, blocks, tape } = await call(installation, getOptionsFlow, { symbol: "AAPL", limit: 2 });
    expect(tape).toMatchObject({ status: "covered", source: "unusualwhales", reason: null });
    expect(sweeps!.count).toBeGreaterThan(1);
    expect(sweeps!.largest).toHaveLength(2);
    expect(sweeps!.net_call_premium).not.toBeNull();
    expect(blocks!.count).toBeGreaterThan(1);
    const { net_premium } = await call(installation, getMarketTide, {});
    expect(net_premium).toMatchObject({ provider: "unusualwhales", call: expect.any(Number) });
  });

  it.each([
    ["tradier", 0, { TRADIER_TOKEN: KEYS.TRADIER_TOKEN! }],
    ["massive", 0, { MASSIVE_KEY: KEYS.MASSIVE_KEY!, MASSIVE_PLAN: "advanced" }],
    ["cboe", 15, { MASSIVE_KEY: KEYS.MASSIVE_KEY!, MASSIVE_PLAN: "free" }],
    ["cboe", 15, ALPACA],
    ["alpaca", 15, { ...ALPACA, PROVIDERS_OFF: "cboe" }],
  ])("come from %s, %i minutes late, with %o", async (provider, delay_minutes, env) => {
    suite.stage.to("2026-01-15T16:30:00Z");
    const flow = await call(await open(env), getOptionsFlow, { symbol: "AAPL" });
    expect(flow).toMatchObject({
      coverage: { status: "covered" },
      provenance: { provider, delay_minutes, fallback_from: [] },
      contracts: contractsOf("AAPL"),
      iv: { atm_30d: expect.any(Number) },
    });
    expect(flow.volume.total).toBeGreaterThan(0);
  });

  it("come from the tape alone while every provider of chains is unreachable", async () => {
    suite.stage.to("2026-01-15T16:30:00Z");
    const installation = await open({ UNUSUAL_WHALES_TOKEN: KEYS.UNUSUAL_WHALES_TOKEN! });
    suite.stage.replay.set({ off: new Set(["cboe", "yahoo"]) });
    const flow = await call(installation, getOptionsFlow, { symbol: "NVDA" });
    suite.stage.replay.set({});
    expect(flow).toMatchObject({
      coverage: {
        status: "unavailable",
        reason: expect.stringContaining("No provider answered for options on NVDA"),
      },
      derived_from: "tape",
      volume: { total: null },
      tape: { status: "covered", source: "unusualwhales" },
    });
    expect(flow.sweeps!.count).toBeGreaterThan(0);
  });

  it("come without a tape if its key is rejected or its file is unreadable", async () => {
    suite.stage.to("2026-01-15T16:30:00Z");
    const tapeOf = async (env: Record<string, string>) => {
      const flow = await call(await open(env), getOptionsFlow, { symbol: "AAPL" });
      expect(flow).toMatchObject({
        coverage: { status: "covered" },
        provenance: { provider: "cboe", stale: false },
        contracts: contractsOf("AAPL"),
        sweeps: null,
        blocks: null,
      });
      return flow.tape;
    };
    const nothing = { status: "unavailable", source: null, from: null, until: null };
    expect(await tapeOf({ UNUSUAL_WHALES_TOKEN: "a-wrong-one" })).toMatchObject({
      ...nothing,
      reason:
        "No provider answered for option trades of AAPL: unusualwhales rejects the key in UNUSUAL_WHALES_TOKEN",
    });
    expect(await tapeOf({ OPTION_TAPE: tempDir() })).toMatchObject({
      ...nothing,
      reason:
        "No provider answered for option trades of AAPL: OPTION_TAPE cannot be read: it is a folder, a pipe or a device",
    });
    expect(await tapeOf({ OPTION_TAPE: `${tempDir()}/none.csv` })).toMatchObject(nothing);
  });

  it("have no sweeps of a session outside the tape file, and the time range of a covered session", async () => {
    suite.stage.to("2026-01-15T16:30:00Z");
    const file = `${tempDir()}/tape.csv`;
    const row = (at: string) => `${at},AAPL260220C00250000,4.10,500,1`;
    const write = (...rows: readonly string[]) =>
      writeFileSync(file, ["executed_at,contract,price,size,sweep", ...rows, ""].join("\n"));
    const ask = async () => call(await open({ OPTION_TAPE: file }), getOptionsFlow, { symbol: "AAPL" });
    write(row("2026-01-14T15:00:00Z"), "nonsense");
    expect(await ask()).toMatchObject({
      sweeps: null,
      blocks: null,
      tape: {
        status: "not_covered",
        source: null,
        from: null,
        until: null,
        reason: expect.stringMatching(
          /no trade since 2026-01-15T05:00:00.000Z: its last one is at 2026-01-14T15:00:00.000Z\. 1 rows .* skipped/,
        ),
      },
    });
    write(row("2026-01-15T15:00:00Z"), row("2026-01-15T15:40:00Z"));
    expect(await ask()).toMatchObject({
      sweeps: { count: 2 },
      tape: {
        status: "covered",
        source: "tapefile",
        from: "2026-01-15T15:00:00.000Z",
        until: "2026-01-15T15:40:00.000Z",
        reason: "Complete only since 2026-01-15T15:00:00.000Z",
      },
    });
  });

  it("are not covered for a token, and an outage is an error, not an empty result", async () => {
    const installation = await open();
    const coin = await call(installation, getOptionsFlow, { symbol: "BTC-USD" });
    expect(coin.coverage.status).toBe("not_covered");
    suite.stage.replay.set({ off: new Set(["cboe", "yahoo"]) });
    expect(await refusalOf(installation, getOptionsFlow, { symbol: "MSFT" })).toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
    });
    expect(await refusalOf(installation, getMarketTide, {})).toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
    suite.stage.replay.set({});
    const off = await open({ PROVIDERS_OFF: "cboe,yahoo" });
    expect((await call(off, getOptionsFlow, { symbol: "AAPL" })).coverage).toMatchObject({
      status: "not_connected",
      reason: expect.stringContaining("Cboe"),
    });
    expect((await call(off, getMarketTide, {})).coverage.status).toBe("not_connected");
  });

  it("are stored for requested symbols while they trade, with a year of ratios", async () => {
    suite.stage.to("2026-01-15T19:00:00Z");
    const installation = await open();
    const { options } = installation.app.live!;
    const before = requestCounts(suite.stage.replay).cboe!;
    await options.saveChains(["AAPL", "BTC-USD", "SPY"], signal);
    // Requests of earlier tests may arrive in between.
    const paths = suite.stage.replay
      .calls()
      .cboe!.slice(before)
      .map(({ path }) => path);
    const chainOf = (symbol: string) => `/api/global/delayed_quotes/options/${symbol}.json`;
    expect(new Set(paths)).toEqual(new Set(["SPY", "QQQ", "IWM", "AAPL"].map(chainOf)));
    for (const symbol of ["AAPL", "SPY", "QQQ", "IWM"])
      expect(await options.flowDays.days(symbol, { until: suite.stage.clock.at(), limit: 9 })).toHaveLength(
        1,
      );
    suite.stage.to("2026-01-15T23:30:00Z");
    await options.saveChains(["MSFT"], signal);
    expect(await options.flowDays.days("MSFT", { until: suite.stage.clock.at(), limit: 9 })).toEqual([]);
    const tide = await call(installation, getMarketTide, { days: 3 });
    expect(tide).toMatchObject({
      direction: null,
      reason: expect.stringMatching(/^Needs 60 days of ratios; 3 are known. .* 3 of 2\d\d so far/),
      provenance: { provider: "cboe", stale: false },
      days: [{ date: "2026-01-15" }, { date: "2026-01-14" }, { date: "2026-01-13" }],
    });
    expect(tide.days.every(({ total, equity }) => total! > equity!)).toBe(true);
    expect(tide.intraday).toMatchObject({ proxy: true, provider: "cboe" });
  });
});
