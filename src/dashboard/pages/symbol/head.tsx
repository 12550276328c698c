import { dayText, MISSING, momentText, price, signedPercent } from "../../views/format.ts";
import { Direction, Grade } from "../../views/parts.tsx";
import type { Plan } from "../../views/signal/facts.ts";
import { WatchOnly } from "../../views/signal/verdict.tsx";
import type { SymbolPage } from "./use-symbol.ts";

const STATES: Readonly<Record<string, string>> = {
  pre: "pre-market",
  regular: "market open",
  post: "after hours",
  closed: "market closed",
  always_open: "open around the clock",
};

interface HeadProps {
  /** Everything known now. */
  readonly page: SymbolPage;
  /** Everything known at the moment shown; undefined while it loads. */
  readonly shown: SymbolPage | undefined;
  /** Day of the past; null: now. */
  readonly asOf: string | null;
  /** Plan of the signal shown. */
  readonly plan: Plan | null;
}

/** The symbol with its price, the change of the day and the verdict. */
export function Head({ page, shown, asOf, plan }: HeadProps) {
  const { price: now } = page;
  const { price: at } = shown ?? page;
  // the price now is not that of a past day, whose own is loading
  const isLoading = asOf !== null && shown === undefined;
  const value = isLoading ? null : (at.price ?? at.last_close);
  const signal = shown?.signal?.signal;
  return (
    <header className="symbol-head">
      <div className="symbol-name">
        <h1>{page.symbol}</h1>
        <span className="muted">
          {page.name}
          {page.sector === null ? "" : ` · ${page.sector}`}
        </span>
      </div>
      <div className="symbol-price num">
        <b>{value === null ? MISSING : price(value)}</b>
        <Change value={isLoading ? null : at.change} percent={at.change_percent} />
        <span className="muted symbol-state">
          {asOf !== null
            ? `as of ${dayText(asOf)}`
            : `${STATES[now.market_state]} · ${
                now.price === null
                  ? `last close of ${now.last_close_day === null ? "an unknown day" : dayText(now.last_close_day)}`
                  : now.price_as_of === null
                    ? ""
                    : momentText(now.price_as_of)
              }`}
        </span>
      </div>
      <div className="symbol-verdict">
        {signal !== undefined && (
          <>
            <Direction value={signal.direction} />
            <Grade value={signal.grade} direction={signal.direction} />
            <WatchOnly plan={plan} />
          </>
        )}
      </div>
      {at.price === null && at.price_reason !== null && <p className="muted">{at.price_reason}</p>}
    </header>
  );
}

function Change({ value, percent }: { readonly value: number | null; readonly percent: number | null }) {
  if (value === null) return null;
  if (value === 0) return <span className="muted">◆ unchanged</span>;
  return (
    <span className={value < 0 ? "down" : "up"}>
      <span aria-hidden="true">{value < 0 ? "▼" : "▲"} </span>
      {price(Math.abs(value))} ({signedPercent(percent)})
    </span>
  );
}
