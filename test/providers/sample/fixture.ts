import { expect } from "vitest";
import type { Instrument } from "../../../src/domain/market/market.ts";
import { LISTINGS } from "../../../src/providers/sample/listing.ts";
import { sampleMarket, sampleMarketId } from "../../../src/providers/sample/market.ts";
import { recordingsOf } from "../../../src/providers/sample/recordings.ts";

export const DAY = 86_400_000;
export const HOUR = 3_600_000;

/** The sample market at a time, as epoch milliseconds or ISO 8601. */
export const marketAt = (now: number | string, seed?: string) =>
  sampleMarket({ clock: { now: () => new Date(now) }, ...(seed !== undefined && { seed }) });

/** Fresh recordings of the sample market. */
export const freshRecordings = () => recordingsOf(sampleMarketId());

/** The listed instrument of a symbol. */
export const listed = (symbol: string): Instrument =>
  LISTINGS.find(({ instrument }) => instrument.symbol === symbol)!.instrument;

export const UNLISTED: Instrument = { ...listed("AAPL"), symbol: "ZZZZ" };

export const STOCKS: readonly Instrument[] = LISTINGS.map(({ instrument }) => instrument).filter(
  ({ asset_class }) => asset_class === "equity",
);

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Expects a number between two bounds, exclusive. */
export function between(value: number, low: number, high: number): void {
  expect(value).toBeGreaterThan(low);
  expect(value).toBeLessThan(high);
}

/** Pearson correlation of pairs. */
export function correlation(pairs: readonly (readonly [number, number])[]): number {
  const [x, y] = [mean(pairs.map(([a]) => a)), mean(pairs.map(([, b]) => b))];
  const covariance = mean(pairs.map(([a, b]) => (a - x) * (b - y)));
  const variances = mean(pairs.map(([a]) => (a - x) ** 2)) * mean(pairs.map(([, b]) => (b - y) ** 2));
  return covariance / Math.sqrt(variances);
}
