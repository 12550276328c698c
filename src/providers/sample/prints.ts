import { LRUCache } from "lru-cache";
import type { Instrument } from "../../domain/market/market.ts";
import type { NamedPrint, Print, PrintTape } from "../../domain/off-exchange/prints.ts";
import type { Clock, Prints } from "../../domain/ports.ts";
import { DAY_MS, EPOCH } from "./daily.ts";
import { dayBlock } from "./day-block.ts";
import type { Deal } from "./deal.ts";
import { crossing } from "./descent.ts";
import { draw, keyOf, unit } from "./draws.ts";
import { TICK_MS } from "./intraday.ts";
import { ordinaryPrints } from "./ordinary-prints.ts";
import type { Recording } from "./tapes.ts";

const SOURCE = "sample";
/** Days kept over all listings, most of them with one print or none. */
const CACHED_DAYS = 65_536;
/** Days on which prints gather at a planted level. */
const MAX_PRINT_DAYS_PER_LEVEL = 3;
const MIN_NOTIONAL = 1.2e6;
/** Days back to prices at which large prints may be done again. */
const LOOK_BACK_DAYS = 250;
const CRYPTO_NOT_COVERED = "Off-exchange prints are reported of US stocks and funds alone";

/**
 * Off-exchange prints of the simulated market: large ones at the levels of planted structures, which later bars meet
 * again, and ordinary ones of every size, some under conditions that make their price none of its moment. Nothing
 * reported after the clock is told. What is not listed is not covered.
 */
export function samplePrints(
  recordings: (symbol: string) => Recording | null,
  clock: Clock,
  members: readonly Instrument[],
): Prints {
  const kept = new LRUCache<string, readonly Print[]>({ max: CACHED_DAYS });
  const deals = new LRUCache<string, readonly Deal[]>({ max: CACHED_DAYS });

  function dayOf(recording: Recording, day: number): readonly Print[] {
    const name = `${recording.listing.instrument.symbol} ${day}`;
    const known = kept.get(name);
    if (known !== undefined) return known;
    const own = dayBlock(recording, day, largeBefore(recording, day));
    const made = [...dealsOf(recording, day), ...own].map((deal) => printOf(recording, day, deal));
    kept.set(name, made);
    return made;
  }

  /** Prices at which large prints were done in the year before a day. */
  function largeBefore(recording: Recording, day: number): readonly number[] {
    const prices: number[] = [];
    for (let past = Math.max(0, day - LOOK_BACK_DAYS); past < day; past++)
      for (const { price, notional, conditions } of dealsOf(recording, past))
        if (notional >= MIN_NOTIONAL && conditions.length === 0) prices.push(price);
    return prices;
  }

  /** What is printed on a day whatever was printed before. */
  function dealsOf(recording: Recording, day: number): readonly Deal[] {
    const name = `${recording.listing.instrument.symbol} ${day}`;
    const known = deals.get(name);
    if (known !== undefined) return known;
    const made = [...printsAtPlannedLevels(recording, day), ...ordinaryPrints(recording, day)];
    deals.set(name, made);
    return made;
  }

  function reported(recording: Recording, from: number, end: number): readonly Print[] {
    const last = Math.floor((end - EPOCH) / DAY_MS);
    const prints: Print[] = [];
    // the latest reports come within a day
    for (let day = Math.max(0, Math.floor((from - EPOCH) / DAY_MS) - 1); day <= last; day++)
      for (const print of dayOf(recording, day))
        if (print.reportedAt >= from && print.reportedAt <= end) prints.push(print);
    return prints;
  }

  const told = <P extends Print>(prints: P[], asOf: number | null, gap: string | null): PrintTape<P> => ({
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
      if (recording === null) return told([], null, `The simulated market does not list ${symbol}`);
      if (recording.listing.instrument.asset_class === "crypto") return told([], null, CRYPTO_NOT_COVERED);
      const end = Math.min(until, clock.now().getTime());
      return told([...reported(recording, from, end)], end, null);
    },
    async market({ from, until, minNotional }) {
      const end = Math.min(until, clock.now().getTime());
      const prints: NamedPrint[] = [];
      for (const { symbol, asset_class } of members)
        if (asset_class !== "crypto")
          for (const print of reported(recordings(symbol)!, from, end))
            if (print.price * print.size >= minNotional) prints.push({ ...print, symbol });
      return told(prints, end, null);
    },
  };
}

/** Prints at the planted levels that gather on this day: at the tick where trading passes each. */
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
    const executedAt = EPOCH + day * DAY_MS + (tick + 1) * TICK_MS;
    return [
      {
        name: `level${i}`,
        price: paid,
        notional: Math.max(MIN_NOTIONAL, usual * (0.01 + 0.02 * unit(draw(ofDeal, 0)))),
        executedAt,
        reportedAt: executedAt + 1_000 + Math.floor(9_000 * unit(draw(ofDeal, 1))),
        conditions: [],
        side: planting.sign,
      },
    ];
  });
}

function printOf({ listing, path }: Recording, day: number, deal: Deal): Print {
  const { instrument, scale } = listing;
  const { name, price, notional, executedAt, reportedAt, conditions, side } = deal;
  const parts = path.parts;
  const step = Math.max(1, Math.round(price / 5_000));
  const at = (units: number) => units / scale;
  const bid = side === 1 ? price - step : side === -1 ? price : price - step;
  return {
    id: `${instrument.symbol}-${day}-${name}`,
    price: at(price),
    size: Math.max(1, Math.round((notional / at(price)) * parts)) / parts,
    executedAt,
    reportedAt,
    conditions,
    nbbo: side === null ? null : { bid: at(bid), ask: at(bid + (side === 0 ? 2 : 1) * step) },
  };
}
