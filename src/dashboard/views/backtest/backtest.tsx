import "../sections.css";
import { LineChart } from "../../charts/line-chart.tsx";
import { DataTable } from "../data-table.tsx";
import { dayText, fixed, plainName, price, whole } from "../format.ts";
import { MarketLabel } from "../parts.tsx";
import { Change } from "../screener/row-parts.tsx";
import { useAnswer } from "../use-answer.ts";
import type { ViewProps } from "../view.ts";
import { type Backtest, drawdownLine, equityLines, timeTicks } from "./backtest-data.ts";
import { Figures } from "./figures.tsx";
import { Honesty } from "./honesty.tsx";
import { Trades } from "./trades.tsx";

/** Points of the curve of equity that the view asks for. */
const POINTS = 400;
const drawdownText = (value: number): string => `${fixed(value, 0)} %`;

/** A backtest: what it made, how deep it fell, its trades, and the reasons to distrust it. */
export function View({
  output,
  call,
}: Omit<ViewProps<"get_backtest">, "output"> & { readonly output: Backtest }) {
  const isShort = output.equity_left_out > 0 && output.equity.length < POINTS;
  const full = useAnswer(
    call,
    "get_backtest",
    isShort ? { backtest_id: output.id, detail: "full", points: POINTS } : null,
  );
  const run = full ?? output;
  const { symbols, strategy, params, rules, from, to, timeframe, account, equity, metrics } = run;
  const fall = drawdownLine(run);
  const ticks = timeTicks(fall.points[0]?.x ?? 0, fall.points.at(-1)?.x ?? 0);
  return (
    <article className="view">
      <header className="view-head">
        <h2>{symbols.join(", ")}</h2>
        <span>{strategy === "rules" ? "custom rules" : plainName(strategy)}</span>
        <span className="view-price">
          <Change percent={metrics.return_pct} />
        </span>
        <MarketLabel source={run.market} />
      </header>
      <p className="note muted num">
        {from} to {to}, {timeframe} bars
        {Object.entries(params).map(([name, value]) => `, ${plainName(name)} ${value}`)}; cash{" "}
        {whole(account.cash)} USD
      </p>
      {rules !== null && (
        <p className="note">
          Entry: {conditionText(rules.entry)}
          {rules.exit && `; exit: ${conditionText(rules.exit)}`}
          {rules.stop && `; stop ${rules.stop}`}
          {rules.target && `; target ${rules.target}`}
        </p>
      )}
      <Honesty run={run} />
      <div className="columns">
        {equity.length > 1 && (
          <section>
            <h3>Equity</h3>
            <LineChart
              label={`Equity from ${from} to ${to}; the table below has its data`}
              height={210}
              lines={equityLines(run)}
              levels={[{ y: account.cash, text: "start", tone: "flat" }]}
              ticks={ticks}
              format={whole}
              formatX={dayText}
            />
            <LineChart
              label={`Drawdown from ${from} to ${to}; the table below has its data`}
              height={110}
              lines={[fall]}
              ticks={ticks}
              format={drawdownText}
              formatX={dayText}
            />
            <DataTable
              caption="Equity and drawdown"
              columns={["Bar", "Equity", "Buy and hold", "Drawdown, %"]}
              rows={equity.map(({ time, equity: value, buy_hold }, index) => [
                time,
                price(value),
                price(buy_hold),
                fixed(fall.points[index]?.y, 2),
              ])}
            />
          </section>
        )}
        <Figures run={run} />
      </div>
      <Trades run={run} call={call} />
    </article>
  );
}

type Conditions = NonNullable<Backtest["rules"]>["entry"];

const conditionText = ({ all, any, none }: Conditions): string =>
  [
    ...(all?.length ? [all.join(" and ")] : []),
    ...(any?.length ? [any.join(" or ")] : []),
    ...(none?.length ? [`not (${none.join(" or ")})`] : []),
  ].join(", ");
