import { Card } from "@mantine/core";
import { Link } from "wouter";
import { MarketLabel } from "../../views/parts.tsx";
import { Failure } from "../shared/failure.tsx";
import { ReadOnly } from "../shared/no-rights.tsx";
import type { Quotes } from "./use-quotes.ts";
import { beforeNewestClose, useChanges, useScan, verdictsBefore } from "./use-verdicts.ts";
import { WatchlistTable } from "./watchlist-table.tsx";

/** Well-known symbols of the market, for a viewer, who cannot save a watchlist. */
export function MarketList({
  symbols,
  quotes,
}: {
  readonly symbols: readonly string[];
  readonly quotes: Quotes;
}) {
  const scan = useScan(symbols);
  const changes = useChanges(
    symbols,
    scan.data === undefined ? null : beforeNewestClose(scan.data.rows.values()),
  );
  const source = scan.data?.rows.values().next().value?.source;
  return (
    <Card withBorder component="section" aria-labelledby="market-list" className="panel">
      <header className="panel-head">
        <h2 id="market-list">Symbols of this market</h2>
        {source !== undefined && <MarketLabel source={source} />}
        <Link href="/screener">All</Link>
      </header>
      <ReadOnly />
      {scan.error !== null && <Failure error={scan.error} />}
      <WatchlistTable
        name="this market"
        symbols={symbols}
        quotes={quotes}
        rows={scan.data?.rows}
        reasons={scan.data?.errors}
        before={changes.data && verdictsBefore(changes.data)}
        onRemove={undefined}
      />
    </Card>
  );
}
