import { describe, expect, it } from "vitest";
import { sliceBars } from "../../src/domain/market/bars.ts";
import { ToolError } from "../../src/kernel/errors.ts";
import { type Call, invoke } from "../../src/kernel/invoke.ts";
import { getSignal } from "../../tools/get-signal.ts";
import { NOW, pro } from "../support/context.ts";
import { climbingBars, type FakeMarket, quote, smallMarket } from "../support/market.ts";
import { toolContract } from "../support/tool-contract.ts";

const { ports } = smallMarket();
const ask = (input: unknown, over: Partial<Call> = {}) =>
  invoke(getSignal, input, { ports, principal: pro, transport: "test", ...over });
const askIn = (market: Partial<FakeMarket>, input: unknown) =>
  ask(input, { ports: smallMarket(market).ports });

describe("get_signal", () => {
  it("has every field of the documented signal in any detail", async () => {
    for (const detail of ["concise", "full"]) {
      const answer = await ask({ symbol: "AAPL", detail });
      expect(Object.keys(answer)).toEqual([
        "success",
        "request_id",
        "server_time",
        "data_as_of",
        "data",
        "label",
      ]);
      const data = ["signal", "price", "price_source", "asset_class", "venue", "engine_available"];
      expect(Object.keys(answer.data)).toEqual(expect.arrayContaining(data));
      const signal = [
        ...["symbol", "timeframe", "direction", "score", "grade", "confidence", "entry_zone", "stop_loss"],
        ...["targets", "reward_to_risk", "component_scores", "ics", "ics_score", "model_version"],
      ];
      expect(Object.keys(answer.data.signal)).toEqual(expect.arrayContaining(signal));
      const components = ["trend", "momentum", "volume", "relative_strength", "volatility"];
      expect(Object.keys(answer.data.signal.component_scores)).toEqual(components);
    }
  });

  it("returns the drivers in full detail only", async () => {
    expect((await ask({ symbol: "AAPL", detail: "full" })).data.drivers).toHaveLength(29);
    expect((await ask({ symbol: "AAPL", detail: "concise" })).data).not.toHaveProperty("drivers");
    expect((await ask({ symbol: "AAPL" }, { detail: "full" })).data.drivers).toHaveLength(29);
    expect((await ask({ symbol: "AAPL", detail: "concise" }, { detail: "full" })).data).not.toHaveProperty(
      "drivers",
    );
  });

  it("returns the targets in multiples of the risk in full detail, the first as the reward to risk", async () => {
    const full = (await ask({ symbol: "AAPL", detail: "full" })).data;
    // from the zone's high, 137.63, to the stop, 135.87: 4, 5.75 and 7.5 over 1.76
    expect(full.target_r).toEqual({
      edge: "high",
      entry: 137.63,
      risk: 1.76,
      targets: [
        { price: 141.63, r: 2.27 },
        { price: 143.38, r: 3.26 },
        { price: 145.13, r: 4.26 },
      ],
    });
    expect((await ask({ symbol: "AAPL", detail: "concise" })).data).not.toHaveProperty("target_r");
    const short = (await ask({ symbol: "MSFT", detail: "full" })).data;
    expect(short.target_r).toMatchObject({ edge: "low", entry: short.signal.entry_zone.low });
    expect(short.target_r!.targets[0]).toEqual({
      price: short.signal.targets[0],
      r: short.signal.reward_to_risk,
    });
  });

  it("is LONG on a steady rise, with levels from its range", async () => {
    // by hand: close 137.375, average true range 1, low of 5 bars 136.375; the stop would lie 1.25 below the close
    // but is at least 1.5; no high above it, so the target is 4 beyond the zone; all at cents, the stop below: 4 / 1.76
    const { data } = await ask({ symbol: "AAPL" });
    expect(data.signal).toMatchObject({
      symbol: "AAPL",
      timeframe: "1d",
      direction: "LONG",
      grade: "A+",
      tier: "HOT",
      reason: null,
      entry_zone: { low: 137.13, high: 137.63 },
      stop_loss: 135.87,
      targets: [141.63, 143.38, 145.13],
      target_basis: "reach",
      levels_basis: "signal",
      // the close rises by the same amount every day, so less its mean no path moves far enough
      confidence: 0,
      confidence_basis: "odds",
      confidence_base: 0,
      confidence_interval: { low: 0, high: 0.05 },
      agreement: 0.5,
      odds: { bars: 20, from: 137.375, stop_first: 0, target_first: 0, neither: 1 },
      ics: { conviction: "INSUFFICIENT", source: "none" },
      coverage: 0.8,
      model_version: "consensus-1.2.0",
    });
    expect(data.signal.reward_to_risk).toBe(2.27); // 4 / 1.76
    expect(data.signal.break_even_win_rate).toBe(0.3058); // 1 / 3.27
    // on-balance volume 1, money flow 0, up against down volume 1
    expect(data.signal.ics.volume_proxy).toBe(83.33);
    expect([data.signal.ics_score, data.signal.ics.currentScore]).toEqual([null, null]);
  });

  it("is SHORT on a steady fall, with the same levels mirrored", async () => {
    const { data } = await ask({ symbol: "MSFT" });
    expect(data.signal).toMatchObject({
      direction: "SHORT",
      grade: "F",
      tier: "HOT",
      entry_zone: { low: 162.38, high: 162.88 },
      stop_loss: 164.13,
      targets: [158.38, 156.63, 154.88],
    });
  });

  it("scores by the weights of the available groups", async () => {
    const { signal } = (await ask({ symbol: "AAPL" })).data;
    const { trend, momentum, volume, relative_strength, volatility } = signal.component_scores;
    const weighed =
      0.25 * trend! + 0.2 * momentum! + 0.15 * volume! + 0.15 * relative_strength! + 0.05 * volatility!;
    expect(Math.abs(signal.score! - weighed / 0.8), "rounding of 0.005 on both sides").toBeLessThan(0.01);
    const alone = (await ask({ symbol: "BTC-USD" })).data.signal;
    expect(alone.component_scores.relative_strength, "the benchmark has none against itself").toBeNull();
    expect(alone.coverage).toBe(0.65);
  });

  it("returns what was read, until when, and from which provider", async () => {
    const answer = await ask({ symbol: "AAPL" }, { requestId: "6f1f6a3e-8f43-4c5a-9a53-0f9a1e7c2b10" });
    expect(answer).toMatchObject({
      success: true,
      request_id: "6f1f6a3e-8f43-4c5a-9a53-0f9a1e7c2b10",
      server_time: "2026-01-15T15:00:00.000Z",
      data_as_of: "2026-01-15T14:50:00.000Z",
      data: {
        source: "fixture",
        market: "sample",
        bars: { count: 300, as_of: "2026-01-14T21:00:00.000Z", adjustment: "split" },
        inputs_hash: expect.stringMatching(/^[0-9a-f]{32}$/),
        alternatives: [],
      },
    });
  });
});

describe("rule 1: the price is live or labelled", () => {
  it("is the live quote, not the close of the decision bar", async () => {
    expect((await ask({ symbol: "AAPL" })).data).toMatchObject({
      price: 138,
      price_source: "live_quote",
      price_reason: null,
      market_state: "regular",
    });
  });

  it("omits a delayed price with the reason, and returns the close of a file", async () => {
    const late = { price_source: "delayed_quote", timestamp: "2026-01-15T14:45:00.000Z" } as const;
    expect(await askIn({ quotes: { AAPL: quote(late) } }, { symbol: "AAPL" })).toMatchObject({
      data_as_of: "2026-01-14T21:00:00.000Z",
      data: {
        price: null,
        price_source: "delayed_quote",
        price_reason: expect.stringContaining("182.5 USD at 2026-01-15T14:45:00.000Z"),
        provenance: { price: { as_of: "2026-01-15T14:45:00.000Z", delay_minutes: 0 } },
      },
    });
    const file = quote({ price_source: "file_close", timestamp: "2026-01-14T21:00:00.000Z" });
    expect(await askIn({ quotes: { AAPL: file } }, { symbol: "AAPL" })).toMatchObject({
      data_as_of: "2026-01-14T21:00:00.000Z",
      data: { price: 182.5, price_source: "file_close", notes: [] },
    });
    const newer = { ...file, timestamp: "2026-01-15T14:00:00.000Z" };
    expect((await askIn({ quotes: { AAPL: newer } }, { symbol: "AAPL" })).data.notes).toEqual([
      "The 1d bars end at 2026-01-14T21:00:00.000Z; the price is the close of a file of another timeframe that ends at 2026-01-15T14:00:00.000Z.",
    ]);
  });

  it("is null with the reason without a quote, and the signal remains", async () => {
    expect(await ask({ symbol: "MSFT" })).toMatchObject({
      data_as_of: "2026-01-14T21:00:00.000Z",
      data: {
        price: null,
        price_source: null,
        price_reason: "No price of MSFT",
        market_state: null,
        signal: { direction: "SHORT" },
      },
    });
  });

  it.each([
    ["UPSTREAM_UNAVAILABLE", null],
    ["RATE_LIMITED", "RATE_LIMITED"],
    ["INTERNAL", "INTERNAL"],
  ] as const)("turns the error %s of the quote into %s", async (code, ends) => {
    const latest = () => Promise.reject(new ToolError(code, "No quotes today"));
    const requests = ask({ symbol: "AAPL" }, { ports: { ...ports, quotes: { latest } } });
    if (ends === null)
      expect((await requests).data).toMatchObject({ price: null, price_reason: "No quotes today" });
    else await expect(requests).rejects.toMatchObject({ code });
  });
});

describe("rule 2: a nightly result may be 1440 minutes old", () => {
  const result = (ageMs: number) => ({
    AAPL: {
      run_id: "run-1",
      runAt: new Date(NOW.getTime() - ageMs).toISOString(),
      score: 71,
      grade: "A-",
      direction: "LONG",
    } as const,
  });
  const DAY_MS = 1440 * 60_000;

  it.each([0, 60_000, DAY_MS])("is shown %i ms after its run", async (age) => {
    const { data } = await askIn({ engine: result(age) }, { symbol: "AAPL" });
    expect(data).toMatchObject({ engine_available: true, engine: result(age).AAPL });
  });

  it.each([DAY_MS + 1, 10 * DAY_MS, -1])("is omitted %i ms after its run", async (age) => {
    const { data } = await askIn({ engine: result(age) }, { symbol: "AAPL" });
    expect(data.engine_available).toBe(false);
    expect(data).not.toHaveProperty("engine");
  });

  it("is omitted when there is none, and for a past moment", async () => {
    expect((await ask({ symbol: "AAPL" })).data.engine_available).toBe(false);
    const back = await askIn({ engine: result(0) }, { symbol: "AAPL", as_of: "2026-01-14" });
    expect(back.data.engine_available).toBe(false);
    expect(back.data).not.toHaveProperty("engine");
  });
});

describe("rules 4 and 5: the instrument of the signal", () => {
  it("resolves a shared name to the stock, and lists the token", async () => {
    expect((await ask({ symbol: "link" })).data).toMatchObject({
      signal: { symbol: "LINK" },
      asset_class: "equity",
      venue: "XTST",
      alternatives: [{ symbol: "LINK-USD", name: "Chainlink", asset_class: "crypto" }],
    });
  });

  it.each(["LINK-USD", "LINK/USD", "linkusdt"])("resolves %s to the token", async (symbol) => {
    expect((await ask({ symbol })).data).toMatchObject({
      signal: { symbol: "LINK-USD" },
      asset_class: "crypto",
      venue: "XTST",
      alternatives: [],
    });
  });

  it("rejects an unknown name with a null price", async () => {
    await expect(ask({ symbol: "APPL" })).rejects.toMatchObject({
      code: "UNKNOWN_SYMBOL",
      data: {
        symbol: "APPL",
        price: null,
        data: { price: null },
        candidates: expect.arrayContaining([{ symbol: "AAPL", name: "Apple", asset_class: "equity" }]),
      },
    });
  });
});

describe("a past signal", () => {
  const as_of = "2025-12-31";

  it("has the close known then, and requests nothing later", async () => {
    const { ports: market, requests } = smallMarket();
    const latest = () => Promise.reject(new Error("today's price was requested"));
    const answer = await ask({ symbol: "AAPL", as_of }, { ports: { ...market, quotes: { latest } } });
    expect(answer).toMatchObject({
      server_time: "2026-01-15T15:00:00.000Z",
      data_as_of: "2025-12-31T21:00:00.000Z",
      data: {
        // ten weekdays before the last bar
        price: 137.375 - 10 / 8,
        price_source: "historical_close",
        bars: { count: 290, as_of: "2025-12-31T21:00:00.000Z" },
      },
    });
    expect(requests.length).toBeGreaterThan(5);
    expect(requests.filter(({ asOf }) => asOf === undefined || asOf > Date.parse("2026-01-01"))).toEqual([]);
  });

  it("does not change with later data", async () => {
    const then = { symbol: "AAPL", as_of, detail: "full" };
    const cut = (bars: ReturnType<typeof climbingBars>) => sliceBars(bars, 0, bars.time.length - 10);
    const later = climbingBars({ step: 0.4 });
    const bars = {
      AAPL: climbingBars(),
      MSFT: climbingBars({ step: -0.125, first: 200 }),
      SPY: climbingBars({ step: 0.0625 }),
    };
    const truncated = { AAPL: cut(bars.AAPL), MSFT: cut(bars.MSFT), SPY: cut(bars.SPY) };
    const known = (await askIn({ bars: truncated }, then)).data;
    expect((await askIn({ bars }, then)).data).toEqual(known);
    expect((await askIn({ bars: { ...truncated, NVDA: later } }, then)).data).not.toEqual(known);
  });

  it("rejects a future moment", async () => {
    await expect(ask({ symbol: "AAPL", as_of: "2026-01-16" })).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
  });
});

describe("short histories", () => {
  const withBars = (count: number) => askIn({ bars: { AAPL: climbingBars({ count }) } }, { symbol: "AAPL" });

  it.each([0, 1, 14])("give no levels with %i bars", async (count) => {
    await expect(withBars(count)).rejects.toMatchObject({
      code: "NOT_ENOUGH_DATA",
      data: { symbol: "AAPL", available: count, required: 15 },
    });
  });

  it.each([
    [15, { confidence: 0.3049, confidence_basis: "uncalibrated" }], // 1 / 3.28: there are no odds
    [251, { confidence: 0, confidence_basis: "odds" }],
  ])("give levels but no score with %i bars", async (count, confidence) => {
    expect((await withBars(count)).data.signal).toMatchObject({
      direction: "WAIT",
      score: null,
      grade: null,
      tier: "NEUTRAL",
      ...confidence,
      reason: `A score needs 252 bars, there are ${count}`,
      levels_basis: "watch",
      stop_loss: 100 + (count - 1) / 8 - 1.5,
    });
  });

  it("give a score from 252 bars on", async () => {
    expect((await withBars(252)).data.signal).toMatchObject({ direction: "LONG", score: expect.any(Number) });
  });

  it("give no levels when the price never moves", async () => {
    const flat = climbingBars({ step: 0 });
    const still = { ...flat, high: flat.close, low: flat.close };
    await expect(askIn({ bars: { AAPL: still } }, { symbol: "AAPL" })).rejects.toMatchObject({
      code: "NOT_ENOUGH_DATA",
      message: "No levels for AAPL: The average true range is 0",
    });
  });
});

toolContract(getSignal, { ports });
