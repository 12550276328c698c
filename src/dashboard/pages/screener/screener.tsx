import "./screener.css";
import { Button, Skeleton } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation, useSearch } from "wouter";
import { call, MarketSignalError } from "../../api/client.ts";
import { slowly } from "../../api/repeat.ts";
import { MarketLabel, Notes } from "../../views/parts.tsx";
import type { ScreenRow } from "../../views/screener/table-row.ts";
import { CopyAs } from "../shared/copy-as.tsx";
import { Failure } from "../shared/failure.tsx";
import { csvOf } from "./csv.ts";
import { FilterBar } from "./filter-bar.tsx";
import { RuleBox } from "./rule-box.tsx";
import { RunLine } from "./run-line.tsx";
import { saveText } from "./save-text.ts";
import { SavedViews } from "./saved-views.tsx";
import { inputOf, queryOf, type Screen, type ScreenInput, screenOf } from "./screen-query.ts";
import { ScreenTable } from "./screen-table.tsx";
import { usePrices } from "./use-prices.ts";

const PAGE_ROWS = 100;

/** All symbols of the newest nightly run, sorted and filtered. */
export default function Screener() {
  const query = useSearch();
  const [, go] = useLocation();
  const screen = screenOf(new URLSearchParams(query));
  const show = (to: string) => go(to === "" ? "/screener" : `/screener?${to}`);
  const change = (to: Screen) => show(queryOf(to));
  const input = inputOf(screen);
  const {
    data,
    error,
    isPending,
    isPlaceholderData,
    isFetchingNextPage,
    hasNextPage,
    fetchNextPage,
    refetch,
  } = useInfiniteQuery({
    queryKey: ["screen", input],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => screenPage(input, pageParam),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    ...slowly,
  });
  // a rule with a mistake has no rows: those before it stay
  const [kept, keep] = useState(data);
  if (data !== undefined && !isPlaceholderData && data !== kept) keep(data);
  const pages = (data ?? kept)?.pages;
  const isOld = isPlaceholderData || data === undefined;
  const first = pages?.[0];
  const rows = pages?.flatMap(({ results }) => results) ?? [];
  const priced = usePrices(rows, {
    input,
    isReady: data !== undefined && !isPlaceholderData,
  });
  const isRuleRefused =
    error instanceof MarketSignalError && error.errors.some(({ pointer }) => pointer === "/rules");
  return (
    <div className="screener">
      <header className="screen-head">
        <h1>Screener</h1>
        {first !== undefined && <MarketLabel source={first.market} />}
        {first !== undefined && <RunLine screen={first} />}
        <div className="screen-actions">
          <SavedViews query={queryOf(screen)} onOpen={show} />
          <CsvButton input={input} isDisabled={rows.length === 0} />
          <CopyAs tool="screen_universe" input={input} />
        </div>
      </header>
      <RuleBox
        key={screen.rules}
        applied={screen.rules}
        error={error}
        onApply={(rules) => (rules === screen.rules ? refetch() : change({ ...screen, rules }))}
      />
      <FilterBar screen={screen} facets={first?.facets} onChange={change} />
      {error !== null && !isRuleRefused && <Failure error={error} />}
      {isPending && first === undefined && (
        <Skeleton height={480} role="status" aria-label="Loading the rows" />
      )}
      {first !== undefined && (error === null || isRuleRefused) && (
        <div className={isOld && error === null ? "waits" : undefined} aria-busy={isOld && error === null}>
          {isRuleRefused && <p className="muted">The rows from before the mistake in the rule:</p>}
          <ScreenTable
            rows={priced}
            sort={screen.sort}
            order={screen.order}
            onSort={(sort, order) => change({ ...screen, sort, order })}
          >
            <span role="status" className="num">
              {first.total === 1 ? "1 symbol" : `${first.total} symbols`}
              {rows.length < first.total && `, ${rows.length} shown`}
            </span>
            {screen.sort === "setup" && <span className="muted">strongest setups first</span>}
          </ScreenTable>
          {first.total === 0 && (
            <p className="empty">
              No symbol passes. Remove a filter, or <a href="/screener">show all</a>.
            </p>
          )}
          {hasNextPage && (
            <Button variant="default" size="xs" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
              Show {Math.min(PAGE_ROWS, first.total - rows.length)} more
            </Button>
          )}
          <Notes lines={[...(first.stale_notes ?? []), ...first.notes]} />
        </div>
      )}
    </div>
  );
}

const screenPage = (input: ScreenInput, cursor: string | undefined) =>
  call("screen_universe", {
    ...input,
    limit: PAGE_ROWS,
    include: ["facets", "closes"],
    ...(cursor !== undefined && { cursor }),
  });

/** Saves every row of the screen, not only those shown. */
function CsvButton({ input, isDisabled }: { readonly input: ScreenInput; readonly isDisabled: boolean }) {
  const [state, setState] = useState<"ready" | "loading" | "failed">("ready");
  const save = async () => {
    setState("loading");
    try {
      const rows: ScreenRow[] = [];
      let cursor: string | null | undefined;
      do {
        const page = await screenPage(input, cursor ?? undefined);
        rows.push(...page.results);
        cursor = page.next_cursor;
      } while (cursor !== null);
      saveText(`screen-${rows[0]?.as_of.slice(0, 10) ?? "empty"}.csv`, csvOf(rows));
      setState("ready");
    } catch {
      setState("failed");
    }
  };
  return (
    <Button size="xs" variant="default" disabled={isDisabled} loading={state === "loading"} onClick={save}>
      {state === "failed" ? "CSV failed: retry" : "CSV"}
    </Button>
  );
}
