import { z } from "zod";
import type { ProviderQuote } from "../../domain/providers/price-provider.ts";

/** What it answers in the place of data, in either of its two ways, as its code. */
export const Refusal = z
  .union([
    z.object({ error_code: z.int() }),
    z.object({ status: z.object({ error_code: z.int() }) }).transform(({ status }) => status),
  ])
  .transform(({ error_code }) => error_code);

const Figure = z.number().nullish();

/** A coin by its id; an unknown id is not there. */
export const Prices = z.record(z.string(), z.unknown());
export const Price = z.object({
  usd: Figure,
  /** Turnover of the last 24 hours in US dollars. */
  usd_24h_vol: Figure,
  /** Per cent. */
  usd_24h_change: Figure,
  last_updated_at: z.int().positive().max(8.64e12).nullish(),
});

/** The greatest coins by market value. */
export const Coins = z.array(
  z.object({
    id: z.string(),
    symbol: z.string(),
    name: z.string(),
    market_cap_rank: z.int().positive().nullish(),
  }),
);

/** An average over all venues; null without a price or the time of it. */
export function quoteOf(coin: z.infer<typeof Price>): ProviderQuote | null {
  const { usd: price, last_updated_at: seconds, usd_24h_change: change, usd_24h_vol: turnover } = coin;
  if (!isPositive(price) || !isPositive(seconds)) return null;
  const before = price / (1 + (change ?? Number.NaN) / 100);
  const volume = (turnover ?? Number.NaN) / price;
  return {
    price,
    tradedAt: seconds * 1000,
    previousClose: isPositive(before) ? before : null,
    open: null,
    high: null,
    low: null,
    volume: isPositive(volume) ? volume : null,
    volumeScope: "all_venues",
    venue: "COINGECKO",
  };
}

const isPositive = (figure: number | null | undefined): figure is number =>
  typeof figure === "number" && figure > 0 && figure < Infinity;
