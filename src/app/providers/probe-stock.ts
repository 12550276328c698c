import type { Instrument } from "../../domain/market/market.ts";
import { datesWithin } from "../../market/prices/windows.ts";

const DAY_MS = 86_400_000;
/** Covers the longest run of days without a session, and the delay with which providers publish one. */
const WEEK_MS = 7 * DAY_MS;

/** A company with news, options, earnings and prints on any day, for provider checks. */
export const PROBE_STOCK: Instrument = {
  symbol: "AAPL",
  name: "Apple Inc.",
  asset_class: "equity",
  sector: "Information Technology",
  currency: "USD",
};

/** Returns the newest session whose figures every provider should have, `YYYY-MM-DD`. */
export const lastSession = (now: number): string =>
  datesWithin({ from: now - WEEK_MS, until: now - DAY_MS }).at(-1)!;
