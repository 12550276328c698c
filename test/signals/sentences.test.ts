import { describe, expect, it } from "vitest";
import { consensus } from "../../src/analytics/score/consensus.ts";
import { sentenceOf } from "../../src/signals/sentences.ts";
import { climbingBars } from "../support/market.ts";
import { syntheticBars } from "../support/synthetic-bars.ts";

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
  it("names only figures that its driver has read", () => {
    const present = readings.filter(({ value }) => value !== null);
    expect(new Set(present.map(({ id }) => id)).size).toBe(23);
    for (const driver of present) expect(sentenceOf(driver)).not.toMatch(/NaN|undefined|Infinity|null/);
  });

  it("says what was measured", () => {
    const reading = { id: "m_roc20", group: "momentum", value: 1, reason: null } as const;
    expect(sentenceOf({ ...reading, inputs: { close: 90, close_20_ago: 100 } })).toBe(
      "price fell 10.0% over 20 bars",
    );
    expect(sentenceOf({ ...reading, id: "t_ma200", inputs: { close: 110, sma200: 100 } })).toBe(
      "close is 10.0% above its 200-bar average",
    );
    const volume = (down_volume: number) =>
      sentenceOf({ ...reading, id: "v_updn", inputs: { up_volume: 300, down_volume } });
    expect(volume(200)).toBe("volume on rising bars is 1.50 times that on falling ones");
    expect(volume(0)).toBe("no volume at all on falling bars");
  });
});
