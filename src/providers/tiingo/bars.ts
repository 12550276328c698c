import {
  type ProviderBar,
  type ProviderBars,
  type ProviderBarsRequest,
  ProviderFailure,
} from "../../domain/providers/price-provider.ts";
import { newYorkDay } from "../../lib/newyork.ts";
import { looksSplit } from "../../market/prices/split-check.ts";
import type { ApiGet } from "./client.ts";
import { Daily, Intraday, type Split, Splits } from "./wire.ts";

const DAY = 86_400_000;

/** Regular sessions on all venues, as they were, brought to today's shares. */
export async function dailyOf(
  ask: ApiGet,
  symbol: string,
  { from, until, signal }: ProviderBarsRequest,
): Promise<ProviderBars> {
  // to the newest day there is, since a later split changes these days too
  const rows = await ask(pricesOf(symbol), Daily, { startDate: isoDate(from) }, signal);
  const bars = rows
    .map(({ date, splitFactor: _, ...figures }) => ({ time: date, ...figures }))
    .filter(({ time }) => time <= until);
  return { ...SHARED, bars: inTodaysShares(bars, rows), volumeScope: "all_venues", venue: "US" };
}

/** Parts of regular sessions on IEX alone, brought to today's shares. */
export async function intradayOf(
  ask: ApiGet,
  symbol: string,
  resampleFreq: string,
  { from, until, signal }: ProviderBarsRequest,
): Promise<ProviderBars> {
  const query = {
    startDate: isoDate(from),
    endDate: isoDate(until),
    resampleFreq,
    columns: "open,high,low,close,volume",
  };
  const [rows, splits] = await Promise.all([
    ask(`/iex/${symbol}/prices`, Intraday, query, signal),
    ask(pricesOf(symbol), Splits, { startDate: isoDate(from), columns: "date,splitFactor" }, signal),
  ]);
  const told = rows
    .map(({ date, ...figures }) => ({ time: date, ...figures }))
    .filter(({ time }) => time <= until);
  const bars = inTodaysShares(told, splits);
  // a split of today is told in the evening, and whether it left these bars as they were is nowhere said
  if (looksSplit(bars)) throw new ProviderFailure("unsupported", "bars that look unadjusted for a split");
  return { ...SHARED, bars, volumeScope: "one_venue", venue: "IEX" };
}

const SHARED = { adjustment: "split", hours: "regular" } as const;
const pricesOf = (symbol: string): string => `/tiingo/daily/${symbol}/prices`;

/** Bars before a split in the shares after it. */
function inTodaysShares(bars: readonly ProviderBar[], told: readonly Split[]): ProviderBar[] {
  const splits = new Map(told.map(({ date, splitFactor }) => [date, splitFactor]));
  return bars.map((bar) => {
    const day = bar.time % DAY === 0 ? bar.time : newYorkDay(bar.time);
    let factor = 1;
    for (const [date, splitFactor] of splits) if (day < date) factor *= splitFactor;
    return factor === 1 ? bar : scaledBy(bar, factor);
  });
}

function scaledBy({ time, open, high, low, close, volume }: ProviderBar, factor: number): ProviderBar {
  const price = (figure: number | null) => (figure === null ? null : figure / factor);
  return {
    time,
    open: price(open),
    high: price(high),
    low: price(low),
    close: price(close),
    volume: volume === null ? null : volume * factor,
  };
}

const isoDate = (time: number): string => new Date(time).toISOString().slice(0, 10);
