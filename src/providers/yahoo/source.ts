import type { Timeframe } from "../../domain/bars.ts";
import type { AssetClass, Instrument } from "../../domain/market.ts";
import { newYorkDay } from "../../lib/newyork.ts";
import {
  type Source,
  type SourceBar,
  SourceFailure,
  type SourceQuote,
  type SourceRequest,
} from "../../market/live/source.ts";
import type { SourceSetup } from "../wire.ts";
import { type Ask, createClient } from "./client.ts";
import { type ChartResult, type Slot, slotsOf } from "./wire.ts";

const DAY = 86_400_000;

/** What its bars are called; it has none of four hours. */
const INTERVAL: Readonly<Partial<Record<Timeframe, string>>> = {
  "1d": "1d",
  "1h": "1h",
  "30m": "30m",
  "15m": "15m",
  "5m": "5m",
};

/**
 * Yahoo's chart as a source of US stocks, funds and of tokens in dollars. One call a question. Prices are adjusted for
 * splits and not for dividends. Before and after the regular session the price is the close of the newest minute in
 * which something traded, dated by that minute's start. What it calls the volume of a token is its turnover in dollars:
 * divided by the bar's typical price, or by the price of the quote, it is given in units of the token.
 * Undocumented; behaviour as recorded from 2020 to 2026.
 */
export function yahoo(setup: SourceSetup): Source {
  const ask = createClient(setup);
  return {
    name: "yahoo",
    serves: new Set(["equity", "etf", "crypto"]),
    budget: { calls: 60, perMs: 60_000, atOnce: 6 },
    delayMinutes: 0,
    liveWithinMs: 120_000,
    reaches: { "1d": Number.POSITIVE_INFINITY, "1h": 729, "30m": 59, "15m": 59, "5m": 59 },
    async latest(instrument, { signal }) {
      const query = { interval: "1m", range: "1d", includePrePost: "true" };
      return quoteOf(await ask(instrument, query, signal), instrument.asset_class);
    },
    async history(instrument, request) {
      const bars = await barsOf(ask, instrument, request);
      const crypto = instrument.asset_class === "crypto";
      return {
        bars,
        adjustment: crypto ? "raw" : "split",
        hours: "regular",
        volumeScope: "all_venues",
        venue: crypto ? "YAHOO" : "US",
      };
    },
  };
}

function quoteOf(chart: ChartResult, assetClass: AssetClass): SourceQuote {
  const { meta } = chart;
  const regular = meta.currentTradingPeriod.regular;
  const shared = { volumeScope: "all_venues", venue: assetClass === "crypto" ? "YAHOO" : "US" } as const;
  const last = { price: meta.regularMarketPrice, tradedAt: meta.regularMarketTime * 1_000 };
  const slots = slotsIn(chart);
  const yesterday = meta.previousClose ?? meta.chartPreviousClose ?? null;
  if (assetClass === "crypto") {
    const turnover = meta.regularMarketVolume ?? null;
    return {
      ...shared,
      ...last,
      previousClose: yesterday,
      open: slots.find(({ open }) => open !== null)?.open ?? null,
      high: meta.regularMarketDayHigh ?? null,
      low: meta.regularMarketDayLow ?? null,
      volume: turnover === null ? null : turnover / last.price,
    };
  }
  const [start, end] = [regular.start * 1_000, regular.end * 1_000];
  const begun = last.tradedAt >= start;
  const extended = slots.findLast(({ at, close }) => close !== null && (at < start || at >= end));
  // the 16:00 row of a session that has just ended is its close told again
  const later = extended !== undefined && extended.at > last.tradedAt ? extended : null;
  const price = later === null ? last : { price: later.close!, tradedAt: later.at };
  // before the open the newest regular price is the close of the session before
  const early = later !== null && !begun;
  return {
    ...shared,
    ...price,
    previousClose: early ? last.price : yesterday,
    open: early
      ? null
      : (slots.find(({ at, open }) => at >= start && at < end && open !== null)?.open ?? null),
    high: early ? null : (meta.regularMarketDayHigh ?? null),
    low: early ? null : (meta.regularMarketDayLow ?? null),
    volume: early ? null : (meta.regularMarketVolume ?? null),
  };
}

async function barsOf(
  ask: Ask,
  instrument: Instrument,
  { timeframe, from, until, signal }: SourceRequest,
): Promise<SourceBar[]> {
  const interval = INTERVAL[timeframe];
  if (interval === undefined) throw new SourceFailure("unsupported", "it has no bars of this length");
  const query = {
    interval,
    period1: Math.floor(from / 1_000),
    // the end is left out of what it gives, and a day is stamped within it
    period2: Math.floor((timeframe === "1d" ? until + DAY : until) / 1_000) + 1,
    includePrePost: "false",
    events: "split",
  };
  const crypto = instrument.asset_class === "crypto";
  const daily = timeframe === "1d";
  return slotsIn(await ask(instrument, query, signal))
    .map((slot) => ({
      ...slot,
      time: daily ? dayOf(slot.at, crypto) : slot.at,
      volume: crypto ? tokensOf(slot) : slot.volume,
    }))
    .filter(({ time }) => time <= until);
}

/** A session's date: a day is stamped at its open, the one being made at its newest trade. */
const dayOf = (at: number, crypto: boolean): number => (crypto ? Math.floor(at / DAY) * DAY : newYorkDay(at));

function tokensOf({ high, low, close, volume }: Slot): number | null {
  if (high === null || low === null || close === null || volume === null) return null;
  return volume / ((high + low + close) / 3);
}

function slotsIn(chart: ChartResult): readonly Slot[] {
  const slots = slotsOf(chart);
  if (slots === null) throw new SourceFailure("malformed", "columns of different lengths");
  return slots;
}
