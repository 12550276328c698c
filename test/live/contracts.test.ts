import { describe, expect, it, vi } from "vitest";
import { explainSignal } from "../../tools/explain-signal.ts";
import { getPredictionMarkets } from "../../tools/get-prediction-markets.ts";
import { liveSuite, refused, told } from "../support/live.ts";

const suite = liveSuite("2026-11-19T16:03:20Z");
const VENUES = ["polymarket", "kalshi", "manifold"];

describe("prediction markets live", () => {
  it("answer from all venues together, what they say to the same question as one", async () => {
    const answer = await told(suite.house, getPredictionMarkets, { symbol: "AAPL", limit: 50 });
    expect(answer.coverage.map(({ venue, state }) => [venue, state])).toEqual(
      VENUES.map((name) => [name, "answered"]),
    );
    expect(answer).toMatchObject({
      symbol: "AAPL",
      total: 11,
      market: "live",
      source: VENUES.join(", "),
      stale: false,
    });
    // Somebody else's market shares no word with Apple
    expect(answer.left_out).toBe(1);
    const middle = answer.consensus.find(({ voices }) => voices.length === 3)!;
    expect(middle).toMatchObject({ probability: 0.5, disagreement: 0, strength: "firm" });
    expect(middle.voices.map(({ venue, left_out }) => [venue, left_out])).toEqual([
      ["polymarket", null],
      ["kalshi", null],
      ["manifold", "play money"],
    ]);
    expect(answer.ladders.map(({ kind, rungs }) => [kind, rungs.length])).toEqual([
      ["price_ladder", 5],
      ["price_ladder", 5],
    ]);
  });

  it("find a topic too", async () => {
    const { contracts } = await told(suite.house, getPredictionMarkets, { query: "Fed rate cut" });
    expect(contracts.map(({ venue, probability }) => [venue, probability])).toEqual([
      ["polymarket", 0.24],
      ["kalshi", 0.24],
      ["manifold", 0.24],
    ]);
  });

  it("tell what is left while one venue is out of reach", async () => {
    suite.stage.replay.set({ off: new Set(["kalshi"]) });
    const answer = await told(suite.house, getPredictionMarkets, { symbol: "MSFT", limit: 50 });
    expect(answer.coverage).toMatchObject([
      { venue: "polymarket", state: "answered" },
      { venue: "kalshi", state: "failed", found: null, dropped: null },
      { venue: "manifold", state: "answered" },
    ]);
    expect(answer.count).toBe(6);
  });

  it("are no empty list while none of them answers", async () => {
    suite.stage.replay.set({ off: new Set(VENUES) });
    expect(await refused(suite.house, getPredictionMarkets, { symbol: "NVDA" })).toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
    });
    expect(await told(suite.house, getPredictionMarkets, { symbol: "AAPL" })).toMatchObject({
      count: 11,
      stale: false,
    });
    suite.stage.clock.move(120_000);
    expect(await told(suite.house, getPredictionMarkets, { symbol: "AAPL" })).toMatchObject({
      count: 11,
      stale: true,
    });
  });

  it("say of an earlier moment that they tell the present alone", async () => {
    const earlier = await told(suite.house, getPredictionMarkets, { symbol: "AAPL", as_of: "2026-11-01" });
    expect(earlier).toMatchObject({
      contracts: [],
      total: null,
      left_out: null,
      reason: "The venues tell the present alone, nothing of an earlier moment",
    });
    expect(earlier.coverage.map(({ state, found }) => [state, found])).toEqual(
      VENUES.map(() => ["not_asked", null]),
    );
  });

  describe("in a signal", () => {
    const driverOf = async (input: { symbol: string; timeframe: "1h" | "1d"; as_of?: string }) => {
      const { drivers, data_as_of } = await told(suite.house, explainSignal, input);
      const { value, reason, inputs, data_as_of: known } = drivers.find(({ id }) => id === "k_mkt")!;
      return { decided: data_as_of, value, reason, inputs, known };
    };
    const kept = async (symbol: string) =>
      vi.waitFor(async () => {
        const { contractBook } = suite.house.app.ports;
        const until = suite.stage.clock.at();
        expect(await contractBook.newest(symbol, { since: until - 60_000, until })).not.toBeNull();
      });

    it("are those kept before its close, whenever that close is asked about", async () => {
      suite.stage.replay.set({ off: new Set() });
      suite.stage.to("2026-11-19T16:40:00Z");
      const asked = { symbol: "ETH-USD", timeframe: "1h" } as const;
      expect(await driverOf(asked)).toMatchObject({
        decided: "2026-11-19T16:00:00.000Z",
        value: null,
        reason:
          "Venues tell the present alone: from the first question about ETH-USD on, what they tell is kept for later closes",
      });
      await kept("ETH-USD");
      suite.stage.to("2026-11-19T17:00:30Z");
      const after = await driverOf(asked);
      expect(after).toMatchObject({
        decided: "2026-11-19T17:00:00.000Z",
        reason: null,
        known: "2026-11-19T16:40:00.000Z",
      });
      expect(after.value).not.toBeNull();
      await kept("ETH-USD");
      // what is kept later is read by later closes alone
      suite.stage.to("2026-11-19T18:00:30Z");
      expect(await driverOf(asked)).toMatchObject({
        decided: "2026-11-19T18:00:00.000Z",
        known: "2026-11-19T17:00:30.000Z",
      });
      const looked = { ...asked, as_of: "2026-11-19T17:00:00Z" };
      expect(await driverOf(looked)).toEqual(after);
      expect(await driverOf({ ...asked, as_of: "2026-11-19T16:30:00Z" })).toMatchObject({
        value: null,
        reason:
          "Venues tell the present alone: what they tell of ETH-USD is kept since 2026-11-19T16:40Z, after this close",
      });
      const { driver } = await told(suite.house, getPredictionMarkets, {
        symbol: "ETH-USD",
        as_of: "2026-11-19T17:00:00Z",
      });
      const { known_at, ...inputs } = after.inputs!;
      expect(known_at).toBe("2026-11-19T16:40Z");
      // an explanation tells values to six digits
      expect({ ...driver, value: Number(driver!.value!.toFixed(6)) }).toMatchObject({
        value: after.value,
        inputs,
      });
      expect(driver!.in_signal).toBe(
        "A signal reads what was kept last within the day before its close, not this answer; of ETH-USD it is kept since 2026-11-19T16:40Z",
      );
    });

    it("are not older than a day", async () => {
      suite.stage.to("2026-11-20T18:10:00Z");
      // kept at 18:00:30 the day before, at the latest
      expect(await driverOf({ symbol: "ETH-USD", timeframe: "1h" })).toMatchObject({
        decided: "2026-11-20T18:00:00.000Z",
        reason: null,
      });
      await kept("ETH-USD");
      suite.stage.to("2026-11-21T18:10:10Z");
      expect(
        await driverOf({ symbol: "ETH-USD", timeframe: "1h", as_of: "2026-11-20T17:59:00Z" }),
      ).toMatchObject({ decided: "2026-11-20T17:00:00.000Z", reason: null });
      suite.stage.to("2026-11-21T19:00:10Z");
      expect(await driverOf({ symbol: "ETH-USD", timeframe: "1h" })).toMatchObject({
        decided: "2026-11-21T19:00:00.000Z",
        value: null,
        reason:
          "Venues tell the present alone: nothing of ETH-USD was kept in the day before this close, at which nobody asked about it",
      });
    });

    it("are kept by a question about the markets too", async () => {
      await told(suite.house, getPredictionMarkets, { symbol: "SOL-USD" });
      await kept("SOL-USD");
    });
  });
});
