import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { call } from "../../api/client.ts";
import type { Output } from "../../api/tools.ts";
import { fixed, price } from "../../views/format.ts";
import { shortDay } from "../../views/screener/figures.ts";
import { Change } from "../../views/screener/row-parts.tsx";
import { hoursAt, spanText } from "./market-hours.ts";
import type { Quotes } from "./use-quotes.ts";
import { slowly } from "./use-verdicts.ts";

type MarketDays = Output<"get_calendar">["market_days"];

/** Instruments that stand for the market, where it has them. */
export const BENCHMARKS = ["SPY", "QQQ", "BTC-USD"] as const;

/** The state of the market: hours, mood and benchmarks. */
export function MarketStrip({
  quotes,
  days,
  isRunFinished,
}: {
  readonly quotes: Quotes;
  readonly days: MarketDays;
  readonly isRunFinished: boolean;
}) {
  return (
    <section className="strip" aria-label="The market">
      <MarketHours days={days} isSample={quotes.of(BENCHMARKS[0])?.source === "sample"} />
      <Mood isRunFinished={isRunFinished} />
      {BENCHMARKS.map((symbol) => {
        const quote = quotes.of(symbol);
        return (
          <a key={symbol} className="tile" href={`/symbol/${symbol}`}>
            <span className="tile-name">{symbol}</span>
            <b className="num">
              {quotes.isLoading ? <Skeleton width={70} height={18} /> : price(quote?.price)}
            </b>
            <Change percent={quote?.changePercent} />
          </a>
        );
      })}
    </section>
  );
}

const WORDS = { pre: "Pre-market", regular: "Open", post: "After hours", closed: "Closed" } as const;
const LOCAL = new Intl.DateTimeFormat("en-GB", { weekday: "short", hour: "2-digit", minute: "2-digit" });

function MarketHours({ days, isSample }: { readonly days: MarketDays; readonly isSample: boolean }) {
  const now = useNow(30_000);
  const { state, holiday, next } = hoursAt(now, days);
  return (
    <div className="tile">
      <span className="tile-name">US exchanges</span>
      <b>
        <span className={state === "regular" ? "up" : "muted"} aria-hidden="true">
          {state === "regular" ? "●" : "○"}
        </span>{" "}
        {WORDS[state]}
        {holiday !== null && `: ${holiday}`}
      </b>
      <span className="muted num">
        {next.kind} in {spanText(next.at - now)} ({LOCAL.format(next.at).replace(",", "")})
      </span>
      {isSample && <span className="warn tile-note">The sample market trades all day</span>}
    </div>
  );
}

/** Returns the time, which moves on while the page is shown. */
function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

function Mood({ isRunFinished }: { readonly isRunFinished: boolean }) {
  const { data, error } = useQuery({
    ...slowly,
    queryKey: ["signal-index"],
    enabled: isRunFinished,
    queryFn: () => call("get_signal_index", {}),
  });
  return (
    <div className="tile">
      <span className="tile-name">Signal Index</span>
      {data === undefined ? (
        error === null ? (
          <>
            <Skeleton width={90} height={18} />
            <span className="muted tile-note">{!isRunFinished && "with the nightly run"}</span>
          </>
        ) : (
          <span className="muted tile-note">{error.message}</span>
        )
      ) : (
        <>
          <b className="num">
            {fixed(data.value, 0)} <span className="tile-unit">of 100</span>
          </b>
          <span className="muted">
            {data.band?.replaceAll("_", " ") ?? "too few parts"}, {shortDay(data.as_of)}
          </span>
          {data.value !== null && (
            <span className="mood" aria-hidden="true">
              <span style={{ left: `${data.value}%` }} />
            </span>
          )}
        </>
      )}
    </div>
  );
}
