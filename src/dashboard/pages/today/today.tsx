import { Skeleton } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { call } from "../../api/client.ts";
import { slowInterval, slowly } from "../../api/repeat.ts";
import { mayWrite } from "../../api/rights.ts";
import type { Output } from "../../api/tools.ts";
import { Failure } from "../shared/failure.tsx";
import { parsed } from "../shared/stored.ts";
import { ChangedList } from "./changed-list.tsx";
import { EventList } from "./event-list.tsx";
import { FirstRun } from "./first-run.tsx";
import { MarketList } from "./market-list.tsx";
import { BENCHMARKS, MarketStrip } from "./market-strip.tsx";
import { Movers } from "./movers.tsx";
import { Setups } from "./setups.tsx";
import { useQuotes } from "./use-quotes.ts";
import { WatchlistPanel } from "./watchlist-panel.tsx";
import { useWatchlists } from "./watchlists.ts";
import "./today.css";

const NONE: readonly string[] = Object.freeze([]);
/** Symbols that a newcomer may choose, where the market has them. */
const POPULAR = ["AAPL", "NVDA", "MSFT", "SPY", "TSLA", "BTC-USD", "ETH-USD"];
/** Maximum number of symbols in one call of get_calendar. */
const MAX_EVENT_SYMBOLS = 20;

/** Interval at which an unfinished run is requested again, which grows with each answer up to a minute. */
const RUN_POLL_MS = { first: 5_000, step: 1_000, last: 60_000 } as const;

const readName = (value: unknown): string | null => (typeof value === "string" ? value : null);

const isFinished = (screen: Output<"screen_universe"> | undefined): boolean =>
  screen?.runs.every(({ runAt }) => runAt !== null) === true;

/** What matters today: the market, the watchlist and what changed on it. */
export default function Today() {
  const { data: saved, error } = useWatchlists();
  const [chosen, choose] = useLocalStorage({
    key: "market-signal-list",
    defaultValue: "",
    deserialize: (text) => parsed(text, readName) ?? "",
  });
  const lists = saved?.watchlists;
  const list = lists?.find(({ name }) => name === chosen) ?? lists?.[0];
  const symbols = list?.symbols ?? NONE;
  const isFirst = lists?.length === 0;
  const requested = useMemo(
    () => [...new Set([...BENCHMARKS, ...symbols, ...(isFirst ? POPULAR : NONE)])],
    [symbols, isFirst],
  );
  const quotes = useQuotes(lists === undefined ? NONE : requested);
  const { data: setups, error: setupsError } = useQuery({
    queryKey: ["setups"],
    queryFn: () => call("screen_universe", { sort: "setup", limit: 8 }),
    staleTime: slowly.staleTime,
    refetchInterval: ({ state }) =>
      state.error !== null || isFinished(state.data)
        ? slowInterval(state)
        : Math.min(RUN_POLL_MS.last, RUN_POLL_MS.first + RUN_POLL_MS.step * state.dataUpdateCount),
  });
  // the index and the movers need all rows of the run
  const isRunFinished = isFinished(setups);
  const dated = symbols.slice(0, MAX_EVENT_SYMBOLS);
  const { data: calendar, error: calendarError } = useQuery({
    staleTime: 3_600_000,
    queryKey: ["calendar", dated],
    enabled: lists !== undefined,
    queryFn: () => call("get_calendar", { ...(dated.length > 0 && { symbols: [...dated] }) }),
  });
  const suggestions = useMemo(() => {
    const popular = POPULAR.filter((symbol) => quotes.of(symbol) !== undefined);
    const best = setups?.results.map(({ symbol }) => symbol) ?? [];
    return [...new Set([...popular, ...best])].slice(0, 9);
  }, [quotes, setups]);
  return (
    <div className="today">
      <h1 className="hidden">Today</h1>
      <MarketStrip quotes={quotes} isRunFinished={isRunFinished} />
      <div className="today-main">
        {error !== null && <Failure error={error} />}
        {lists === undefined ? (
          error === null && <Skeleton height={320} role="status" aria-label="Loading the watchlists" />
        ) : list === undefined ? (
          mayWrite() ? (
            <FirstRun market={saved!.market} suggestions={suggestions} />
          ) : (
            <MarketList symbols={suggestions} quotes={quotes} />
          )
        ) : (
          <WatchlistPanel key={list.name} list={list} lists={lists} onChoose={choose} quotes={quotes} />
        )}
        {list !== undefined && <ChangedList name={list.name} symbols={symbols} />}
        <Movers isRunFinished={isRunFinished} />
      </div>
      <div className="today-side">
        <Setups data={setups} error={setupsError} />
        <EventList calendar={calendar} error={calendarError} isOfList={list !== undefined} />
      </div>
    </div>
  );
}
