import { Card, Skeleton } from "@mantine/core";
import { Link } from "wouter";
import type { Output } from "../../api/tools.ts";
import { fixed, shortMoment } from "../../views/format.ts";
import { Direction, Grade, GradeLegend } from "../../views/parts.tsx";
import { Failure } from "../shared/failure.tsx";
import { SymbolCell } from "./symbol-cell.tsx";

/** The strongest setups of the newest nightly run. */
export function Setups({
  data,
  error,
}: {
  readonly data: Output<"screen_universe"> | undefined;
  readonly error: Error | null;
}) {
  const run = data?.runs[0];
  return (
    <Card withBorder component="section" aria-labelledby="setups" className="panel">
      <header className="panel-head">
        <h2 id="setups">Best setups of the nightly run</h2>
        <Link href="/screener?sort=setup">All {data?.total}</Link>
      </header>
      {error !== null && <Failure error={error} />}
      {data === undefined && error === null && <Skeleton height={200} />}
      {data !== undefined && (
        <table className="row-table">
          <caption className="hidden">Strongest setups of the newest nightly run</caption>
          <thead>
            <tr>
              <th scope="col">Symbol</th>
              <th scope="col">Signal</th>
              <th scope="col">Grade</th>
              <th scope="col" className="end">
                <abbr title="Reward to risk">R:R</abbr>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.results.map(({ symbol, name, bias, grade, actionCard }) => (
              <tr key={symbol}>
                <SymbolCell symbol={symbol} name={name} />
                <td>
                  <Direction value={bias} />
                </td>
                <td>
                  <Grade value={grade} />
                </td>
                <td className="end num">{fixed(actionCard.rr, 2)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {data !== undefined && <GradeLegend />}
      {run !== undefined && (
        <p className="muted note">
          Bars until {shortMoment(run.as_of)}
          {run.runAt === null ? "; the run is in progress" : `; computed ${shortMoment(run.runAt)}`}
          {run.stale && " (older than a day)"}
        </p>
      )}
    </Card>
  );
}
