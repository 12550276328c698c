import { DataTable } from "../data-table.tsx";
import { fixed, MISSING, plainName, signedPercent } from "../format.ts";
import { Figure, Rows } from "../parts.tsx";
import type { Backtest } from "./backtest-data.ts";

interface IntervalProps {
  readonly low: number | null;
  readonly high: number | null;
  readonly digits: number;
}

const Interval = ({ low, high, digits }: IntervalProps) =>
  low === null || high === null ? null : (
    <small>
      {fixed(low, digits)} to {fixed(high, digits)}
    </small>
  );

/** The figures of a run beside buy and hold, and how much its costs took. */
export function Figures({ run }: { readonly run: Backtest }) {
  const { metrics, intervals, costs, years, years_left_out, undefined_metrics } = run;
  const range = intervals.annual_return_pct;
  const sharpe = intervals.sharpe_arithmetic;
  return (
    <section>
      <h3>Figures</h3>
      <div className="figures">
        <Figure name="Return">{signedPercent(metrics.return_pct)}</Figure>
        <Figure name="Buy and hold">{signedPercent(metrics.buy_hold_return_pct)}</Figure>
        <Figure name="Annual return (95 %)">
          {signedPercent(metrics.annual_return_pct)} <Interval {...range} digits={1} />
        </Figure>
        <Figure name="Max drawdown">{signedPercent(metrics.max_drawdown)}</Figure>
        <Figure name="Sharpe ratio (95 %)">
          {fixed(metrics.sharpe_arithmetic, 2)} <Interval {...sharpe} digits={2} />
        </Figure>
        <Figure name="Win rate">
          {metrics.win_rate === null ? MISSING : `${fixed(metrics.win_rate, 0)} %`}{" "}
          <small>of {metrics.trade_count}</small>
        </Figure>
        <Figure name="Profit factor">{fixed(metrics.profit_factor, 2)}</Figure>
        <Figure name="Time in market">{fixed(metrics.exposure_pct, 0)} %</Figure>
      </div>
      <Rows label="Costs">
        <table>
          <thead>
            <tr>
              <th scope="col">Costs</th>
              <th scope="col">Return</th>
              <th scope="col">Sharpe</th>
              <th scope="col">Trades</th>
            </tr>
          </thead>
          <tbody>
            {costs.map(({ part, return_pct, sharpe_arithmetic, trade_count }) => (
              <tr key={part}>
                <th scope="row">{part}</th>
                <td>{signedPercent(return_pct)}</td>
                <td>{fixed(sharpe_arithmetic, 2)}</td>
                <td>{trade_count}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Rows>
      <DataTable
        caption={`Years${years_left_out > 0 ? ` (${years_left_out} older omitted)` : ""}`}
        columns={["Year", "Return", "Buy and hold", "Max drawdown", "Sharpe", "Trades"]}
        rows={years.map((year) => [
          year.part,
          signedPercent(year.return_pct),
          signedPercent(year.buy_hold_return_pct),
          signedPercent(year.max_drawdown),
          fixed(year.sharpe_arithmetic, 2),
          year.trade_count,
        ])}
      />
      <DataTable
        caption="All figures"
        columns={["Figure", "Value"]}
        rows={Object.entries(metrics).map(([name, value]) => [
          plainName(name),
          value === null
            ? (undefined_metrics.find(({ metric }) => metric === name)?.reason ?? MISSING)
            : fixed(value, 2),
        ])}
      />
    </section>
  );
}
