import "../sections.css";
import "./screener.css";
import { useState } from "react";
import type { Output } from "../../api/tools.ts";
import { fixed, price, shortMoment } from "../format.ts";
import { Direction, Grade, GradeLegend, MarketLabel } from "../parts.tsx";
import { type HeadColumn, TableHead } from "../table-head.tsx";
import type { ViewProps } from "../view.ts";
import { Plan } from "./plan.tsx";
import { Change, Sparkline } from "./row-parts.tsx";
import { type TableRow, tableRow } from "./table-row.ts";

type Screen = Output<"screen_universe">;
type Scan = Output<"scan_symbols">;

/** Rows of a screen or a scan as a compact table; a row opens its plan. */
export function View({ output }: ViewProps<"screen_universe" | "scan_symbols">) {
  const rows = output.results.map(tableRow);
  const hasCloses = rows.some(({ closes }) => closes);
  const [open, setOpen] = useState<string | null>(null);
  return (
    <article className="view">
      <header className="view-head">
        <h2>{titleOf(output)}</h2>
        <MarketLabel source={output.market} />
        <span className="muted">{basisOf(output)}</span>
      </header>
      {rows.length === 0 && <p>No symbol passes these filters.</p>}
      {rows.length > 0 && (
        <table className="row-table">
          <caption className="hidden">{titleOf(output)}</caption>
          <TableHead columns={hasCloses ? COLUMNS : COLUMNS.filter((column) => column !== CLOSES)} />
          <tbody>
            {rows.map((row) => (
              <ViewRow
                key={row.symbol}
                row={row}
                hasCloses={hasCloses}
                isOpen={open === row.symbol}
                onToggle={() => setOpen(open === row.symbol ? null : row.symbol)}
              />
            ))}
          </tbody>
        </table>
      )}
      {rows.length > 0 && <GradeLegend />}
      <Reasons output={output} />
    </article>
  );
}

const CLOSES: HeadColumn = ["30 closes", "wide-cell"];
const COLUMNS: readonly HeadColumn[] = [
  ["Symbol"],
  ["Signal"],
  ["Grade"],
  ["Score", "end"],
  ["Close", "end"],
  ["Change", "end wide-cell"],
  CLOSES,
  ["Reward to risk", "end wide-cell"],
];

function ViewRow({
  row,
  hasCloses,
  isOpen,
  onToggle,
}: {
  readonly row: TableRow;
  readonly hasCloses: boolean;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}) {
  const { symbol, name, bias, grade, score, close, change_percent, closes, plan } = row;
  return (
    <>
      <tr>
        <th scope="row" className="symbol-cell">
          <button type="button" className="opens" aria-expanded={isOpen} onClick={onToggle}>
            {symbol}
          </button>
          <span className="muted name">{name}</span>
        </th>
        <td>
          <Direction value={bias} />
        </td>
        <td>
          <Grade value={grade} />
        </td>
        <td className="end num">{fixed(score, 0)}</td>
        <td className="end num">
          {price(close)}
          <span className="narrow-cell">
            <Change percent={change_percent} />
          </span>
        </td>
        <td className="end wide-cell">
          <Change percent={change_percent} />
        </td>
        {hasCloses && (
          <td className="wide-cell">
            <Sparkline closes={closes} />
          </td>
        )}
        <td className="end num wide-cell">{fixed(plan.rr, 2)}</td>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={COLUMNS.length} className="opened">
            <Plan row={row} />
          </td>
        </tr>
      )}
    </>
  );
}

const isScreen = (output: Screen | Scan): output is Screen => "universe" in output;

const titleOf = (output: Screen | Scan): string =>
  isScreen(output)
    ? `${output.results.length} of ${output.total} symbols`
    : `${output.count} of ${output.scanned} symbols, ${output.timeframe}`;

/** Says when the figures are from. */
function basisOf(output: Screen | Scan): string {
  if (isScreen(output))
    return output.runs.map(({ as_of }) => `closes until ${shortMoment(as_of)}`).join(", ");
  const times = output.results.map(({ as_of }) => as_of).sort();
  return times.length === 0 ? "" : `closes until ${shortMoment(times.at(-1)!)}`;
}

/** Notes, and symbols without a result. */
function Reasons({ output }: { readonly output: Screen | Scan }) {
  const failed = isScreen(output) ? [] : output.errors.map(({ symbol, message }) => `${symbol}: ${message}`);
  const lines = [...failed, ...(output.stale_notes ?? []), ...output.notes];
  if (lines.length === 0) return null;
  return (
    <details className="notes">
      <summary>{lines.length === 1 ? "1 note" : `${lines.length} notes`}</summary>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </details>
  );
}
