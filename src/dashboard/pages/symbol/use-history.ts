import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { call } from "../../api/client.ts";
import { dayBefore, PAST_DAYS, type PastSignal, signalAt } from "./past.ts";
import type { Timeframe } from "./use-symbol.ts";

/** Bars of one call, its maximum: a year of sessions; one of days requires a second call. */
const PAGE = 250;
const MAX_PAGES = 2;

interface HistoryRequest {
  readonly symbol: string;
  readonly timeframe: Timeframe;
  /** Past day shown; null: now. */
  readonly asOf: string | null;
  /** Newest day, such as 2026-11-29; null until the page is drawn. */
  readonly newest: string | null;
  /** The signals of the past year are loaded only then: each is computed by the server. */
  readonly isOpen: boolean;
}

/** What the signal said at past bars; `row` is that of the day shown, undefined while it loads, null without one. */
export function useHistory({ symbol, timeframe, asOf, newest, isOpen }: HistoryRequest) {
  const from = newest === null ? "" : dayBefore(newest, PAST_DAYS);
  const year = useInfiniteQuery({
    queryKey: ["signal-history", symbol, timeframe, from],
    queryFn: ({ pageParam: cursor }) =>
      call("get_signal_history", {
        symbol,
        timeframe,
        from,
        limit: PAGE,
        ...(cursor !== null && { cursor }),
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: cursor }, pages) => (pages.length < MAX_PAGES ? cursor : null),
    enabled: isOpen && newest !== null && timeframe === "1d",
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
    enabled: newest !== null && asOf !== null && known === null,
    staleTime: 10 * 60_000,
  });
  const row = known ?? day.data?.rows[0] ?? (day.isPending ? undefined : null);
  return { rows, row, error: year.error };
}
