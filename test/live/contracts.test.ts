import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getPredictionMarkets } from "../../tools/get-prediction-markets.ts";
import type { Installation } from "../support/installation.ts";
import { type LiveStage, refused, stageAt, told } from "../support/live.ts";
import { suiteDir } from "../support/temp-dir.ts";

const suite = suiteDir();
let stage: LiveStage;
let house: Installation;
beforeAll(async () => {
  stage = await stageAt("2026-11-19T16:03:20Z");
  house = await stage.open(suite.dir);
});
afterAll(async () => {
  await house.stop();
  await stage.close();
  suite.remove();
});
const VENUES = ["polymarket", "kalshi", "manifold"];

describe("prediction markets live", () => {
  it("answer from all venues together, what they say to the same question as one", async () => {
    const answer = await told(house, getPredictionMarkets, { symbol: "AAPL", limit: 50 });
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
    const { contracts } = await told(house, getPredictionMarkets, { query: "Fed rate cut" });
    expect(contracts.map(({ venue, probability }) => [venue, probability])).toEqual([
      ["polymarket", 0.24],
      ["kalshi", 0.24],
      ["manifold", 0.24],
    ]);
  });

  it("tell what is left while one venue is out of reach", async () => {
    stage.replay.set({ off: new Set(["kalshi"]) });
    const answer = await told(house, getPredictionMarkets, { symbol: "MSFT", limit: 50 });
    expect(answer.coverage).toMatchObject([
      { venue: "polymarket", state: "answered" },
      { venue: "kalshi", state: "failed", found: 0 },
      { venue: "manifold", state: "answered" },
    ]);
    expect(answer.count).toBe(6);
  });

  it("are no empty list while none of them answers", async () => {
    stage.replay.set({ off: new Set(VENUES) });
    expect(await refused(house, getPredictionMarkets, { symbol: "NVDA" })).toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
    });
    expect(await told(house, getPredictionMarkets, { symbol: "AAPL" })).toMatchObject({
      count: 11,
      stale: false,
    });
    stage.clock.move(120_000);
    expect(await told(house, getPredictionMarkets, { symbol: "AAPL" })).toMatchObject({
      count: 11,
      stale: true,
    });
  });

  it("say of an earlier moment that they tell the present alone", async () => {
    const earlier = await told(house, getPredictionMarkets, { symbol: "AAPL", as_of: "2026-11-01" });
    expect(earlier).toMatchObject({
      contracts: [],
      reason: "The venues tell the present alone, nothing of an earlier moment",
    });
  });
});
