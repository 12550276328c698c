import { describe, expect, it } from "vitest";
import type { TrackRow } from "../../../src/domain/track-record/track.ts";
import { confidenceOf } from "../../../src/features/signal/evidence.ts";
import { directoryOf } from "../../support/market.ts";
import { published, trackRow } from "../../support/track.ts";

const [instrument] = directoryOf(["AAPL"]).members();
const signal = {
  direction: "LONG",
  grade: "A",
  confidence: 0.42,
  confidence_basis: "uncalibrated",
  model_version: "consensus-1.0.0",
} as const;
const uncalibrated = { confidence: 0.42, confidence_basis: "uncalibrated", evidence: null };

const ask = (
  rows: readonly TrackRow[],
  over: Partial<typeof signal> | object = {},
  timeframe: "1d" | "4h" = "1d",
) =>
  confidenceOf(
    { instrument: instrument!, timeframe, consensus: { ...signal, ...over } },
    { trackRecord: { published: async (of) => (of === "1d" ? published(rows) : null) } },
  );

describe("confidence", () => {
  it("is the record's hit rate after 20 bars, shrunk towards the base rate, with the record as evidence", async () => {
    const others = [
      trackRow({ horizon: 5, hit_rate: 0.1 }),
      trackRow({ grade: "B", hit_rate: 0.2 }),
      trackRow({ direction: "SHORT", hit_rate: 0.3 }),
      trackRow({ asset_class: "crypto", hit_rate: 0.4 }),
    ];
    // (120 x .61 + 100 x .56) / 220 = 129.2 / 220
    expect(await ask([...others, trackRow()])).toEqual({
      confidence: expect.closeTo(0.587272727272727, 12),
      confidence_basis: "track_record_20_bars",
      evidence: { n_eff: 120, hit_rate: 0.61, interval: { low: 0.52, high: 0.69 }, base_rate: 0.56 },
    });
    expect(await ask(others)).toEqual(uncalibrated);
  });

  it("requires at least 100 effective outcomes on 60 dates", async () => {
    const least = { n: 2_000, n_eff: 100, entry_dates: 60 };
    expect(await ask([trackRow(least)])).toMatchObject({ confidence_basis: "track_record_20_bars" });
    expect(await ask([trackRow({ ...least, n: 1_999, n_eff: 99.95 })])).toEqual(uncalibrated);
    expect(await ask([trackRow({ ...least, entry_dates: 59 })])).toEqual(uncalibrated);
  });

  it("is the base rate for a hit rate equal to it, whatever the number of outcomes", async () => {
    for (const n_eff of [100, 5_000])
      expect((await ask([trackRow({ n_eff, hit_rate: 0.56 })])).confidence).toBeCloseTo(0.56, 12);
  });

  it("remains uncalibrated without a base rate", async () => {
    expect(await ask([trackRow({ base_rate: null })])).toEqual(uncalibrated);
  });

  it("does not use the record for a past signal", async () => {
    const trackRecord = { published: async () => published([trackRow()]) };
    const back = { instrument: instrument!, timeframe: "1d", past: true, consensus: signal } as const;
    expect(await confidenceOf(back, { trackRecord })).toEqual(uncalibrated);
  });

  it("remains uncalibrated for WAIT, without a record, for another model and on other timeframes", async () => {
    expect(
      await ask([trackRow({ direction: "WAIT", hit_rate: null, interval: null })], { direction: "WAIT" }),
    ).toEqual(uncalibrated);
    expect(await ask([])).toEqual(uncalibrated);
    expect(await ask([trackRow()], { model_version: "consensus-2" })).toEqual(uncalibrated);
    expect(await ask([trackRow()], {}, "4h")).toEqual(uncalibrated);
  });
});
