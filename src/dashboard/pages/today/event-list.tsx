import { Card, Skeleton } from "@mantine/core";
import { Link } from "wouter";
import type { Output } from "../../api/tools.ts";
import { Failure } from "../shared/failure.tsx";

type Calendar = Output<"get_calendar">;

const DAY = new Intl.DateTimeFormat("en-GB", {
  weekday: "short",
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});
const MAX_EVENTS = 8;

/** Returns the events to come, by date. */
export function eventsOf({ next_reports, earnings, market_days }: Calendar, isOfList: boolean) {
  const reports = isOfList
    ? next_reports.flatMap(({ symbol, date, hour, confirmed }) =>
        date === null ? [] : [{ date, symbol, hour, confirmed }],
      )
    : earnings.map(({ symbol, date, hour, confirmed }) => ({ date, symbol, hour, confirmed }));
  const sentences = reports.map(({ date, symbol, hour, confirmed }) => ({
    date,
    symbol,
    text: `reports earnings${hour ? `, ${hour.replaceAll("_", " ")}` : ""}${confirmed === false ? " (estimated date)" : ""}`,
  }));
  const closures = market_days.map(({ date, kind, name }) => ({
    date,
    symbol: null,
    text: kind === "half" ? `${name}: exchanges close at 13:00 New York` : `${name}: exchanges closed`,
  }));
  return [...sentences, ...closures].sort((a, b) => a.date.localeCompare(b.date));
}

/** The next reports of a watchlist, or of all companies without one, and the next holidays. */
export function EventList({
  calendar,
  error,
  isOfList,
}: {
  readonly calendar: Calendar | undefined;
  readonly error: Error | null;
  readonly isOfList: boolean;
}) {
  const events = calendar === undefined ? [] : eventsOf(calendar, isOfList);
  const undated = isOfList ? (calendar?.next_reports.filter(({ date }) => date === null) ?? []) : [];
  return (
    <Card withBorder component="section" aria-labelledby="events" className="panel">
      <header className="panel-head">
        <h2 id="events">Next events</h2>
        <span className="muted">{isOfList ? "of your watchlist" : "of the market"}</span>
      </header>
      {error !== null && <Failure error={error} />}
      {calendar === undefined && error === null && <Skeleton height={80} />}
      {calendar !== undefined && events.length === 0 && <p className="muted">No event is known.</p>}
      <ul className="events">
        {events.slice(0, MAX_EVENTS).map(({ date, symbol, text }) => (
          <li key={`${date} ${symbol} ${text}`}>
            <time dateTime={date} className="num muted">
              {DAY.format(new Date(date)).replace(",", "")}
            </time>
            <span>
              {symbol !== null && <Link href={`/symbol/${encodeURIComponent(symbol)}`}>{symbol}</Link>} {text}
            </span>
          </li>
        ))}
      </ul>
      {undated.length > 0 && (
        <details className="muted">
          <summary>{undated.length} without a date</summary>
          <ul className="reasons">
            {undated.map(({ symbol, reason }) => (
              <li key={symbol}>
                {symbol}: {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </Card>
  );
}
