import { Skeleton } from "@mantine/core";
import { useEffect, useState } from "react";
import { price } from "../../views/format.ts";
import { Change } from "../../views/screener/row-parts.tsx";
import { hoursAt, spanText } from "./market-hours.ts";
import { Mood } from "./mood.tsx";
import type { Quotes } from "./use-quotes.ts";

/** Instruments that stand for the market, where it has them. */
export const BENCHMARKS = ["SPY", "QQQ", "BTC-USD"] as const;

/** The state of the market: hours, mood and benchmarks. */
export function MarketStrip({
  quotes,
  isRunFinished,
}: {
  readonly quotes: Quotes;
  readonly isRunFinished: boolean;
}) {
  return (
    <section className="strip" aria-label="The market">
      <MarketHours isSample={quotes.of(BENCHMARKS[0])?.source === "sample"} />
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
const UTC = new Intl.DateTimeFormat("en-GB", {
  weekday: "short",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "UTC",
});

function MarketHours({ isSample }: { readonly isSample: boolean }) {
  const now = useNow(30_000);
  const { state, holiday, next } = hoursAt(now);
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
        {next.kind} in {spanText(next.at - now)} ({UTC.format(next.at).replace(",", "")} UTC)
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
