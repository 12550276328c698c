import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { call } from "../../api/client.ts";
import { type PastSignal, signalAt } from "./past.ts";
import type { Timeframe } from "./use-symbol.ts";

/** Bars of one call; two calls reach back a year of days. */
const PAGE = 190;
const MAX_PAGES = 2;

interface HistoryRequest {
  readonly symbol: string;
  readonly timeframe: Timeframe;
  /** Past day shown; null: now. */
  readonly asOf: string | null;
  /** It waits until the page is drawn. */
  readonly isReady: boolean;
}

/** What the signal said at past bars; `row` is that of the day shown, undefined while it loads, null without one. */
export function useHistory({ symbol, timeframe, asOf, isReady }: HistoryRequest) {
  const year = useInfiniteQuery({
    queryKey: ["signal-history", symbol, timeframe],
    queryFn: ({ pageParam: cursor }) =>
      call("get_signal_history", { symbol, timeframe, limit: PAGE, ...(cursor !== null && { cursor }) }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: cursor }, pages) => (pages.length < MAX_PAGES ? cursor : null),
    enabled: isReady && timeframe === "1d",
    staleTime: 10 * 60_000,
  });
  const { hasNextPage, isFetching, fetchNextPage } = year;
  useEffect(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  const rows = useMemo<readonly PastSignal[]>(
    () => year.data?.pages.flatMap((page) => page.rows) ?? [],
    [year.data],
  );
  const known = asOf === null || asOf < (rows.at(-1)?.datetime ?? "9") ? null : signalAt(rows, asOf);
  const input = { symbol, timeframe, to: asOf ?? "", limit: 1 };
  const day = useQuery({
    queryKey: ["signal-history", input],
    queryFn: () => call("get_signal_history", input),
    enabled: isReady && asOf !== null && known === null,
    staleTime: 10 * 60_000,
  });
  const row = known ?? day.data?.rows[0] ?? (day.isPending ? undefined : null);
  return { rows, row };
}
