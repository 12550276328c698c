import { describe, expect, it } from "vitest";
import type { TrackRow } from "../../../src/domain/track-record/track.ts";
import { evidenceOf } from "../../../src/features/signal/evidence.ts";
import { directoryOf } from "../../support/market.ts";
import { published, trackRow } from "../../support/track.ts";

const [instrument] = directoryOf(["AAPL"]).members();
const signal = { direction: "LONG", grade: "A" } as const;
const known = { n_eff: 120, hit_rate: 0.61, interval: { low: 0.52, high: 0.69 }, base_rate: 0.56 };

const evidence = (
  rows: readonly TrackRow[],
  over: Partial<typeof signal> | object = {},
  timeframe: "1d" | "4h" = "1d",
) =>
  evidenceOf(
    { instrument: instrument!, timeframe, consensus: { ...signal, ...over } },
    { trackRecord: { published: async (of) => (of === "1d" ? published(rows) : null) } },
  );

describe("evidence", () => {
  it("is the record of the same grade, direction and asset class after 20 bars", async () => {
    const others = [
      trackRow({ horizon: 5, hit_rate: 0.1 }),
      trackRow({ grade: "B", hit_rate: 0.2 }),
      trackRow({ direction: "SHORT", hit_rate: 0.3 }),
      trackRow({ asset_class: "crypto", hit_rate: 0.4 }),
    ];
    expect(await evidence([...others, trackRow()])).toEqual(known);
    expect(await evidence(others)).toBeNull();
  });

  it("requires at least 100 effective outcomes on 60 dates", async () => {
    const least = { n: 2_000, n_eff: 100, entry_dates: 60 };
    expect(await evidence([trackRow(least)])).toMatchObject({ n_eff: 100 });
    expect(await evidence([trackRow({ ...least, n: 1_999, n_eff: 99.95 })])).toBeNull();
    expect(await evidence([trackRow({ ...least, entry_dates: 59 })])).toBeNull();
  });

  it("is missing without a base rate", async () => {
    expect(await evidence([trackRow({ base_rate: null })])).toBeNull();
  });

  it("is missing for a past signal, because today's record was not known then", async () => {
    const trackRecord = { published: async () => published([trackRow()]) };
    const past = { instrument: instrument!, timeframe: "1d", past: true, consensus: signal } as const;
    expect(await evidenceOf(past, { trackRecord })).toBeNull();
  });

  it("is missing for WAIT, without a record, for another model and on other timeframes", async () => {
    const waiting = trackRow({ direction: "WAIT", hit_rate: null, interval: null });
    expect(await evidence([waiting], { direction: "WAIT" })).toBeNull();
    expect(await evidence([])).toBeNull();
    const other = { published: async () => ({ ...published([trackRow()]), model_version: "consensus-2" }) };
    const asked = { instrument: instrument!, timeframe: "1d", consensus: signal } as const;
    expect(await evidenceOf(asked, { trackRecord: other })).toBeNull();
    expect(await evidence([trackRow()], {}, "4h")).toBeNull();
  });
});
