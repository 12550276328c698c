import { describe, expect, it } from "vitest";
import { sampleMarket as simulated } from "../../src/providers/sample/market.ts";
import { getPredictionMarkets } from "../../tools/get-prediction-markets.ts";
import { stoppedClock, unavailable } from "../support/context.ts";
import { contract, fixedContracts } from "../support/contracts.ts";
import { smallMarket, swingingHistory } from "../support/market.ts";
import { callerOf, invalidField } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";

const { ports } = smallMarket();
const level = (id: string, level: number, over = {}) =>
  contract({ id, question: `Will AAPL be above $${level} on February 27, 2026?`, ...over });
const PLAY_MONEY = { venue: "play", real_money: false, volume_unit: "MANA" };
const rows = [
  level("a140", 140, { probability: 0.5 }),
  level("a145", 145, { probability: 0.25, volume_total: 20_000 }),
  level("p140", 140, { ...PLAY_MONEY, probability: 0.8, volume_total: 300 }),
  contract({ id: "fed", question: "Will the Fed cut its rate in March?", event: "fed", event_title: "Fed" }),
];
const ask = callerOf(getPredictionMarkets, { ...ports, contracts: fixedContracts(rows).port });

describe("get_prediction_markets", () => {
  it("returns the contracts of a symbol, their consensus and their ladder", async () => {
    const answer = await ask({ symbol: "aapl" });
    expect(answer).toMatchObject({
      symbol: "AAPL",
      topic: null,
      count: 3,
      total: 3,
      reason: null,
      left_out: 1,
      stale: false,
      source: "fixture",
      as_of: "2026-01-15T15:00:00.000Z",
      market: "sample",
    });
    expect(answer.contracts.map(({ id }) => id)).toEqual(["a140", "a145", "p140"]);
    expect(answer.contracts[1]!.price_level).toEqual({
      kind: "at",
      side: "above",
      level: 145,
      upper: null,
      by: "2026-02-27T21:00:00.000Z",
    });
    expect(answer.consensus[0]).toMatchObject({
      probability: 0.5,
      strength: "firm",
      contracts: [
        { id: "a140", weight: 1 },
        { id: "p140", left_out: "play money" },
      ],
    });
    expect(answer.ladders).toMatchObject([
      { kind: "price_ladder", median: 140, rungs: [{ level: 140 }, { level: 145 }] },
    ]);
  });

  it("compares the level with price and volatility", async () => {
    const { driver } = await ask({ symbol: "AAPL" }, { bars: swingingHistory(ports.bars) });
    expect(driver).toMatchObject({
      reason: null,
      inputs: { contract: "a140", level: 140, p: 0.5, price: 138 },
    });
    const { p, q } = driver!.inputs as { readonly p: number; readonly q: number };
    expect(q).toBeGreaterThan(0.4);
    expect(q).toBeLessThan(0.5);
    expect(driver!.value).toBeCloseTo((p - q) / 0.15, 4);
  });

  it("states why there is no driver", async () => {
    const nothing = await ask({ symbol: "AAPL" }, { contracts: fixedContracts([]).port });
    expect(nothing.driver).toEqual({
      value: null,
      inputs: {},
      reason: nothing.reason,
      in_signal: "Read as of the close of the decision bar",
    });
    const silent = unavailable("No source answers");
    expect((await ask({ symbol: "AAPL" }, { quotes: { latest: silent } })).driver).toMatchObject({
      value: null,
      reason: "No price or bars to compare the level with",
    });
    expect((await ask({ query: "Fed rate" })).driver).toBeNull();
  });

  it("resolves a company's name, and treats other words as a topic", async () => {
    expect(await ask({ query: "Apple" })).toMatchObject({ symbol: "AAPL", topic: "Apple" });
    const topic = await ask({ query: "Fed rate cut" });
    expect(topic).toMatchObject({
      symbol: null,
      topic: "Fed rate cut",
      contracts: [{ id: "fed" }],
      ladders: [],
    });
  });

  it("returns contracts on the economy by default", async () => {
    expect((await ask({})).contracts.map(({ id }) => id)).toEqual(["fed"]);
  });

  it("filters by venue and volume up to the limit, with the total", async () => {
    expect(await ask({ symbol: "AAPL", venue: "Play" })).toMatchObject({
      count: 1,
      contracts: [{ id: "p140" }],
    });
    expect(await ask({ symbol: "AAPL", min_volume: 20_000 })).toMatchObject({ count: 2, total: 2 });
    expect(await ask({ symbol: "AAPL", limit: 1 })).toMatchObject({ count: 1, total: 3 });
    expect(await ask({ symbol: "AAPL", min_volume: 1e9 })).toMatchObject({
      contracts: [],
      reason: "None of 3 contracts has a volume of 1000000000",
    });
  });

  it.each([
    [{ venue: "nowhere" }, "/venue"],
    [{ limit: 0 }, "/limit"],
    [{ limit: 101 }, "/limit"],
    [{ min_volume: -1 }, "/min_volume"],
    [{ query: "x" }, "/query"],
    [{ as_of: "2030-01-01" }, "/as_of"],
    [{ as_of: "soon" }, "/as_of"],
  ])("refuses %j", async (input, pointer) => {
    await expect(ask({ symbol: "AAPL", ...input })).rejects.toMatchObject(invalidField(pointer));
  });

  it("rejects an unknown name instead of returning no contracts", async () => {
    await expect(ask({ symbol: "ZZZZQ" })).rejects.toMatchObject({ code: "UNKNOWN_SYMBOL" });
  });

  it("returns an empty list with the reason when no venue is connected", async () => {
    expect(await ask({ symbol: "AAPL" }, { contracts: ports.contracts })).toMatchObject({
      contracts: [],
      total: null,
      left_out: null,
      coverage: [],
      as_of: null,
      source: null,
      reason: expect.stringContaining("No prediction market is connected"),
      driver: { in_signal: "Not read: no prediction market is connected" },
    });
    const named = ask({ symbol: "AAPL", venue: "kalshi" }, { contracts: ports.contracts });
    await expect(named).rejects.toMatchObject({ code: "INVALID_INPUT", message: "venue must be omitted" });
  });

  it("returns for a past moment what was known then", async () => {
    const clock = stoppedClock(new Date("2026-03-01T00:00:00Z"));
    const { contracts, bars, quotes, market } = simulated({ clock });
    const over = { contracts, bars, quotes, market, clock };
    const then = await ask({ symbol: "AAPL", as_of: "2025-10-10T12:00:00Z", limit: 100 }, over);
    expect(then.total).toBeGreaterThan(20);
    expect(then.as_of).toBe("2025-10-10T12:00:00.000Z");
    const times = then.contracts.map(({ as_of }) => as_of);
    expect(new Set(times)).toEqual(new Set(["2025-10-10T12:00:00.000Z"]));
    const { contracts: __, ...live } = simulated({ clock: stoppedClock(new Date("2025-10-10T12:00:00Z")) });
    const price = (await live.quotes.latest(ports.symbols.resolve("AAPL").instrument)).price;
    // the hour that closes at noon ends at the price of that time
    expect(then.driver!.inputs.price).toBe(price);
  });

  it("lists every contract once over the pages of a concise answer, of at most four", async () => {
    const many = Array.from({ length: 9 }, (_, i) =>
      level(`a${i}`, 130 + i, { probability: (9 - i) / 10, volume_total: 90_000 - i }),
    );
    const over = { contracts: fixedContracts(many).port };
    const seen: string[] = [];
    const sizes: number[] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const given = { symbol: "AAPL", detail: "concise", limit: 50, ...(cursor !== undefined && { cursor }) };
      const page = await ask(given, over);
      seen.push(...page.contracts.map(({ id }) => id));
      sizes.push(page.count);
      expect([page.total, page.ladders[0]!.rungs_total]).toEqual([9, 9]);
      expect(page.ladders[0]!.rungs.map(({ probability }) => probability)).toEqual([0.7, 0.6, 0.5, 0.4]);
      expect(page.contracts[0]).not.toHaveProperty("liquidity");
      cursor = page.next_cursor;
    }
    expect(sizes).toEqual([4, 4, 1]);
    expect(seen).toEqual(many.map(({ id }) => id));
    const full = await ask({ symbol: "AAPL" }, over);
    expect([full.count, full.next_cursor]).toEqual([9, null]);
    expect(full.contracts[0]).toHaveProperty("liquidity");
    await expect(ask({ symbol: "AAPL", cursor: "bm9uZQ" }, over)).rejects.toMatchObject(
      invalidField("/cursor", "must be next_cursor of the previous page"),
    );
  });

  it("strips control characters of questions on a terminal", async () => {
    const steering = level("x", 140, {
      question: "Will AAPL \u001b[31mbe above\u202e $140 on February 27, 2026?",
    });
    const answer = await ask({ symbol: "AAPL" }, { contracts: fixedContracts([steering]).port });
    const shown = getPredictionMarkets.terminal!(answer, (_, text) => text);
    expect(shown).not.toMatch(/\p{Cf}/u);
    expect(shown).not.toContain("\u001b");
    expect(shown).toContain("AAPL");
  });
});

toolContract(getPredictionMarkets, { ports });
