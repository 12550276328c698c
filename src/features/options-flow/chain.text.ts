import type { ChainContract, OptionChainPage } from "../../domain/options-flow/chain.ts";
import { nextPageLine, type Paint } from "../../domain/terminal.ts";
import { alignedTable } from "../../lib/aligned-table.ts";

const COLUMNS = [
  "bid",
  "ask",
  "mid",
  "last",
  "volume",
  "open_interest",
  "iv",
  "delta",
  "gamma",
  "theta",
  "vega",
] as const satisfies readonly (keyof ChainContract)[];

interface ChainView extends OptionChainPage {
  readonly symbol: string;
  readonly notes: readonly string[];
}

/** Formats a page of an option chain as a table; a dash stands for a missing figure. */
export function formatChain(view: ChainView, paint: Paint): string {
  const { symbol, coverage, underlying, contracts, total, expiries, provenance, next_cursor } = view;
  if (coverage.status !== "covered") return `${paint("bold", symbol)} ${coverage.reason}`;
  const price = underlying.price === null ? "" : ` at $${underlying.price}`;
  const origin = `from ${provenance?.provider ?? "no provider"}, as of ${view.as_of}, ${view.delay_minutes} minutes delayed`;
  const rows = contracts.map((contract) => [
    `${contract.expiry} ${contract.strike} ${contract.type}`,
    ...COLUMNS.map((column) => String(contract[column] ?? "-")),
  ]);
  return [
    `${paint("bold", `${symbol}${price}`)} ${paint("dim", `${contracts.length} of ${total} contracts, ${origin}`)}`,
    ...(rows.length === 0 ? [] : alignedTable([["contract", ...COLUMNS], ...rows])),
    ...view.missing.map((one) => paint("dim", `${one.field} is missing in ${one.contracts}: ${one.reason}`)),
    paint("dim", `expiries: ${expiries.join(", ") || "none"}`),
    ...nextPageLine(next_cursor, paint),
    ...view.notes.map((note) => paint("yellow", note)),
  ].join("\n");
}
