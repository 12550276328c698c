import { describe, expect, it } from "vitest";
import type { DriverValue } from "../../../src/analytics/drivers/driver-value.ts";
import { consensus } from "../../../src/analytics/score/consensus.ts";
import { sentenceOf } from "../../../src/features/signal/sentences.ts";
import { climbingBars } from "../../support/market.ts";
import { syntheticBars } from "../../support/synthetic-bars.ts";

const universe = { returns: Array.from({ length: 25 }, (_, i) => i / 100), own: 0.1, hash: "test" };
const histories = [...[1, 2, 3, 4].map((seed) => syntheticBars(seed, 500)), climbingBars({ count: 500 })];
const readings = histories.flatMap(
  (bars) =>
    consensus({
      bars,
      assetClass: "equity",
      benchmark: syntheticBars(9, 500),
      isBenchmark: false,
      peers: [syntheticBars(7, 500), syntheticBars(8, 500)],
      universe,
    }).drivers,
);

describe("a driver's sentence", () => {
  it("uses only figures that its driver has read", () => {
    const present = readings.filter(({ value }) => value !== null);
    expect(new Set(present.map(({ id }) => id)).size).toBe(23);
    for (const driver of present) expect(sentenceOf(driver)).not.toMatch(/NaN|undefined|Infinity|null/);
  });

  it("states what was measured", () => {
    const reading = { id: "m_roc20", group: "momentum", value: 1, reason: null } as const;
    expect(sentenceOf({ ...reading, inputs: { close: 90, close_20_ago: 100 } })).toBe(
      "price fell 10.0% over 20 bars",
    );
    expect(sentenceOf({ ...reading, id: "t_ma200", inputs: { close: 110, sma200: 100 } })).toBe(
      "close is 10.0% above its 200-bar average",
    );
    const volume = (down_volume: number) =>
      sentenceOf({ ...reading, id: "v_updn", inputs: { up_volume: 300, down_volume } });
    expect(volume(200)).toBe("volume on rising bars is 1.50 times that on falling bars");
    expect(volume(0)).toBe("no volume at all on falling bars");
  });

  it.each<[DriverValue["id"], number, DriverValue["inputs"], string]>([
    [
      "d_offex",
      -0.13,
      { date: "2026-11-19", short_share: 0.4427, mean_60: 0.453, z_60: -0.258, source: "finra" },
      "44.3% of its off-exchange volume of 2026-11-19 was sold short, 0.3 standard deviations below its 60-day mean (finra)",
    ],
    [
      "d_block",
      -0.02,
      { blocks: 3, unsigned: 0, bought: 2_000_000, sold: 17_408_689, known_at: "2026-11-20T12:50Z" },
      "large off-exchange prints of the last day (3): $2.0M bought, $17.4M sold, the newest at 2026-11-20T12:50Z",
    ],
    [
      "o_pc",
      0.3,
      { put: 25, call: 75, z: -0.6, days: 60, known_at: "2026-11-21T00:00Z" },
      "puts were 25.0% of its option volume, 0.6 standard deviations below its 60-day mean, as known at 2026-11-21T00:00Z",
    ],
    [
      "o_skew",
      -1,
      { put_iv: 0.265, atm_iv: 0.257, z: 2.5, days: 60, known_at: "2026-11-21T00:00Z" },
      "out-of-the-money puts had an implied volatility of 26.5% against 25.7% at the money, a difference 2.5 standard deviations above its 60-day mean, as known at 2026-11-21T00:00Z",
    ],
    [
      "n_sent",
      -0.4,
      { stories: 7, abstained: 1, known_at: "2026-11-20T18:05Z", source: "gdelt" },
      "7 stories of the last 7 days: negative on balance, 1 more could not be judged, the newest of 2026-11-20T18:05Z (gdelt)",
    ],
    [
      "k_mkt",
      0.4,
      {
        venue: "kalshi",
        kind: "at",
        level: 280,
        p: 0.535,
        q: 0.475,
        days: 10.2,
        known_at: "2026-11-20T16:00Z",
      },
      "kalshi gave 53.5% for a price above $280 in 10 days, price and volatility imply 47.5%, at 2026-11-20T16:00Z",
    ],
  ])("states for %s what was measured, by which provider and when", (id, value, inputs, sentence) => {
    const group = "news";
    expect(sentenceOf({ id, group, value, reason: null, inputs })).toBe(sentence);
  });

  it("uses the singular for one story", () => {
    const reading = { id: "n_sent", group: "news", value: 0.2, reason: null } as const;
    expect(sentenceOf({ ...reading, inputs: { stories: 1, abstained: 0, known_at: "x" } })).toBe(
      "one story of the last 7 days: positive on balance, the newest of x",
    );
  });

  it("states that a touch level is reached at any time", () => {
    const inputs = { venue: "kalshi", kind: "touch", level: 300, p: 0.2, q: 0.1, days: 3, known_at: "x" };
    const reading = { id: "k_mkt", group: "markets", value: 1, reason: null, inputs } as const;
    expect(sentenceOf(reading)).toContain("for a price that reaches $300 within 3 days");
  });
});
