import { unambiguousSymbol } from "../../domain/market/market.ts";
import type { RowQuote, ScreenRow } from "../../domain/nightly/scan.ts";
import type { Ports } from "../../domain/ports.ts";
import { asToolError, isCallError } from "../../kernel/errors.ts";
import { forEachConcurrent } from "../../lib/concurrency.ts";
import { currentPrice } from "../signal/price.ts";

/** Maximum number of rows with prices in one answer, as in get_quotes. */
export const MAX_PRICES = 50;
const MAX_CONCURRENT = 8;
const MAX_WAIT_MS = 8_000;

const NONE = { price: null, change_percent: null, price_source: null, as_of: null, source: null } as const;

/**
 * Adds the latest price to the first 50 rows, read in as few provider requests as possible and within 8 s. A row without
 * a current price has the reason; an outage of the providers does not fail the list.
 */
export async function withPrices(
  rows: readonly ScreenRow[],
  { symbols, quotes, signal }: Pick<Ports, "symbols" | "quotes"> & { readonly signal: AbortSignal },
): Promise<ScreenRow[]> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(MAX_WAIT_MS)]);
  const instrumentOf = (row: ScreenRow) => symbols.find(unambiguousSymbol(row))?.instrument;
  const priced = rows.slice(0, MAX_PRICES);
  const found = new Map<ScreenRow, RowQuote>();
  /** Returns why a price is missing; throws any other failure. */
  const reasonOf = (cause: unknown): string => {
    signal.throwIfAborted();
    if (limited.aborted) return `No provider responded within ${MAX_WAIT_MS / 1_000} s`;
    const error = asToolError(cause);
    if (isCallError(error) || error.code === "INTERNAL") throw cause;
    return error.message;
  };
  await quotes
    .prefetch?.(
      priced.flatMap((row) => instrumentOf(row) ?? []),
      { signal: limited },
    )
    .catch(reasonOf);
  await forEachConcurrent(MAX_CONCURRENT, priced, async (row) => {
    const instrument = instrumentOf(row);
    if (instrument === undefined) return;
    try {
      const quote = await quotes.latest(instrument, { signal: limited });
      const { value, source: price_source, as_of, reason } = currentPrice(quote, row.close);
      const change_percent = value === null ? null : quote.changePercent;
      found.set(row, { price: value, change_percent, price_source, as_of, source: quote.source, reason });
    } catch (cause) {
      found.set(row, { ...NONE, reason: reasonOf(cause) });
    }
  });
  const isLeftOut = (place: number) => place >= MAX_PRICES;
  return rows.map((row, place) => ({
    ...row,
    quote: found.get(row) ?? {
      ...NONE,
      reason: isLeftOut(place)
        ? `Prices are read for the first ${MAX_PRICES} rows of a page`
        : "This market does not have the symbol",
    },
  }));
}
