import { z } from "zod";
import { SCOPES, type Scope } from "../domain/accounts/access.ts";
import type { Adjustment, Bar } from "../domain/market/bars.ts";
import { PriceCurrency } from "../domain/market/currency.ts";
import type {
  CachedBars,
  CachedOrigin,
  CachedQuote,
  Disagreement,
} from "../domain/market/market-cache-port.ts";
import { OMISSION_REASONS } from "../domain/market/omitted-rows.ts";

/** Tolerated clock difference between processes that share a store. */
const MAX_CLOCK_SKEW_MS = 60_000;

const amount = z.number().finite();
const price = amount.positive();
const orNull = (schema: z.ZodType<number>) => schema.nullable();
const CachedOriginFields = {
  source: z.string().min(1),
  venue: z.string().min(1),
  volumeScope: z.enum(["all_venues", "one_venue"]),
  fetchedAt: amount,
} satisfies { readonly [K in keyof CachedOrigin]: z.ZodType<CachedOrigin[K]> };
const BarRow: z.ZodType<Bar> = z.object({
  time: amount,
  open: price,
  high: price,
  low: price,
  close: price,
  volume: amount.nonnegative(),
});
const AdjustmentField: z.ZodType<Adjustment> = z.enum(["raw", "split", "total_return", "unknown"]);

/** Stored JSON of a cached quote. */
export const QuoteRow: z.ZodType<CachedQuote> = z.object({
  ...CachedOriginFields,
  price,
  tradedAt: amount,
  previousClose: orNull(price),
  open: orNull(price),
  high: orNull(price),
  low: orNull(price),
  volume: orNull(amount.nonnegative()),
  officialClose: z.boolean().default(false),
  currency: PriceCurrency.default("USD"),
  converted: z
    .object({ from: PriceCurrency, rate: price, provider: z.string(), as_of: z.iso.datetime() })
    .nullable()
    .default(null),
  bid: orNull(price).default(null),
  ask: orNull(price).default(null),
  delayMinutes: amount.nonnegative(),
  liveWithinMs: amount.nonnegative(),
});

/** Stored JSON of cached bars: ascending, prices above 0. */
export const BarsRow: z.ZodType<CachedBars> = z.object({
  ...CachedOriginFields,
  from: amount,
  at: amount,
  adjustment: AdjustmentField,
  currency: PriceCurrency.default("USD"),
  bars: z
    .array(BarRow)
    .refine((bars) => bars.every(({ time }, i) => i === 0 || time > bars[i - 1]!.time), "not ascending"),
  omitted: z.array(z.object({ time: z.number(), reason: z.enum(OMISSION_REASONS) })).default([]),
  forming: BarRow.nullable(),
  actions: z
    .object({
      splits: z.array(z.object({ date: z.iso.date(), ratio: price })),
      dividends: z.array(z.object({ date: z.iso.date(), amount: price })).nullable(),
    })
    .nullable()
    .default(null),
});

/** Stored JSON of a disagreement between providers. */
export const DisagreementRow: z.ZodType<Disagreement> = z.object({
  symbol: z.string(),
  at: z.iso.datetime(),
  providers: z.tuple([z.string(), z.string()]).readonly(),
  prices: z.tuple([price, price]).readonly(),
  difference_percent: amount,
  limit_percent: amount,
});

/** Parses the space-separated scopes of a row; unknown scopes are dropped. */
export const parseScopes = (text: string): readonly Scope[] =>
  text.split(" ").filter((scope): scope is Scope => SCOPES.includes(scope as Scope));

/** Stored JSON of the last seen state of a condition, by symbol. */
export const SeenRow = z.record(z.string(), z.string());

/** Parses a JSON column; null when it is missing or does not match the schema. */
export function readRow<T>(schema: z.ZodType<T>, json: string | undefined): T | null {
  if (json === undefined) return null;
  try {
    return schema.parse(JSON.parse(json));
  } catch {
    return null;
  }
}

/** Returns the cached value; null when its fetch time is in the future (written by a clock that was ahead). */
export const unlessFromFuture = <T extends CachedOrigin>(cached: T | null, now: number): T | null =>
  cached === null || cached.fetchedAt > now + MAX_CLOCK_SKEW_MS ? null : cached;
