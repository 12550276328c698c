import type { ChainContract, OptionChainPage } from "../../domain/options-flow/chain.ts";
import { type Column, formatTable } from "../../domain/table.text.ts";
import { nextPageLine, type Paint } from "../../domain/terminal.ts";

const figure = (name: keyof ChainContract, rank = 0): Column<ChainContract> => ({
  head: name.replaceAll("_", " "),
  cell: (contract) => String(contract[name] ?? "-"),
  rank,
});
const COLUMNS = [
  { head: "contract", cell: ({ expiry, strike, type }: ChainContract) => `${expiry} ${strike} ${type}` },
  ...[figure("bid"), figure("ask"), figure("mid", 5), figure("last", 4), figure("volume")],
  ...[figure("open_interest"), figure("iv", 1), figure("delta", 2)],
  ...[figure("gamma", 8), figure("theta", 7), figure("vega", 6)],
];

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
  return [
    `${paint("bold", `${symbol}${price}`)} ${paint("dim", `${contracts.length} of ${total} contracts, ${origin}`)}`,
    ...(contracts.length === 0 ? [] : formatTable(contracts, COLUMNS, paint)),
    ...view.missing.map((one) => paint("dim", `${one.field} is missing in ${one.contracts}: ${one.reason}`)),
    paint("dim", `expiries: ${expiries.join(", ") || "none"}`),
    ...nextPageLine(next_cursor, paint),
    ...view.notes.map((note) => paint("yellow", note)),
  ].join("\n");
}
