import { DataTable } from "../../views/data-table.tsx";
import { dayText, MISSING, momentText, percent, price } from "../../views/format.ts";
import type { SymbolPage } from "./use-symbol.ts";

const USD = new Intl.NumberFormat("en-US", {
  notation: "compact",
  style: "currency",
  currency: "USD",
  maximumFractionDigits: 1,
});
const HOURS: Readonly<Record<string, string>> = {
  before_open: "before the open",
  after_close: "after the close",
};

/** The next reports, dividends, splits and holidays. */
export function Dates({ page }: { readonly page: SymbolPage }) {
  const { events, events_reason: reason } = page;
  return (
    <section className="card symbol-later">
      <h2>Next events</h2>
      {(events ?? []).length === 0 && <p className="muted">No event is known. {reason}</p>}
      <ul className="dates">
        {(events ?? []).map(({ kind, date, hour, confirmed, amount, detail }) => (
          <li key={`${kind} ${date}`}>
            <span className="num">{dayText(date)}</span>
            <span>
              {detail}
              {hour === null ? "" : `, ${HOURS[hour] ?? hour}`}
              {amount === null ? "" : `, ${amount} USD`}
              {confirmed === false && <span className="muted"> (estimated)</span>}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

type Headline = NonNullable<SymbolPage["news"]>[number];
/** Headlines shown at first. */
const NEWEST = 4;

/** The newest headlines, as their publishers wrote them. */
export function News({ page }: { readonly page: SymbolPage }) {
  const { news, news_reason: reason } = page;
  const all = news ?? [];
  return (
    <section className="card symbol-later">
      <h2>News</h2>
      {all.length === 0 && <p className="muted">No headlines. {reason}</p>}
      <Headlines of={all.slice(0, NEWEST)} />
      {all.length > NEWEST && (
        <details className="data">
          <summary>{all.length - NEWEST} older headlines</summary>
          <Headlines of={all.slice(NEWEST)} />
        </details>
      )}
    </section>
  );
}

const Headlines = ({ of }: { readonly of: readonly Headline[] }) => (
  <ul className="news">
    {of.map(({ title, publisher, published_at: at, url }) => (
      <li key={`${at} ${title}`}>
        {url === null ? (
          title
        ) : (
          <a href={url} target="_blank" rel="noreferrer nofollow">
            {title}
          </a>
        )}
        <span className="muted num">
          {publisher ?? "unknown publisher"}, {at === null ? "time unknown" : momentText(at)}
        </span>
      </li>
    ))}
  </ul>
);

/** Prices of large off-exchange volume, and how often they held. */
export function OffExchange({ page }: { readonly page: SymbolPage }) {
  const { off_exchange: part, off_exchange_reason: reason } = page;
  if (part === null)
    return (
      <section className="card symbol-later">
        <h2>Off-exchange</h2>
        <p className="muted">No levels: {reason}</p>
      </section>
    );
  const { levels, conviction } = part;
  return (
    <section className="card symbol-later">
      <h2>Off-exchange</h2>
      {conviction !== null && (
        <p>
          {conviction.conviction.toLowerCase()} conviction
          {conviction.hold_rate !== null &&
            `: ${percent(conviction.hold_rate)} of ${conviction.tests} tests held, against ${percent(conviction.control_rate)} elsewhere`}
        </p>
      )}
      {levels.length === 0 ? (
        <p className="muted">No level in the last 30 days. {part.coverage.reason}</p>
      ) : (
        <DataTable
          caption="Levels"
          columns={["Price", "Traded", "Held", "Broken", "First seen"]}
          rows={levels.map(({ price: at, notional, holds, fails, first_seen: seen }) => [
            price(at),
            notional === null ? MISSING : USD.format(notional),
            holds,
            fails,
            seen === null ? MISSING : dayText(seen),
          ])}
        />
      )}
    </section>
  );
}
