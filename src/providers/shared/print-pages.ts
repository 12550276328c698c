import type { Print } from "../../domain/off-exchange/prints.ts";
import type { PrintDay } from "../../domain/off-exchange/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";

/** A trade of any venue as a print, with a flag for off-exchange trades. */
export interface VenuePrint {
  readonly print: Print;
  readonly offExchange: boolean;
}

interface PrintPages<C> {
  /** Reads a page, newest trade first. Returns it with the cursor of the next page, which is null on the last page. */
  readonly read: (
    cursor: C | null,
  ) => Promise<{ readonly rows: readonly VenuePrint[]; readonly next: C | null }>;
  readonly maxPages: number;
  /** Minimum value in US dollars. */
  readonly minNotional: number;
  /** Maximum amount by which rounding may put trades out of order, ms. Default: 0. */
  readonly roundingMs?: number;
}

/**
 * Reads pages of trades. If more pages exist than are read, the prints are complete only from the end of the last page
 * read.
 */
export async function readPrintPages<C>({
  read,
  maxPages,
  minNotional,
  roundingMs = 0,
}: PrintPages<C>): Promise<Pick<PrintDay, "prints" | "completeFrom">> {
  const prints: Print[] = [];
  let oldest = Number.POSITIVE_INFINITY;
  let cursor: C | null = null;
  for (let page = 0; page < maxPages; page++) {
    const { rows, next }: Awaited<ReturnType<typeof read>> = await read(cursor);
    for (const { print, offExchange } of rows) {
      if (print.reportedAt > oldest + roundingMs)
        throw new ProviderFailure("malformed", "trades that are not newest first");
      oldest = Math.min(oldest, print.reportedAt);
      if (offExchange && print.price > 0 && print.price * print.size >= minNotional) prints.push(print);
    }
    if (next === null) return { prints, completeFrom: Number.NEGATIVE_INFINITY };
    cursor = next;
  }
  return { prints, completeFrom: oldest + 1 };
}
