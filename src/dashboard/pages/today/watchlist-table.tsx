import { ActionIcon, Skeleton } from "@mantine/core";
import { barDay, fixed, MISSING, price, shortDay } from "../../views/format.ts";
import { Direction, Grade, GradeLegend } from "../../views/parts.tsx";
import { Change, Sparkline } from "../../views/screener/row-parts.tsx";
import { type HeadColumn, TableHead } from "../../views/table-head.tsx";
import type { Quote } from "./quote-feed.ts";
import { SymbolCell } from "./symbol-cell.tsx";
import type { Quotes } from "./use-quotes.ts";
import type { ScanRow, Verdict } from "./use-verdicts.ts";

const SHORT_RR = <abbr title="Reward to risk">R:R</abbr>;
const HIDDEN_REMOVE = <span className="hidden">Remove</span>;
const COLUMNS: readonly HeadColumn[] = [
  ["Symbol"],
  ["Price", "end"],
  ["Change", "end wide-cell"],
  ["30 closes", "wide-cell"],
  ["Signal"],
  ["Grade"],
  ["Previous", "wide-cell"],
  ["Score", "end wide-cell"],
  ["Reward to risk", "end wide-cell", SHORT_RR],
];
const REMOVE: HeadColumn = ["Remove", undefined, HIDDEN_REMOVE];

interface Row {
  readonly symbol: string;
  readonly scan: ScanRow | undefined;
  readonly reason: string | undefined;
  readonly quote: Quote | undefined;
  readonly before: Verdict | undefined;
}

interface WatchlistTableProps {
  readonly name: string;
  readonly symbols: readonly string[];
  readonly quotes: Quotes;
  readonly rows: ReadonlyMap<string, ScanRow> | undefined;
  readonly reasons: ReadonlyMap<string, string> | undefined;
  readonly before: ReadonlyMap<string, Verdict> | undefined;
  /** Removes a symbol; undefined while the list is only read. */
  readonly onRemove: ((symbol: string) => void) | undefined;
}

/** The symbols of a watchlist with their price now, their signal and that of the previous close. */
export function WatchlistTable({
  name,
  symbols,
  quotes,
  rows,
  reasons,
  before,
  onRemove,
}: WatchlistTableProps) {
  return (
    <>
      <table className={`row-table watchlist${onRemove ? " editing" : ""}`}>
        <caption className="hidden">Watchlist {name}: prices and signals</caption>
        <TableHead columns={onRemove ? [...COLUMNS, REMOVE] : COLUMNS} />
        <tbody>
          {symbols.map((symbol) => (
            <WatchlistRow
              key={symbol}
              row={{
                symbol,
                scan: rows?.get(symbol),
                reason: reasons?.get(symbol) ?? quotes.reasonOf(symbol),
                quote: quotes.of(symbol),
                before: before?.get(symbol),
              }}
              isLoading={rows === undefined}
              isBeforeKnown={before !== undefined}
              onRemove={onRemove}
            />
          ))}
        </tbody>
      </table>
      <GradeLegend />
    </>
  );
}

function WatchlistRow({
  row: { symbol, scan, reason, quote, before },
  isLoading,
  isBeforeKnown,
  onRemove,
}: {
  readonly row: Row;
  readonly isLoading: boolean;
  readonly isBeforeKnown: boolean;
  readonly onRemove: ((symbol: string) => void) | undefined;
}) {
  return (
    <tr>
      <SymbolCell symbol={symbol} name={scan?.name ?? reason} />
      <td className="end num">
        <LivePrice quote={quote} />
        <span className="narrow-cell">
          <Change percent={quote?.changePercent} />
        </span>
      </td>
      <td className="end wide-cell">
        <Change percent={quote?.changePercent} />
      </td>
      <td className="wide-cell">
        <Sparkline closes={scan?.closes} />
      </td>
      <td>
        {scan === undefined ? (
          isLoading ? (
            <Skeleton width={60} height={18} />
          ) : (
            MISSING
          )
        ) : (
          <Direction value={scan.bias} />
        )}
      </td>
      <td>
        {scan === undefined ? MISSING : <Grade value={scan.grade} />}
        <span className="narrow-cell before">
          <Before now={scan} before={before} isKnown={isBeforeKnown} />
        </span>
      </td>
      <td className="wide-cell">
        <Before now={scan} before={before} isKnown={isBeforeKnown} />
      </td>
      <td className="end num wide-cell">{fixed(scan?.score, 0)}</td>
      <td className="end num wide-cell">{fixed(scan?.rr, 2)}</td>
      {onRemove && (
        <td>
          <ActionIcon
            variant="subtle"
            color="red"
            aria-label={`Remove ${symbol}`}
            onClick={() => onRemove(symbol)}
          >
            <span aria-hidden="true">×</span>
          </ActionIcon>
        </td>
      )}
    </tr>
  );
}

/** A price that is highlighted when it changes, with its kind and day if it is not live. */
function LivePrice({ quote }: { readonly quote: Quote | undefined }) {
  if (quote === undefined || quote.price === null) return <span className="muted">{MISSING}</span>;
  const isLast = quote.price_source !== "live_quote" && quote.timestamp !== null;
  return (
    <>
      <span key={quote.timestamp} className="tick" data-price={quote.price}>
        {price(quote.price)}
      </span>
      {isLast && (
        <span className="muted name">
          {quote.price_source?.replaceAll("_", " ")}, {shortDay(quote.timestamp!)}
        </span>
      )}
    </>
  );
}

/** The grade at the previous close, and whether the score was lower or higher; on a phone in one short line. */
function Before({
  now,
  before,
  isKnown,
}: {
  readonly now: ScanRow | undefined;
  readonly before: Verdict | undefined;
  readonly isKnown: boolean;
}) {
  if (now === undefined || !isKnown) return <span className="muted">{MISSING}</span>;
  if (before === undefined || (before.grade === now.grade && before.direction === now.bias))
    return (
      <span className="muted">
        <span className="wide-cell">{now.grade} </span>unchanged
      </span>
    );
  const rise = Math.round(now.score) - Math.round(before.score ?? now.score);
  const [name, sign] = rise > 0 ? ["up", "▲"] : rise < 0 ? ["down", "▼"] : ["muted", "◆"];
  return (
    <span title={before.decided_at === null ? undefined : `Close of ${barDay(before.decided_at)}`}>
      <span className="wide-cell">
        {before.grade ?? MISSING} {before.direction !== now.bias && before.direction}
      </span>
      <span className={`${name} name num`}>
        <span aria-hidden="true">{sign}</span> from{" "}
        <span className="narrow-inline">{before.grade ?? MISSING}</span>
        <span className="wide-cell">score {fixed(before.score, 0)}</span>
      </span>
    </span>
  );
}
