import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { call } from "../../api/client.ts";
import type { ScreenRow } from "../../views/screener/table-row.ts";
import type { ScreenInput } from "./screen-query.ts";

export type RowQuote = NonNullable<ScreenRow["quote"]>;

const REFRESH_MS = 60_000;
/** Rows that the server prices in one call. */
const BATCH = 50;
const NONE = { price: null, change_percent: null, price_source: null, as_of: null, source: null };

/** Returns rows with their latest prices, read in batches. They load after the rows, which do not wait for them. */
export function usePrices(
  rows: readonly ScreenRow[],
  { input, isReady }: { readonly input: ScreenInput; readonly isReady: boolean },
): readonly ScreenRow[] {
  const { data, error, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    queryKey: ["screen-prices", input],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) =>
      call("screen_universe", {
        ...input,
        limit: BATCH,
        include: ["prices"],
        ...(cursor !== undefined && { cursor }),
      }),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    enabled: isReady,
    staleTime: REFRESH_MS,
    refetchInterval: REFRESH_MS,
  });
  const isShort = (data?.pages.length ?? 0) * BATCH < rows.length;
  useEffect(() => {
    if (isReady && isShort && hasNextPage && !isFetching && error === null) void fetchNextPage();
  }, [isReady, isShort, hasNextPage, isFetching, error, fetchNextPage]);
  const quotes = useMemo(
    () => new Map(data?.pages.flatMap(({ results }) => results.map((row) => [keyOf(row), row.quote]))),
    [data],
  );
  return rows.map((row) => {
    const quote = quotes.get(keyOf(row)) ?? (error === null ? undefined : { ...NONE, reason: error.message });
    return quote === undefined ? row : { ...row, quote };
  });
}

const keyOf = ({ symbol, venue }: ScreenRow): string => `${symbol} ${venue}`;
