import { expect, it } from "vitest";
import type { OddsRecord } from "../../../src/domain/odds/odds-record.ts";
import type { PublishedRecord } from "../../../src/domain/track-record/track.ts";
import { withReplayedRecord } from "../../../src/features/track-record/replayed-record.ts";
import { noPages, published, trackRow } from "../../support/track.ts";

const recordOf = (signals: number): PublishedRecord => published([trackRow()], { signals });
const read = (
  stored: PublishedRecord | null,
  replayed: PublishedRecord | null,
  timeframe: "1d" | "1h" = "1d",
) =>
  withReplayedRecord(
    { published: async () => stored, odds: async () => null, ofSymbol: noPages },
    { record: () => replayed, odds: () => null },
  ).published(timeframe);

it("is the record that comes with the market until the stored one has as many signals", async () => {
  const [few, many] = [recordOf(100), recordOf(500)];
  expect(await read(null, many)).toBe(many);
  expect(await read(few, many)).toBe(many);
  expect(await read(recordOf(499), many)).toBe(many);
  const own = recordOf(500);
  expect(await read(own, many)).toBe(own);
});

it("is the stored record without one, and on other timeframes", async () => {
  const [few, many] = [recordOf(100), recordOf(500)];
  expect(await read(few, null)).toBe(few);
  expect(await read(null, null)).toBeNull();
  expect(await read(few, many, "1h")).toBe(few);
  expect(await read(null, many, "1h")).toBeNull();
});

it("has the odds that come with the market until the stored ones are as many", async () => {
  const oddsOf = (forecasts: number): OddsRecord => ({
    computed_at: "2026-01-15T00:11:00.000Z",
    forecasts,
    from: "2025-10-01T20:00:00.000Z",
    until: "2025-12-01T20:00:00.000Z",
    rows: [],
  });
  const readOdds = (stored: OddsRecord | null, replayed: OddsRecord | null) =>
    withReplayedRecord(
      { published: async () => null, odds: async () => stored, ofSymbol: noPages },
      { record: () => null, odds: () => replayed },
    ).odds();
  const [few, many] = [oddsOf(100), oddsOf(500)];
  expect(await readOdds(null, many)).toBe(many);
  expect(await readOdds(few, many)).toBe(many);
  const own = oddsOf(500);
  expect(await readOdds(own, many)).toBe(own);
  expect(await readOdds(few, null)).toBe(few);
  expect(await readOdds(null, null)).toBeNull();
});
