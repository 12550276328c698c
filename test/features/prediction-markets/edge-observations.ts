import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { type PublishedBands, percentileOf } from "../../../src/analytics/edge/bands.ts";
import { type Edge, edgeOf, type Sides } from "../../../src/analytics/edge/divergence.ts";
import type { Instrument } from "../../../src/domain/market/market.ts";
import type { Actionability } from "../../../src/domain/prediction-markets/edge.ts";
import { readBothSides } from "../../../src/features/prediction-markets/edge-sides.ts";
import { rounded } from "../../../src/lib/rounded.ts";
import { createCache } from "../../../src/market/cache.ts";
import { createDirectory } from "../../../src/market/symbols/directory.ts";
import { embeddedListings } from "../../../src/market/symbols/listings.ts";
import { LISTINGS } from "../../../src/providers/sample/listing.ts";
import { sampleMarket, sampleMarketId } from "../../../src/providers/sample/market.ts";
import { stoppedClock } from "../../support/context.ts";
import { noContractBook } from "../../support/contracts.ts";

const BANDS = join(import.meta.dirname, "../../../src/analytics/edge/bands.json");
const FILE = join(import.meta.dirname, "edge-observations.gz");
const HOUR = 3_600_000;
const FROM = Date.UTC(2022, 0, 1);
const UNTIL = Date.UTC(2026, 10, 1);
/** Distance of the observations of a symbol: over a week, so that no headline counts twice, at any hour of the week. */
const STEP_HOURS = 317;
/** Hours by which each symbol starts after the one before it. */
const OFFSET_HOURS = 29;

/** Both sides of the best question on a symbol at a time, as detect_edge compares them. */
export type EdgeObservation = Sides & { readonly symbol: string; readonly at: number };

/** Times at which a listed symbol is observed, epoch ms. */
export function observationTimes(symbol: string): readonly number[] {
  const place = LISTINGS.findIndex(({ instrument }) => instrument.symbol === symbol);
  const times: number[] = [];
  const first = FROM + ((place * OFFSET_HOURS) % STEP_HOURS) * HOUR;
  for (let at = first; at < UNTIL; at += STEP_HOURS * HOUR) times.push(at);
  return times;
}

/** Returns a function that observes the simulated market; its result is null if detect_edge has no verdict. */
export function edgeObserver(): (instrument: Instrument, at: number) => Promise<EdgeObservation | null> {
  const clock = stoppedClock(new Date(UNTIL));
  const { members, ...market } = sampleMarket({ clock });
  const symbols = createDirectory({ members, listings: embeddedListings() });
  const ports = { ...market, clock, symbols, cache: createCache(clock), contractHistory: noContractBook };
  const { signal } = new AbortController();
  return async (instrument, at) => {
    const sides = await readBothSides(instrument, { now: at, asOf: at, signal }, ports);
    if (sides.edge === null) return null;
    return {
      symbol: instrument.symbol,
      at,
      market: sides.marketProbability!,
      news: sides.newsSentiment!,
      neutral: sides.neutralProbability!,
      halfSpread: sides.halfSpread!,
      dollars: Math.round(sides.question!.dollars),
      publishers: sides.news.sentiment!.publishers,
    };
  };
}

/** Computes the published bands from the observations; they are published on the day `published`. */
export function bandsOf(observations: readonly EdgeObservation[], published: string): PublishedBands {
  const [medium_percentile, high_percentile] = [75, 95];
  const points = observations.map((sides) => edgeOf(sides).netOfSpread);
  const medium = rounded(percentileOf(points, medium_percentile), 2);
  const high = rounded(percentileOf(points, high_percentile), 2);
  const edges = observations.map((sides): Edge => edgeOf(sides, { medium, high }));
  const share = (name: Actionability) =>
    rounded((100 * edges.filter(({ actionability }) => actionability === name).length) / edges.length, 1);
  return {
    market: sampleMarketId(),
    published,
    from: new Date(FROM).toISOString(),
    until: new Date(UNTIL).toISOString(),
    symbols: new Set(observations.map(({ symbol }) => symbol)).size,
    observations: observations.length,
    medium_percentile,
    high_percentile,
    medium,
    high,
    shares: { NONE: share("NONE"), LOW: share("LOW"), MEDIUM: share("MEDIUM"), HIGH: share("HIGH") },
  };
}

export function writeBands(bands: PublishedBands): void {
  writeFileSync(BANDS, `${JSON.stringify(bands, null, 2)}\n`);
}

export function writeEdgeObservations(observations: readonly EdgeObservation[]): void {
  const rows = observations.map(({ symbol, at, market, news, neutral, halfSpread, dollars, publishers }) =>
    [symbol, (at - FROM) / HOUR, market, news, neutral, halfSpread, dollars, publishers].join(","),
  );
  writeFileSync(FILE, gzipSync(rows.join("\n"), { level: 9 }));
}

/** Returns the observations from which the published bands are computed. */
export const readEdgeObservations = (): readonly EdgeObservation[] =>
  gunzipSync(readFileSync(FILE))
    .toString()
    .split("\n")
    .map((row) => {
      const [symbol, ...values] = row.split(",");
      const [hours, market, news, neutral, halfSpread, dollars, publishers] = values.map(Number);
      return {
        symbol: symbol!,
        at: FROM + hours! * HOUR,
        market: market!,
        news: news!,
        neutral: neutral!,
        halfSpread: halfSpread!,
        dollars: dollars!,
        publishers: publishers!,
      };
    });
