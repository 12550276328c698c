import { Link } from "wouter";

/** The header cell of a row: its symbol, which opens the page, and a text below. */
export const SymbolCell = ({
  symbol,
  name,
}: {
  readonly symbol: string;
  readonly name: string | undefined;
}) => (
  <th scope="row" className="symbol-cell">
    <Link href={`/symbol/${encodeURIComponent(symbol)}`}>{symbol}</Link>
    <span className="muted name">{name}</span>
  </th>
);
