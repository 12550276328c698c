import type { Instrument } from "../../domain/market/market.ts";
import type { NamedPrint, Print, PrintTape } from "../../domain/off-exchange/prints.ts";
import type { Clock, Prints } from "../../domain/ports.ts";
import { isBusy, yieldToEventLoop } from "../../lib/event-loop.ts";
import { crossing } from "./descent.ts";
import { draw, keyOf, unit } from "./draws.ts";
import { type Deal, dayBlock, ordinaryPrints, reportedSoon } from "./ordinary-prints.ts";
import { cachedByDay, type Recording, type Recordings } from "./recordings.ts";
import { dayAt } from "./time.ts";

const SOURCE = "sample";
/** Number of days cached, all listings together; most have at most one print. */
const CACHED_DAYS = 65_536;
/** Maximum number of days on which prints gather at a planted level. */
const MAX_PRINT_DAYS_PER_LEVEL = 3;
const MIN_NOTIONAL = 1.2e6;
/** Number of past days whose large print prices may recur. */
const LOOK_BACK_DAYS = 250;
const CRYPTO_NOT_COVERED = "Off-exchange prints are reported only for US stocks and funds";

/** Simulates the off-exchange prints of listings. */
export interface PrintSimulator {
  /** Returns the prints of a listing that are executed on a day. */
  on(recording: Recording, day: number): readonly Print[];
  /** Simulates the part of a day's prints on which those of the next 250 days depend. */
  prepare(recording: Recording, day: number): void;
}

/** Prices of the large prints on consecutive days from `first` on. */
interface PriceWindow {
  first: number;
  readonly prices: number[];
  /** Number of prices of each day. */
  readonly counts: number[];
}

/**
 * Creates a simulator of large prints at the levels of planted structures, which later bars reach again, and of ordinary
 * ones of all sizes, some with conditions that mean that the price is not the market price at that time.
 */
export function createPrintSimulator(): PrintSimulator {
  /** Returns the prints of a day that do not depend on earlier prints. */
  const dealsOn = cachedByDay(CACHED_DAYS, (recording, day): readonly Deal[] => [
    ...printsAtPlannedLevels(recording, day),
    ...ordinaryPrints(recording, day),
  ]);

  const largePricesOn = (recording: Recording, day: number): readonly number[] =>
    dealsOn(recording, day)
      .filter(({ notional, conditions }) => notional >= MIN_NOTIONAL && conditions.length === 0)
      .map(({ price }) => price);

  /** Window of the last request of each listing: days are mostly requested in order. */
  const windows = new WeakMap<Recording, PriceWindow>();

  /** Returns the prices of the large prints in the year before a day. */
  function earlierPrices(recording: Recording, day: number): readonly number[] {
    const first = Math.max(0, day - LOOK_BACK_DAYS);
    const last = windows.get(recording);
    const isUsable = last !== undefined && last.first <= first && first <= endOf(last) && endOf(last) <= day;
    const window = isUsable ? last : { first, prices: [], counts: [] };
    windows.set(recording, window);
    while (endOf(window) < day) {
      const prices = largePricesOn(recording, endOf(window));
      window.prices.push(...prices);
      window.counts.push(prices.length);
    }
    for (; window.first < first; window.first++) window.prices.splice(0, window.counts.shift());
    return window.prices;
  }

  const on = cachedByDay(CACHED_DAYS, (recording, day): readonly Print[] => {
    const block = dayBlock(recording, day, earlierPrices(recording, day));
    return [...dealsOn(recording, day), ...block].map((deal) => printOf(recording, day, deal));
  });
  return { on, prepare: dealsOn };
}

const endOf = ({ first, counts }: PriceWindow): number => first + counts.length;

/**
 * Creates the prints of the simulated market. No print is returned before its report; unlisted symbols and
 * coins have none.
 */
export function samplePrints(recordings: Recordings, clock: Clock, members: readonly Instrument[]): Prints {
  const simulator = createPrintSimulator();

  async function reported(recording: Recording, from: number, end: number): Promise<readonly Print[]> {
    const prints: Print[] = [];
    // starts a day earlier, because prints are reported up to a day after their execution
    const first = Math.max(0, dayAt(from) - 1);
    for (let past = Math.max(0, first - LOOK_BACK_DAYS); past < first; past++) {
      if (isBusy()) await yieldToEventLoop();
      simulator.prepare(recording, past);
    }
    for (let day = first; day <= dayAt(end); day++) {
      if (isBusy()) await yieldToEventLoop();
      for (const print of simulator.on(recording, day))
        if (print.reportedAt >= from && print.reportedAt <= end) prints.push(print);
    }
    return prints;
  }

  const tapeOf = <P extends Print>(prints: P[], asOf: number | null, gap: string | null): PrintTape<P> => ({
    prints: prints.sort((a, b) => a.reportedAt - b.reportedAt),
    source: SOURCE,
    fetchedAt: clock.now().getTime(),
    asOf,
    stale: false,
    gap,
  });

  return {
    missing: { tape: null, market: null },
    async tape({ symbol }, { from, until }) {
      const recording = recordings(symbol);
      if (recording === null) return tapeOf([], null, `The simulated market does not list ${symbol}`);
      if (recording.listing.instrument.asset_class === "crypto") return tapeOf([], null, CRYPTO_NOT_COVERED);
      const end = Math.min(until, clock.now().getTime());
      return tapeOf([...(await reported(recording, from, end))], end, null);
    },
    async market({ from, until, minNotional }) {
      const end = Math.min(until, clock.now().getTime());
      const prints: NamedPrint[] = [];
      for (const { symbol, asset_class } of members)
        if (asset_class !== "crypto")
          for (const print of await reported(recordings(symbol)!, from, end))
            if (print.price * print.size >= minNotional) prints.push({ ...print, symbol });
      return tapeOf(prints, end, null);
    },
  };
}

/** Returns the prints at the planted levels on this day, each at the tick at which trading passes its level. */
function printsAtPlannedLevels({ listing, key, path }: Recording, day: number): readonly Deal[] {
  const planted = path.planted(day);
  if (planted === null) return [];
  const { first, planting, priceOf } = planted;
  return planting.plan.printLevels.flatMap(({ level, from, to }, i) => {
    if (day < first + from || day > first + to) return [];
    const price = priceOf(level);
    const passes = (at: number) => path.candle(at).low <= price && price <= path.candle(at).high;
    let earlier = 0;
    for (let at = first + from; at < day; at++) if (passes(at)) earlier++;
    if (earlier >= MAX_PRINT_DAYS_PER_LEVEL || !passes(day)) return [];
    const ofDeal = keyOf(key, "shelf", day, i);
    const [tick, paid] = crossing(path.candle(day), keyOf(key, "day", day), price);
    const usual = listing.volume * (paid / listing.scale);
    return [
      {
        name: `level${i}`,
        price: paid,
        notional: Math.max(MIN_NOTIONAL, usual * (0.01 + 0.02 * unit(draw(ofDeal, 0)))),
        ...reportedSoon(day, tick, unit(draw(ofDeal, 1))),
        side: planting.sign,
      },
    ];
  });
}

function printOf({ listing, path }: Recording, day: number, deal: Deal): Print {
  const { name, price, notional, executedAt, reportedAt, conditions, side } = deal;
  const { parts } = path;
  const step = Math.max(1, Math.round(price / 5_000));
  const dollars = (units: number) => units / listing.scale;
  const bid = side === -1 ? price : price - step;
  return {
    id: `${listing.instrument.symbol}-${day}-${name}`,
    price: dollars(price),
    size: Math.max(1, Math.round((notional / dollars(price)) * parts)) / parts,
    executedAt,
    reportedAt,
    conditions,
    nbbo: side === null ? null : { bid: dollars(bid), ask: dollars(bid + (side === 0 ? 2 : 1) * step) },
  };
}
