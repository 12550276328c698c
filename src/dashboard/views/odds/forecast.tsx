import { useMemo } from "react";
import type { Call } from "../../api/tools.ts";
import { LineChart } from "../../charts/line-chart.tsx";
import { DataTable } from "../data-table.tsx";
import { dayText, fixed, MISSING, percent, price, signedR, whole } from "../format.ts";
import { Figure, MarketLabel, Rows } from "../parts.tsx";
import { useAnswer } from "../use-answer.ts";
import { fanOf, type Odds, rangeAt } from "./fan-data.ts";
import { Outcomes } from "./outcomes.tsx";
import { TouchTable } from "./touch-table.tsx";

/** Number of past closes before the fan. */
const PAST = 60;
/** A concise answer has fewer ranges than this; a chart needs more. */
const FEW_RANGES = 6;

/** How far the price of one symbol may move, with the base of every figure. */
export function Forecast({ odds, call }: { readonly odds: Odds; readonly call: Call | null }) {
  const { symbol, timeframe, horizon, volatility, plan, data_as_of } = odds;
  const past = useAnswer(call, "get_history", { symbol, timeframe, limit: PAST, as_of: data_as_of });
  const isShort = odds.ranges.length < FEW_RANGES;
  const full = useAnswer(
    call,
    "get_odds",
    isShort ? { symbol, timeframe, horizon, as_of: data_as_of, detail: "full" } : null,
  );
  const ranges = full?.ranges ?? odds.ranges;
  const fan = useMemo(() => fanOf({ ...odds, ranges }, past?.bars ?? []), [odds, ranges, past]);
  const range = rangeAt(odds, horizon);
  const { options } = volatility;
  return (
    <article className="view">
      <header className="view-head">
        <h2>{symbol} odds</h2>
        <span className="view-price num">{price(odds.from)}</span>
        <span className="muted">
          close of {dayText(data_as_of)}, {timeframe} bars
        </span>
        <MarketLabel source={odds.market} />
      </header>
      <p className="lead">
        In {range.bars} bars the close is between <b className="num">{price(range.p5)}</b> and{" "}
        <b className="num">{price(range.p95)}</b> in 90 of 100 cases. No view on direction.
      </p>
      {odds.stale_notes?.map((note) => (
        <p className="note warn" key={note}>
          ◆ {note}
        </p>
      ))}
      <div className="columns">
        <section>
          <LineChart
            label={`Fan of ${symbol}: ranges of the close up to ${odds.ranges.at(-1)?.bars} bars ahead; the table below has its data`}
            height={260}
            {...fan}
            ticks={ticksOf(odds, past?.count ?? 0)}
            at={range.bars}
            format={price}
            formatX={(bar) => (bar === 0 ? "last close" : bar > 0 ? `in ${bar} bars` : `${-bar} bars ago`)}
          />
          <DataTable
            caption="Ranges"
            columns={["Bars", "5 %", "25 %", "50 %", "75 %", "95 %", "Base 5 %", "Base 95 %"]}
            rows={ranges.map(({ bars, p5, p25, p50, p75, p95, base }) => [
              bars,
              ...[p5, p25, p50, p75, p95, base?.p5, base?.p95].map(price),
            ])}
          />
        </section>
        <section>
          <div className="figures">
            <Figure name={`Move in ${range.bars} bars (base)`}>
              {fixed(range.move_percent, 1)} % <small>({fixed(range.base_move_percent, 1)} %)</small>
            </Figure>
            <Figure name="Forecast volatility, annualized">{fixed(volatility.horizon_percent, 1)} %</Figure>
            <Figure name="Realized volatility, 20 / 60 bars">
              {fixed(volatility.realized_20_percent, 1)} / {fixed(volatility.realized_60_percent, 1)} %
            </Figure>
            <Figure name={options === null ? "Implied move" : `Implied move, ${options.bars} bars`}>
              {options === null ? MISSING : `${fixed(options.implied_move_percent, 1)} %`}
            </Figure>
          </div>
          {volatility.options_reason !== null && (
            <p className="note muted">No implied move: {volatility.options_reason}</p>
          )}
          {plan !== null && (
            <section>
              <h3>
                {plan.side} with stop {price(plan.stop)} and target {price(plan.target)}, {plan.bars} bars
              </h3>
              <Outcomes odds={plan} base={plan.base} windows={plan.base?.windows} />
              {plan.expected_r && (
                <p className="note muted num">
                  Expected result {signedR(plan.expected_r.mean)}; past windows {signedR(plan.base?.mean_r)}.
                </p>
              )}
            </section>
          )}
          {odds.levels.length > 0 && <TouchTable odds={odds} />}
        </section>
      </div>
      {odds.past_coverage.length > 0 && (
        <section>
          <h3>Did such ranges hold in the past?</h3>
          <Rows label="Past coverage">
            <table>
              <thead>
                <tr>
                  <th scope="col">Bars</th>
                  <th scope="col">50 %</th>
                  <th scope="col">80 %</th>
                  <th scope="col">90 %</th>
                  <th scope="col">Forecasts</th>
                </tr>
              </thead>
              <tbody>
                {odds.past_coverage.map(({ bars, cover_50, cover_80, cover_90, forecasts }) => (
                  <tr key={bars}>
                    <th scope="row">{bars}</th>
                    <td>{percent(cover_50, 1)}</td>
                    <td>{percent(cover_80, 1)}</td>
                    <td>{percent(cover_90, 1)}</td>
                    <td>{whole(forecasts)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Rows>
          <p className="note muted">
            Share of closes inside a range of that size; {odds.past_coverage_basis ?? "basis unknown"}.
          </p>
        </section>
      )}
      {odds.notes?.map((note) => (
        <p className="note muted" key={note}>
          {note}
        </p>
      ))}
    </article>
  );
}

const ticksOf = ({ ranges }: Odds, past: number) => {
  const last = ranges.at(-1)?.bars ?? 0;
  return [...(past > 30 ? [-40, -20] : []), 0, 20, 40, 60]
    .filter((bar) => bar <= last)
    .map((bar) => ({ x: bar, text: bar === 0 ? "now" : bar > 0 ? `+${bar}` : `−${-bar}` }));
};
