import { TIMEFRAME_MS } from "../../domain/market/bars.ts";
import type { BarSeries, Instrument, Market, Quote } from "../../domain/market/market.ts";
import type { BarHistory, Clock, Quotes } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { sampleCompany } from "./company.ts";
import { sampleCongress } from "./congress.ts";
import { sampleContracts } from "./contracts.ts";
import { sampleDividends } from "./dividends.ts";
import { sampleEarnings } from "./earnings.ts";
import { DAY_TICKS } from "./intraday.ts";
import { LISTINGS } from "./listing.ts";
import { sampleMarketEvents } from "./market-events.ts";
import { sampleNews } from "./news.ts";
import { sampleOffExchange } from "./off-exchange.ts";
import { sampleOptions } from "./options.ts";
import { samplePrints } from "./prints.ts";
import { type Recordings, recordingsOf, type Tape } from "./recordings.ts";
import { closedBars, formingBar, type NewestTick, newestTick } from "./series.ts";
import { sampleShortInterest } from "./short-interest.ts";

/**
 * Version of the simulated numbers. It is raised with every change of them, so that stored results of different
 * versions never mix.
 */
export const SAMPLE_VERSION = 2;

/** Returns the id of the simulated market of this version; each seed gives a different market. */
export const sampleMarketId = (seed?: string): string =>
  seed === undefined ? `sample-v${SAMPLE_VERSION}` : `sample-v${SAMPLE_VERSION}-${seed}`;

const SOURCE = "sample";
const VENUE = "SIM";

/**
 * Creates a simulated venue that never closes and needs no network. Results for any time since 2017 never
 * change and do not depend on the order of calls. Nothing later than the clock's newest tick is returned. Default seed:
 * the market that every installation shares. `recordings`: those of the same market; default: new ones.
 */
export function sampleMarket({
  clock,
  seed,
  recordings = recordingsOf(sampleMarketId(seed)),
}: {
  readonly clock: Clock;
  readonly seed?: string;
  readonly recordings?: Recordings | undefined;
}) {
  const id = sampleMarketId(seed);
  const market: Market = { mode: "sample", id };
  const tapes = (symbol: string) => recordings(symbol)?.tape ?? null;

  /** The last quote of each symbol, which holds until the next tick. */
  const newestQuotes = new Map<string, { readonly at: number; readonly quote: Quote }>();
  const quotes: Quotes = {
    async latest({ symbol }) {
      const newest = newestTick(clock.now().getTime());
      const last = newestQuotes.get(symbol);
      if (last !== undefined && last.at === newest?.at) return last.quote;
      const tape = tapes(symbol);
      if (tape === null || newest === null) throw noPrice(symbol);
      const quote = quoteAt(tape, newest);
      newestQuotes.set(symbol, { at: newest.at, quote });
      return quote;
    },
  };

  const bars: BarHistory = {
    async history(
      { symbol, asset_class },
      { timeframe, limit, asOf, actions, extendedHours },
    ): Promise<BarSeries> {
      if (extendedHours === true) throw noExtendedHours(symbol);
      const recording = recordings(symbol);
      const now = clock.now().getTime();
      const closed = await closedBars(recording, timeframe, limit, Math.min(asOf ?? now, now));
      const last = closed.time.at(-1);
      return {
        bars: closed,
        forming:
          asOf === undefined || asOf === now ? formingBar(recording?.tape ?? null, timeframe, now) : null,
        source: SOURCE,
        venue: VENUE,
        adjustment: closed.adjustment,
        ...(actions === true &&
          asset_class !== "crypto" && {
            actions: { splits: [], dividends: sampleDividends(id, symbol, closed) },
          }),
        as_of: last === undefined ? null : new Date(last + TIMEFRAME_MS[timeframe]).toISOString(),
      };
    },
  };

  const members: readonly Instrument[] = LISTINGS.map(({ instrument }) => instrument);
  return {
    market,
    quotes,
    bars,
    prints: samplePrints(recordings, clock, members),
    news: sampleNews(recordings, clock),
    earnings: sampleEarnings(recordings, clock, members),
    offExchange: sampleOffExchange(recordings, clock),
    marketEvents: sampleMarketEvents(id, clock, members),
    shortInterest: sampleShortInterest(recordings, clock),
    company: sampleCompany(recordings, clock, members),
    congress: sampleCongress(id, recordings, clock),
    contracts: sampleContracts(id, recordings, clock),
    ...sampleOptions(recordings, { members, clock }),
    members,
  };
}

/** Returns the quote of the day up to its newest tick; the change is measured from the close of the day before. */
function quoteAt(tape: Tape, { day, to, at }: NewestTick): Quote {
  const today = tape(day, 0, to);
  const before = day === 0 ? null : tape(day - 1, 0, DAY_TICKS).close;
  const change = before === null ? null : Number((today.close - before).toFixed(8));
  return {
    price: today.close,
    change,
    changePercent: before === null ? null : Number((100 * (today.close / before - 1)).toFixed(4)),
    volume: today.volume,
    high: today.high,
    low: today.low,
    open: today.open,
    timestamp: new Date(at).toISOString(),
    source: SOURCE,
    venue: VENUE,
    price_source: "live_quote",
    market_state: "always_open",
    delayed_minutes: 0,
  };
}

const noExtendedHours = (symbol: string): ToolError =>
  new ToolError("NOT_ENOUGH_DATA", "The sample market trades around the clock: it has no extended hours", {
    hint: "Omit extended_hours.",
    data: { symbol },
  });

const noPrice = (symbol: string): ToolError =>
  new ToolError("NO_PRICE", `The sample market has no price for "${symbol}"`, {
    hint: "It simulates large US stocks, funds and coins, such as AAPL, NVDA, SPY, QQQ and BTC-USD.",
    data: { symbol, price: null, data: { price: null } },
  });
