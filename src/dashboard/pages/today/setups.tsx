import { Card, Skeleton } from "@mantine/core";
import { Link } from "wouter";
import type { Output } from "../../api/tools.ts";
import { fixed, MISSING, shortMoment, withMinus } from "../../views/format.ts";
import { Direction, Grade, GradeLegend } from "../../views/parts.tsx";
import { Failure } from "../shared/failure.tsx";
import { SymbolCell } from "./symbol-cell.tsx";

/** The strongest readings of the newest nightly run, each with the result that its plan is expected to have. */
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
        <h2 id="setups">Strongest readings of the night</h2>
        <Link href="/screener?sort=setup">All {data?.total}</Link>
      </header>
      {error !== null && <Failure error={error} />}
      {data === undefined && error === null && <Skeleton height={200} />}
      {data !== undefined && (
        <table className="row-table">
          <caption className="hidden">Strongest readings of the newest nightly run</caption>
          <thead>
            <tr>
              <th scope="col">Symbol</th>
              <th scope="col">Signal</th>
              <th scope="col">Grade</th>
              <th scope="col" className="end">
                <abbr title="Reward to risk">R:R</abbr>
              </th>
              <th scope="col" className="end">
                Exp. R
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
                <td className="end num">
                  <ExpectedR odds={actionCard.odds} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {data !== undefined && (
        <>
          <GradeLegend />
          <p className="muted note">
            Exp. R: expected result of the plan in multiples of its risk; base: that of past windows.
          </p>
        </>
      )}
      {data?.notes.map((text) => (
        <RecordNote key={text} text={withMinus(text)} />
      ))}
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

/** A note whose parts, such as one for each grade, are closed at first. */
function RecordNote({ text }: { readonly text: string }) {
  const [head, ...rest] = text.split(": ");
  if (rest.length === 0) return <p className="muted note">{text}</p>;
  return (
    <details className="record">
      <summary className="warn">{head}</summary>
      <ul className="muted num">
        {rest
          .join(": ")
          .split("; ")
          .map((part) => (
            <li key={part}>{part}</li>
          ))}
      </ul>
    </details>
  );
}

type Odds = Output<"screen_universe">["results"][number]["actionCard"]["odds"];

/** The expected result of a plan, beside what the same plan came to in past windows. */
function ExpectedR({ odds }: { readonly odds: Odds }) {
  const mean = odds?.expected_r?.mean;
  if (mean === undefined) return <span className="muted">{MISSING}</span>;
  return (
    <>
      <span className={mean < 0 ? "down" : "up"}>
        <span aria-hidden="true">{mean < 0 ? "▼" : "▲"}</span> {signedFixed(mean)}
      </span>
      <span className="muted name">base {signedFixed(odds?.base?.mean_r)}</span>
    </>
  );
}

const signedFixed = (value: number | undefined): string =>
  value === undefined ? MISSING : `${value < 0 ? "−" : "+"}${fixed(Math.abs(value), 2)}`;
