import { useQueries } from "@tanstack/react-query";
import { call } from "../../api/client.ts";
import type { ScreenRow } from "../../views/screener/table-row.ts";
import type { ScreenInput } from "./screen-query.ts";

export type RowQuote = NonNullable<ScreenRow["quote"]>;

const REFRESH_MS = 60_000;
/** Rows of a page, all of which the server prices in one batch. */
export const PAGE_ROWS = 50;

interface PriceRequest {
  readonly input: ScreenInput;
  /** Cursors of the pages shown; undefined for the first one. */
  readonly cursors: readonly (string | undefined)[];
  readonly isReady: boolean;
}

/** Returns the rows with their latest prices, one batch a page. They load after the rows, which do not wait for them. */
export function usePrices(
  rows: readonly ScreenRow[],
  { input, cursors, isReady }: PriceRequest,
): readonly ScreenRow[] {
  const quotes = useQueries({
    queries: cursors.map((cursor) => ({
      queryKey: ["screen-prices", input, cursor ?? null],
      queryFn: () =>
        call("screen_universe", {
          ...input,
          limit: PAGE_ROWS,
          include: ["prices"],
          ...(cursor !== undefined && { cursor }),
        }),
      enabled: isReady,
      staleTime: REFRESH_MS,
      refetchInterval: REFRESH_MS,
    })),
    combine: (pages) => {
      const priced = pages.flatMap(({ data, error }) => [
        ...(data?.results ?? []).map((row) => [keyOf(row), row.quote] as const),
        ...(error === null ? [] : [[FAILED, { ...NONE, reason: error.message }] as const]),
      ]);
      return new Map(priced);
    },
  });
  return rows.map((row) => {
    const quote = quotes.get(keyOf(row)) ?? quotes.get(FAILED);
    return quote === undefined ? row : { ...row, quote };
  });
}

/** Key of what a page without an answer says. */
const FAILED = "";
const NONE = { price: null, change_percent: null, price_source: null, as_of: null, source: null };

const keyOf = ({ symbol, venue }: ScreenRow): string => `${symbol} ${venue}`;
