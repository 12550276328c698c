import { Card, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { call } from "../../api/client.ts";
import { slowly } from "../../api/repeat.ts";
import type { Output } from "../../api/tools.ts";
import { barDay, price, shortMoment } from "../../views/format.ts";
import { Grade } from "../../views/parts.tsx";
import { Change } from "../../views/screener/row-parts.tsx";
import { TableHead } from "../../views/table-head.tsx";
import { Failure } from "../shared/failure.tsx";
import { SymbolCell } from "./symbol-cell.tsx";

type Mover = NonNullable<Output<"get_movers">["gainers"]>[number];

const ROWS = 5;

/** The largest gainers and losers of the last close. */
export function Movers({ isRunFinished }: { readonly isRunFinished: boolean }) {
  const { data, error } = useQuery({
    ...slowly,
    queryKey: ["movers"],
    enabled: isRunFinished,
    queryFn: () => call("get_movers", { asset_class: "all", limit: ROWS }),
  });
  return (
    <Card withBorder component="section" aria-labelledby="movers" className="panel movers-panel">
      <header className="panel-head">
        <h2 id="movers">Movers of the last close</h2>
        {data !== undefined && <span className="muted num">{closesText(data.coverage.closes)}</span>}
        <Link href="/screener?sort=change_percent">All by change</Link>
      </header>
      {error !== null && <Failure error={error} />}
      {data === undefined && error === null && <Skeleton height={180} />}
      {!isRunFinished && <p className="muted">Available after the nightly run.</p>}
      {data !== undefined && (
        <div className="movers">
          <MoverTable title="Gainers" rows={data.gainers ?? []} />
          <MoverTable title="Losers" rows={data.losers ?? []} />
        </div>
      )}
      {data?.runs.map(({ run_id, as_of }) => (
        <p key={run_id} className="muted note num">
          Bars until {shortMoment(as_of)}
        </p>
      ))}
    </Card>
  );
}

/** Returns the days of the closes that the rows are of. */
function closesText({ stocks, crypto }: Output<"get_movers">["coverage"]["closes"]): string {
  const [stockDay, coinDay] = [stocks, crypto].map((closed) => (closed === null ? null : barDay(closed)));
  if (stockDay === coinDay || coinDay === null) return stockDay ?? "";
  return stockDay === null ? coinDay! : `stocks ${stockDay}, coins ${coinDay}`;
}

const MoverTable = ({ title, rows }: { readonly title: string; readonly rows: readonly Mover[] }) => (
  <section aria-label={title}>
    <h3>{title}</h3>
    <table className="row-table">
      <TableHead className="hidden" columns={[["Symbol"], ["Close"], ["Change"], ["Grade"]]} />
      <tbody>
        {rows.map(({ symbol, name, close, change_percent, grade }) => (
          <tr key={symbol}>
            <SymbolCell symbol={symbol} name={name} />
            <td className="end num">{price(close)}</td>
            <td className="end">
              <Change percent={change_percent} />
            </td>
            <td className="end">
              <Grade value={grade} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
