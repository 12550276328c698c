import type { MarketState } from "../../domain/market/market.ts";
import { newYorkDay } from "../../lib/newyork.ts";
import { marketStateAt, type Session, sessionOn } from "./calendar.ts";

const MINUTE = 60_000;
/** Indices that are computed from the prices of options, which trade 15 minutes longer than stocks. */
const OF_OPTIONS: ReadonlySet<string> = new Set(["^VIX", "^VXN"]);

/** Returns true for an index that is computed from the prices of options. */
export const isOptionIndex = (symbol: string): boolean => OF_OPTIONS.has(symbol);

/** Returns how long after the close of stocks an index has its own close, ms. */
export const indexLatenessMs = (symbol: string): number => (isOptionIndex(symbol) ? 15 * MINUTE : 0);

/** Returns the session of an index on a date (its 00:00 UTC, epoch ms); null if there is none. */
export function indexSessionOn(symbol: string, day: number): Session | null {
  const session = sessionOn(day);
  return session === null ? null : { ...session, close: session.close + indexLatenessMs(symbol) };
}

/**
 * Returns the state of an index at a time: regular from 09:30 until its close (New York time). Before, those of options
 * are computed from the prices of the night and count as pre-market from 04:00.
 */
export function indexStateAt(symbol: string, epochMs: number): MarketState {
  const session = indexSessionOn(symbol, newYorkDay(epochMs));
  if (session !== null && epochMs >= session.open && epochMs < session.close) return "regular";
  return isOptionIndex(symbol) && marketStateAt(epochMs, "etf") === "pre" ? "pre" : "closed";
}
