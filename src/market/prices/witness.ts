import type { PriceCurrency } from "../../domain/market/currency.ts";
import type { AssetClass, Instrument } from "../../domain/market/market.ts";
import type { CachedQuote } from "../../domain/market/market-cache-port.ts";
import type { Comparison, PriceCheck } from "../../domain/market/provenance.ts";
import type { Clock } from "../../domain/ports.ts";
import { createBoundedCache } from "../../lib/bounded-cache.ts";
import { isWithin } from "../../lib/expiry.ts";
import { newYorkDay } from "../../lib/newyork.ts";
import { createSingleFlight } from "../failover/single-flight.ts";
import { type Comparer, comparisonOf } from "./compare.ts";
import type { OfficialCloses } from "./official-closes.ts";
import {
  confirms,
  contradicts,
  deviationPercent,
  isOtherClose,
  isSameTime,
  limitFor,
  measureAgainst,
  splitOnDay,
} from "./price-check.ts";

const DAY = 86_400_000;
const MAX_ENTRIES = 5_000;
/** Time for which an unconfirmed price is not checked again, ms. */
const DOUBT_TTL_MS = 60_000;
/** Change of a price, as a share, after which an unconfirmed price is checked again. */
const DOUBT_TOLERANCE = 0.005;

/** Result of checking a price. */
export interface WitnessedPrice {
  readonly check: PriceCheck;
  /** Price of a second provider; null if none was needed or none responded. */
  readonly comparison: Comparison | null;
}

/** Checks prices that would be called live against other families of providers. */
export interface Witness {
  /**
   * Checks a price. The first one of a day and provider is measured against an official close of another family and the
   * newest trade that came with it, and where that does not suffice, against the price of a second family. Later ones
   * are measured against the first and what confirmed it. `confirmed` is false if the price must not be called live.
   */
  check(instrument: Instrument, quote: CachedQuote, signal: AbortSignal): Promise<WitnessedPrice>;
  /** Returns true if a price is near one of its provider that was confirmed on the same day. Calls no provider. */
  isWitnessed(instrument: Instrument, quote: CachedQuote): boolean;
  /** Requests the closes for the first quotes of the day of several instruments, in as few calls as possible. */
  prepare(
    rows: readonly { readonly instrument: Instrument; readonly quote: CachedQuote }[],
    signal: AbortSignal,
  ): Promise<void>;
}

export interface WitnessOptions {
  readonly closes: OfficialCloses;
  readonly compare: Comparer;
  readonly clock: Clock;
}

/** A confirmed price of one provider, against which its later prices of the same day are measured. */
interface ConfirmedPrice {
  readonly day: number;
  readonly price: number;
  readonly currency: PriceCurrency;
  readonly tradedAt: number;
  /** Previous close of the same quote; null if its provider has none. */
  readonly previousClose: number | null;
  readonly limitPercent: number;
  /** Provider that confirmed it. */
  readonly witness: string;
  /** Price or close of that provider or of another one of another family. */
  readonly witnessPrice: number;
  readonly result: WitnessedPrice;
}

export function createWitness({ closes, compare, clock }: WitnessOptions): Witness {
  const confirmed = createBoundedCache<string, ConfirmedPrice>({
    name: "confirmed prices",
    max: MAX_ENTRIES,
  });
  const doubted = createBoundedCache<
    string,
    { readonly at: number; readonly price: number; readonly result: WitnessedPrice }
  >({ name: "doubted prices", max: MAX_ENTRIES });
  const flight = createSingleFlight<WitnessedPrice>();
  const now = () => clock.now().getTime();

  /**
   * Measures a price against the confirmed one of its provider and day, and against the figure that confirmed it: else a
   * provider could move away from the truth by the limit twice. Null if it is not near both, or if the provider has now
   * another previous close. The confirmed price itself has the result of its own check.
   */
  function nearConfirmed({ symbol, asset_class }: Instrument, quote: CachedQuote): WitnessedPrice | null {
    const before = confirmed.get(keyOf(symbol, quote));
    if (before === undefined || before.day !== dayOf(quote, asset_class)) return null;
    if (before.currency !== quote.currency) return null;
    if (before.price === quote.price && before.tradedAt === quote.tradedAt) return before.result;
    const deviation_percent = deviationPercent(quote.price, before.price);
    const isNear = [deviation_percent, deviationPercent(quote.price, before.witnessPrice)].every(
      (deviation) => Math.abs(deviation) <= before.limitPercent,
    );
    if (!isNear || (asset_class !== "crypto" && isOtherClose(quote.previousClose, before.previousClose)))
      return null;
    const check = {
      reason: "same_day",
      close: before.price,
      close_as_of: new Date(before.tradedAt).toISOString(),
      witness: before.witness,
      deviation_percent,
      limit_percent: before.limitPercent,
      confirmed: true,
    } as const;
    return { check, comparison: null };
  }

  /** Compares a quote with the newest trades of other families that came with their closes. */
  async function newestTrades(
    instrument: Instrument,
    quote: CachedQuote,
    signal: AbortSignal,
  ): Promise<readonly Comparison[]> {
    if (instrument.asset_class === "crypto") return [];
    const figures = await closes.figuresFor(instrument, quote, signal);
    return figures.flatMap(({ last, provider }) =>
      last === null ? [] : [comparisonOf(instrument, quote, { ...last, source: provider }, now())],
    );
  }

  async function secondPrice(
    instrument: Instrument,
    quote: CachedQuote,
    signal: AbortSignal,
  ): Promise<Comparison | null> {
    const { asset_class: assetClass } = instrument;
    const accepts = (comparison: Comparison) => confirms(comparison, quote, assetClass);
    const trade = (await newestTrades(instrument, quote, signal)).find(accepts);
    if (trade !== undefined) return trade;
    const { splits } = await closes.factsOf(instrument);
    return compare(instrument, quote, { splits, signal, accepts });
  }

  async function measure(
    instrument: Instrument,
    quote: CachedQuote,
    signal: AbortSignal,
  ): Promise<WitnessedPrice> {
    const { asset_class: assetClass, symbol } = instrument;
    const isCrypto = assetClass === "crypto";
    const facts = await closes.factsOf(instrument);
    const limit = limitFor(facts, quote.tradedAt, assetClass);
    const split = isCrypto ? null : splitOnDay(quote.tradedAt, facts.splits);
    const reference = isCrypto ? null : await closes.closeFor(instrument, quote, signal);
    const measured = measureAgainst(quote, reference, { limit, split, assetClass });
    const trades = measured.confirmed
      ? (await newestTrades(instrument, quote, signal)).filter((trade) => isSameTime(trade, quote))
      : [];
    const first = trades.some(contradicts)
      ? { ...measured, reason: "other_price" as const, confirmed: false }
      : measured;
    const comparison = first.confirmed ? null : await secondPrice(instrument, quote, signal);
    const agrees = comparison !== null && confirms(comparison, quote, assetClass);
    const witness = agrees ? comparison.provider : first.witness;
    const check = { ...first, witness, confirmed: first.confirmed || agrees };
    const key = keyOf(symbol, quote);
    const witnessPrice = agrees ? comparison.price : (trades[0]?.price ?? first.close);
    if (check.confirmed && witness !== null && witnessPrice !== null) {
      const { price, currency, tradedAt, previousClose } = quote;
      const day = dayOf(quote, assetClass);
      const limitPercent = limit.percent;
      const result = { check, comparison };
      confirmed.set(key, {
        day,
        price,
        currency,
        tradedAt,
        previousClose,
        limitPercent,
        witness,
        witnessPrice,
        result,
      });
      doubted.delete(key);
    } else doubted.set(key, { at: now(), price: quote.price, result: { check, comparison } });
    return { check, comparison };
  }

  return {
    async check(instrument, quote, signal) {
      const near = nearConfirmed(instrument, quote);
      if (near !== null) return near;
      const key = keyOf(instrument.symbol, quote);
      const doubt = doubted.get(key);
      if (
        doubt !== undefined &&
        isWithin(doubt.at, now(), DOUBT_TTL_MS) &&
        Math.abs(quote.price / doubt.price - 1) <= DOUBT_TOLERANCE
      )
        return doubt.result;
      return flight(`${key}|${quote.price}`, (stop) => measure(instrument, quote, stop), signal);
    },

    isWitnessed: (instrument, quote) => nearConfirmed(instrument, quote) !== null,

    prepare: (rows, signal) =>
      closes.prepare(
        rows.filter(({ instrument, quote }) => nearConfirmed(instrument, quote) === null),
        signal,
      ),
  };
}

const keyOf = (symbol: string, { source }: Pick<CachedQuote, "source">): string => `${symbol}|${source}`;

/** Returns the date (00:00 UTC, epoch ms) of a trade: in New York, for tokens in UTC. */
const dayOf = ({ tradedAt }: CachedQuote, assetClass: AssetClass): number =>
  assetClass === "crypto" ? Math.floor(tradedAt / DAY) * DAY : newYorkDay(tradedAt);
