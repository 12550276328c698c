import { describe, expect, it } from "vitest";
import { explainSignal } from "../../tools/explain-signal.ts";
import { getPredictionMarkets } from "../../tools/get-prediction-markets.ts";
import { call, contractsSaved, liveSuite, refusalOf } from "../support/live.ts";

const suite = liveSuite("2026-11-19T16:03:20Z");
const VENUES = ["polymarket", "kalshi", "manifold"];
const SIMULATED = ["simex", "simbook", "simplay"] as const;
/** Simulated contracts of all venues that match a text. */
const truthOf = (text: string) => SIMULATED.flatMap((venue) => suite.stage.world.contracts(text, venue));

describe("live prediction markets", () => {
  it("merge the contracts of all venues and match those on the same question", async () => {
    const answer = await call(suite.installation, getPredictionMarkets, { symbol: "AAPL", limit: 50 });
    expect(answer.coverage.map(({ venue, state }) => [venue, state])).toEqual(
      VENUES.map((name) => [name, "answered"]),
    );
    expect(answer).toMatchObject({
      symbol: "AAPL",
      total: truthOf("AAPL").length,
      market: "live",
      source: VENUES.join(", "),
      stale: false,
    });
    // One market shares no word with Apple.
    expect(answer.left_out).toBe(1);
    const middle = answer.consensus.find(({ contracts }) => contracts.length === 3)!;
    expect(middle.strength).toBe("firm");
    const truth = new Map(truthOf("AAPL").map(({ id, probability }) => [id, probability]));
    for (const { id, probability } of middle.contracts) expect(probability).toBe(truth.get(id));
    expect(middle.contracts.map(({ venue, left_out }) => [venue, left_out])).toEqual([
      ["polymarket", null],
      ["kalshi", null],
      ["manifold", "play money"],
    ]);
    expect(answer.ladders.map(({ kind, rungs }) => `${kind} of ${rungs.length}`).sort()).toEqual([
      "price_ladder of 5",
      "price_ladder of 5",
      "price_ladder of 7",
      "price_ladder of 7",
      "touch_ladder of 3",
      "touch_ladder of 5",
    ]);
  });

  it("find contracts by topic", async () => {
    const query = "Fed rate cut";
    const { contracts } = await call(suite.installation, getPredictionMarkets, { query, limit: 50 });
    const truth = truthOf(query).map(({ id, probability }) => [id, probability]);
    expect(contracts.map(({ id, probability }) => [id, probability]).sort()).toEqual(truth.sort());
  });

  it("return the other venues' contracts while one is unreachable", async () => {
    suite.stage.replay.set({ off: new Set(["kalshi"]) });
    const answer = await call(suite.installation, getPredictionMarkets, { symbol: "MSFT", limit: 50 });
    expect(answer.coverage).toMatchObject([
      { venue: "polymarket", state: "answered" },
      { venue: "kalshi", state: "failed", found: null, dropped: null },
      { venue: "manifold", state: "answered" },
    ]);
    expect(answer.count).toBe(truthOf("MSFT").filter(({ venue }) => venue !== "simbook").length);
  });

  it("fail instead of returning an empty list if no venue responds", async () => {
    suite.stage.replay.set({ off: new Set(VENUES) });
    expect(await refusalOf(suite.installation, getPredictionMarkets, { symbol: "NVDA" })).toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
    });
    expect(await call(suite.installation, getPredictionMarkets, { symbol: "AAPL" })).toMatchObject({
      total: truthOf("AAPL").length,
      stale: false,
    });
    suite.stage.clock.move(120_000);
    expect(await call(suite.installation, getPredictionMarkets, { symbol: "AAPL" })).toMatchObject({
      total: truthOf("AAPL").length,
      stale: true,
    });
  });

  it("report that venues have no history for an earlier time", async () => {
    const earlier = await call(suite.installation, getPredictionMarkets, {
      symbol: "AAPL",
      as_of: "2026-11-01",
    });
    expect(earlier).toMatchObject({
      contracts: [],
      total: null,
      left_out: null,
      reason: "The venues provide only current data",
    });
    expect(earlier.coverage.map(({ state, found }) => [state, found])).toEqual(
      VENUES.map(() => ["not_requested", null]),
    );
  });

  describe("in a signal", () => {
    const driverOf = async (input: { symbol: string; timeframe: "1h" | "1d"; as_of?: string }) => {
      const { drivers, data_as_of } = await call(suite.installation, explainSignal, input);
      const { value, reason, inputs, data_as_of: known } = drivers.find(({ id }) => id === "k_mkt")!;
      return { decided: data_as_of, value, reason, inputs, known };
    };
    const saved = (symbol: string) => contractsSaved(suite, symbol, 60_000);

    it("come from the snapshot saved before the signal's close, also in later requests", async () => {
      suite.stage.replay.set({ off: new Set() });
      suite.stage.to("2026-11-19T16:40:00Z");
      const input = { symbol: "ETH-USD", timeframe: "1h" } as const;
      expect(await driverOf(input)).toMatchObject({
        decided: "2026-11-19T16:00:00.000Z",
        value: null,
        reason: "Venues provide only current data: snapshots of ETH-USD are stored from its first request on",
      });
      await saved("ETH-USD");
      suite.stage.to("2026-11-19T17:00:30Z");
      const after = await driverOf(input);
      expect(after).toMatchObject({
        decided: "2026-11-19T17:00:00.000Z",
        reason: null,
        known: "2026-11-19T16:40:00.000Z",
      });
      expect(after.value).not.toBeNull();
      await saved("ETH-USD");
      // Only later closes read snapshots saved later.
      suite.stage.to("2026-11-19T18:00:30Z");
      expect(await driverOf(input)).toMatchObject({
        decided: "2026-11-19T18:00:00.000Z",
        known: "2026-11-19T17:00:30.000Z",
      });
      const earlier = { ...input, as_of: "2026-11-19T17:00:00Z" };
      expect(await driverOf(earlier)).toEqual(after);
      expect(await driverOf({ ...input, as_of: "2026-11-19T16:30:00Z" })).toMatchObject({
        value: null,
        reason:
          "Venues provide only current data: snapshots of ETH-USD exist since 2026-11-19T16:40Z, after this close",
      });
      const { driver } = await call(suite.installation, getPredictionMarkets, {
        symbol: "ETH-USD",
        as_of: "2026-11-19T17:00:00Z",
      });
      const { known_at, ...inputs } = after.inputs!;
      expect(known_at).toBe("2026-11-19T16:40Z");
      // Explanations round values to six digits.
      expect({ ...driver, value: Number(driver!.value!.toFixed(6)) }).toMatchObject({
        value: after.value,
        inputs,
      });
      expect(driver!.in_signal).toBe(
        "A signal reads the newest snapshot stored within the day before its close, not this response; ETH-USD is stored since 2026-11-19T16:40Z",
      );
    });

    it("are at most a day old", async () => {
      suite.stage.to("2026-11-20T18:10:00Z");
      // saved at 18:00:30 on the day before, at the latest
      expect(await driverOf({ symbol: "ETH-USD", timeframe: "1h" })).toMatchObject({
        decided: "2026-11-20T18:00:00.000Z",
        reason: null,
      });
      await saved("ETH-USD");
      suite.stage.to("2026-11-21T18:10:10Z");
      expect(
        await driverOf({ symbol: "ETH-USD", timeframe: "1h", as_of: "2026-11-20T17:59:00Z" }),
      ).toMatchObject({ decided: "2026-11-20T17:00:00.000Z", reason: null });
      suite.stage.to("2026-11-21T19:00:10Z");
      expect(await driverOf({ symbol: "ETH-USD", timeframe: "1h" })).toMatchObject({
        decided: "2026-11-21T19:00:00.000Z",
        value: null,
        reason:
          "Venues provide only current data: ETH-USD was not requested in the day before this close, so no snapshot was stored",
      });
    });

    it("are also saved by a request for the markets", async () => {
      await call(suite.installation, getPredictionMarkets, { symbol: "SOL-USD" });
      await saved("SOL-USD");
    });
  });
});
