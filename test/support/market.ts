import {
  noCompany,
  noCongress,
  noContracts,
  noEarnings,
  noIndices,
  noMarketEvents,
  noNews,
  noOffExchange,
  noOptions,
  noPrints,
  noQuoteStreams,
  noShortInterest,
} from "../../src/app/providers/not-connected.ts";
import type { Bar, Bars, BarTimeframe, Timeframe } from "../../src/domain/market/bars.ts";
import { sliceBars, TIMEFRAME_MS } from "../../src/domain/market/bars.ts";
import type { Instrument, Quote } from "../../src/domain/market/market.ts";
import type { Origin } from "../../src/domain/market/provenance.ts";
import type {
  BarHistory,
  Clock,
  EngineResult,
  EngineRuns,
  HistoryRequest,
  Ports,
  Quotes,
} from "../../src/domain/ports.ts";
import { ToolError } from "../../src/kernel/errors.ts";
import { tasksOf } from "../../src/kernel/tasks.ts";
import type { Tool } from "../../src/kernel/tool.ts";
import { createCache } from "../../src/market/cache.ts";
import { barCloseMs } from "../../src/market/calendar/calendar.ts";
import { marketDays } from "../../src/market/calendar/market-days.ts";
import { canonicalOf, createDirectory } from "../../src/market/symbols/directory.ts";
import { embeddedListings } from "../../src/market/symbols/listings.ts";
import { sampleMarket as simulate } from "../../src/providers/sample/market.ts";
import { barAnswers } from "../../src/store/track-record/bar-answers.ts";
import {
  collectingLog,
  memoryBacktests,
  sampleMarket,
  stoppedClock,
  testPorts,
  usualRules,
} from "./context.ts";
import { noContractBook } from "./contracts.ts";
import { receiptPorts } from "./receipts.ts";
import { RECORDINGS } from "./recordings.ts";
import { toolSearchOf } from "./requests.ts";
import { noBarAnswers, noPages } from "./track.ts";

/** The last trading day closed at `NOW`, as the `time` of a daily bar. */
export const YESTERDAY = Date.UTC(2026, 0, 14);

interface Climb {
  readonly count?: number;
  /** Price change from one close to the next; the bar's range is always 1. */
  readonly step?: number;
  /** Close of the first bar. */
  readonly first?: number;
  readonly timeframe?: BarTimeframe;
  readonly zone?: Bars["zone"];
  /** Start of the last bar, epoch ms. */
  readonly end?: number;
}

/**
 * Bars whose closes differ by `step`, with high and low half a dollar from the close: for a `step` up to .5 the average
 * true range is exactly 1. Volume is 1000. Weekdays only, unless the market trades around the clock or bars are shorter
 * than a day.
 */
export function climbingBars({
  count = 300,
  step = 0.125,
  first = 100,
  timeframe = "1d",
  zone = "America/New_York",
  end = YESTERDAY,
}: Climb = {}): Bars {
  const time = new Float64Array(count);
  const length = TIMEFRAME_MS[timeframe];
  for (let i = count - 1, at = end; i >= 0; at -= length) {
    const weekend = [0, 6].includes(new Date(at).getUTCDay());
    if (!(weekend && timeframe === "1d" && zone !== "UTC")) time[i--] = at;
  }
  const column = (of: (i: number) => number) => Float64Array.from(time, (_, i) => of(i));
  return {
    time,
    open: column((i) => first + step * (i - 1)),
    high: column((i) => first + step * i + 0.5),
    low: column((i) => first + step * i - 0.5),
    close: column((i) => first + step * i),
    volume: column(() => 1000),
    timeframe,
    adjustment: "split",
    zone,
  };
}

/** Weekday bars whose closes oscillate around a slow rise, so that signals of every direction occur. */
export function wavingBars(over: Climb & { readonly shift?: number } = {}): Bars {
  const bars = climbingBars({ count: 330, step: 0, ...over });
  const close = bars.time.map((_, i) => 100 + 0.02 * i + 12 * Math.sin((i + (over.shift ?? 0)) / 17));
  const open = close.map((value, i) => close[i - 1] ?? value);
  return {
    ...bars,
    open,
    close,
    high: close.map((value, i) => Math.max(value, open[i]!) + 0.5),
    low: close.map((value, i) => Math.min(value, open[i]!) - 0.5),
  };
}

/** The bars with every price changed; `of` gets the price and the index of its bar. */
export const withPrices = (bars: Bars, of: (price: number, i: number) => number): Bars => ({
  ...bars,
  open: bars.open.map(of),
  high: bars.high.map(of),
  low: bars.low.map(of),
  close: bars.close.map(of),
});

interface FixedBars {
  readonly bars: Readonly<Record<string, Bars | readonly Bars[]>>;
  /** The forming bar of a symbol, returned if the request ends now. */
  readonly forming?: Readonly<Record<string, Bar>>;
}

/** History of the given symbols up to the requested time; `requests` records every request. */
export function fixedBars({ bars: held, forming = {} }: FixedBars, clock: Clock = stoppedClock()) {
  const requests: (HistoryRequest & { readonly symbol: string })[] = [];
  const bars: BarHistory = {
    async history({ symbol, asset_class }, request) {
      requests.push({ symbol, ...request });
      const { timeframe, limit, asOf } = request;
      const found = [held[symbol] ?? []].flat().find((one) => one.timeframe === timeframe);
      const all = found ?? noBars(timeframe, asset_class);
      const closeOf = (bar: number) => barCloseMs(all.time[bar]!, timeframe, all.zone);
      let count = all.time.length; // from the newest bar on, as bars close in order
      while (count > 0 && closeOf(count - 1) > (asOf ?? clock.now().getTime())) count--;
      const closed = sliceBars(all, Math.max(0, count - limit), count);
      return {
        bars: closed,
        forming: asOf === undefined ? (forming[symbol] ?? null) : null,
        source: "fixture",
        venue: "XTST",
        adjustment: closed.adjustment,
        as_of: count === 0 ? null : new Date(closeOf(count - 1)).toISOString(),
      };
    },
  };
  return { bars, requests };
}

function noBars(timeframe: BarTimeframe, kind: Instrument["asset_class"]): Bars {
  return climbingBars({ count: 0, timeframe, zone: kind === "crypto" ? "UTC" : "America/New_York" });
}

/** Watchlists of every account, by name. */
export const watchlistsOf = (
  lists: Readonly<Record<string, readonly string[]>> = {},
): Ports["watchlists"] => {
  const all = Object.entries(lists).map(([name, symbols]) => ({
    name,
    symbols: [...symbols],
    saved_at: "2026-01-15T15:00:00.000Z",
  }));
  return {
    save: () => Promise.reject(new Error("not available in this test")),
    find: async (_, name) => all.find((list) => list.name === name) ?? null,
    list: async () => all,
  };
};

/** A live quote ten minutes older than `NOW`; every field can be overridden. */
export const quote = (over: Partial<Quote> = {}): Quote => ({
  price: 182.5,
  change: -1.5,
  changePercent: -0.8152,
  volume: 12_000_000,
  high: 185,
  low: 181.25,
  open: 184,
  timestamp: "2026-01-15T14:50:00.000Z",
  source: "fixture",
  venue: "XTST",
  price_source: "live_quote",
  market_state: "regular",
  delayed_minutes: 0,
  ...over,
});

/** Quotes of the given symbols; requests for others fail. */
export const fixedQuotes = (known: Readonly<Record<string, Quote>>): Quotes => ({
  async latest({ symbol }) {
    const found = known[symbol];
    if (found === undefined)
      throw new ToolError("NO_PRICE", `No price of ${symbol}`, {
        data: { symbol, price: null, data: { price: null } },
      });
    return found;
  },
});

/** Nightly results of the given symbols. */
const fixedRuns = (results: Readonly<Record<string, EngineResult>> = {}): EngineRuns => ({
  latest: async (symbol) => results[symbol] ?? null,
  newest: async () => null,
  unfinished: async () => null,
  recent: async () => [],
  ranks: async () => null,
});

const listings = embeddedListings();

/** The symbol directory of a market that holds these symbols. */
export const directoryOf = (symbols: readonly string[]) =>
  createDirectory({ members: symbols.map((name) => canonicalOf(name, listings)!), listings });

export interface FakeMarket extends FixedBars {
  readonly quotes?: Readonly<Record<string, Quote>>;
  readonly engine?: Readonly<Record<string, EngineResult>>;
  readonly clock?: Clock;
}

/** Test ports over a small market of the symbols with bars; `requests` records every request for bars. */
export function marketOf({ quotes = {}, engine = {}, clock = stoppedClock(), ...fixed }: FakeMarket) {
  const { bars, requests } = fixedBars(fixed, clock);
  const ports = {
    ...testPorts({ clock }),
    market: sampleMarket,
    symbols: directoryOf(Object.keys(fixed.bars)),
    bars,
    prints: noPrints,
    news: noNews,
    earnings: noEarnings,
    marketDays,
    offExchange: noOffExchange,
    shortInterest: noShortInterest,
    indices: noIndices(),
    marketEvents: noMarketEvents,
    contracts: noContracts,
    contractHistory: noContractBook,
    congress: noCongress,
    company: noCompany,
    quotes: fixedQuotes(quotes),
    quoteStreams: noQuoteStreams,
    engineRuns: fixedRuns(engine),
    runProgress: fixedRuns(engine),
    signalLog: {
      record: () => {},
      observe: barAnswers({ rows: noBarAnswers, clock, log: collectingLog().log }).observe,
    },
    watchlists: watchlistsOf(),
    oddsLog: { record: () => {} },
    checkedOrders: { record: () => {}, published: async () => null },
    trackRecord: { published: async () => null, odds: async () => null, ofSymbol: noPages },
    backtests: memoryBacktests(),
    tradeRules: usualRules,
    ...noOptions,
    flowDays: { days: async () => [], save: async () => {} },
    noSplits: { list: async () => [], declare: async () => true, remove: async () => false },
    failedJobs: { counts: async () => [], list: async () => [], retry: async () => "Done again." },
    clockWatch: { lastJump: () => null },
    storage: { fault: () => null },
    providerHealth: { current: () => [], report: async () => [] },
    cache: createCache(clock),
    queryHelp: { read: null },
    signer: receiptPorts().signer,
  };
  return { ports, requests };
}

/** A small market of stocks, funds and crypto with 300 daily bars each, enough for every example. */
export function smallMarket(over: Partial<FakeMarket> = {}) {
  const around = (end: number, timeframe: Timeframe = "1d") => climbingBars({ zone: "UTC", timeframe, end });
  const coin = [around(YESTERDAY), around(Date.UTC(2026, 0, 15, 8), "4h")];
  const stock = climbingBars();
  return marketOf({
    bars: {
      AAPL: stock,
      MSFT: climbingBars({ step: -0.125, first: 200 }),
      NVDA: climbingBars({ step: 0.0625 }),
      TSLA: stock,
      SPY: climbingBars({ step: 0.03125 }),
      LINK: stock,
      "LINK-USD": around(YESTERDAY),
      "BTC-USD": coin,
      "ETH-USD": coin,
    },
    quotes: { AAPL: quote({ price: 138 }), LINK: quote(), "LINK-USD": quote({ venue: "XCRY" }) },
    ...over,
  });
}

/** A small market in which these tools handle the tasks they declare. */
export function taskMarket(
  tools: readonly Tool[],
  over: Partial<FakeMarket> = {},
  connected: Partial<Ports> = {},
) {
  const ports = { ...smallMarket(over).ports, ...connected };
  return {
    ...ports,
    toolSearch: toolSearchOf(),
    tasks: tasksOf(
      () => tools,
      () => ports,
    ),
  };
}

/** The origin of a current answer of a provider; every field can be overridden. */
export const originOf = (over: Partial<Origin> = {}): Origin => ({
  fetched_at: "2026-01-15T15:00:00.000Z",
  session: null,
  stale: false,
  served_from: "provider",
  tried: [],
  volume_unit: "shares",
  volume_scope: "all_venues",
  ...over,
});
export const FRESH = originOf({});
export const STALE = originOf({ stale: true, served_from: "memory" });

/** The same history with another origin. */
export const historyWith = ({ history }: BarHistory, origin: Origin): BarHistory => ({
  history: async (...request) => ({ ...(await history(...request)), origin }),
});

/** The same history as from a provider that no longer responds: marked as stale. */
export const staleHistory = (bars: BarHistory): BarHistory => historyWith(bars, STALE);

/** The same history with closes that alternate by 2% around 138: those of the small market hardly move. */
export const swingingHistory = ({ history }: BarHistory): BarHistory => ({
  async history(...request) {
    const series = await history(...request);
    const close = series.bars.close.map((_, i) => (i % 2 === 0 ? 138 : 138 * Math.exp(0.02)));
    return { ...series, bars: { ...series.bars, close } };
  },
});

/** Ports over the whole simulated market as of a time. */
export function simulatedMarket(at: string) {
  const clock = stoppedClock(new Date(at));
  const { members, ...market } = simulate({ clock, recordings: RECORDINGS });
  const symbols = createDirectory({ members, listings: embeddedListings() });
  return { ...smallMarket().ports, ...market, clock, symbols, cache: createCache(clock) };
}

/** The ports with one row left out of every series: 12 January 2026, which had no valid price. */
export function withOmittedRow<P extends Pick<Ports, "bars">>(ports: P): P {
  const omitted = [{ time: Date.parse("2026-01-12"), reason: "invalid" }] as const;
  return {
    ...ports,
    bars: { history: async (...args) => ({ ...(await ports.bars.history(...args)), omitted }) },
  };
}
