import { ProviderFailure, type ProviderQuote } from "../../domain/providers/price-provider.ts";
import { newYorkDay } from "../../lib/newyork.ts";
import { sessionOf } from "../../market/calendar/calendar.ts";
import type { ApiGet } from "./client.ts";
import { type Bar, type Snapshot, Snapshots } from "./wire.ts";

const DAY = 86_400_000;

/** The last trade on IEX with the day it belongs to. Rejects with ProviderFailure alone. */
export async function latestOf(ask: ApiGet, symbol: string, signal: AbortSignal): Promise<ProviderQuote> {
  const told = await ask("/v2/stocks/snapshots", Snapshots, { symbols: symbol, feed: "iex" }, signal);
  const snapshot = told[symbol];
  if (snapshot === undefined && Object.keys(told).length > 0)
    throw new ProviderFailure("malformed", "an answer about another symbol");
  if (snapshot === undefined || snapshot === null)
    throw new ProviderFailure("unknown_symbol", "it has no such symbol");
  return quoteOf(snapshot);
}

function quoteOf({ latestTrade, dailyBar, prevDailyBar }: Snapshot): ProviderQuote {
  if (!latestTrade) throw new ProviderFailure("unsupported", "IEX has seen no trade of it");
  const tradedAt = latestTrade.t;
  const day = newYorkDay(tradedAt);
  // until the day's first trade in the regular session, its newest bar is that of the session before
  const of = (date: number | null): Bar | null =>
    [dailyBar, prevDailyBar].find((bar) => bar && newYorkDay(bar.t) === date) ?? null;
  const today = of(day);
  return {
    price: latestTrade.p,
    tradedAt,
    previousClose: of(previousSession(day))?.c ?? null,
    open: today?.o ?? null,
    high: today?.h ?? null,
    low: today?.l ?? null,
    volume: today?.v ?? null,
    volumeScope: "one_venue",
    venue: "IEX",
  };
}

/** The date of the session before a date's, both as their 00:00 UTC. */
function previousSession(day: number): number | null {
  for (let before = day - DAY; before > day - 10 * DAY; before -= DAY)
    if (sessionOf(new Date(before).toISOString().slice(0, 10)) !== null) return before;
  return null;
}
