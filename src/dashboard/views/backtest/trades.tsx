import { useState } from "react";
import type { Call } from "../../api/tools.ts";
import { LineChart } from "../../charts/line-chart.tsx";
import { Choices } from "../choices.tsx";
import { DataTable } from "../data-table.tsx";
import { dayText, MISSING, price, signedPercent } from "../format.ts";
import { useAnswer } from "../use-answer.ts";
import { type Backtest, timeTicks, tradeLines } from "./backtest-data.ts";

/** Number of bars under the trades; older trades are in the table. */
const BARS = 250;

/** The newest trades on the price, and all of the answer as a table. */
export function Trades({ run, call }: { readonly run: Backtest; readonly call: Call | null }) {
  const { symbols, timeframe, data_as_of, trades, trades_left_out, open_trades } = run;
  const [symbol, setSymbol] = useState(symbols[0] ?? "");
  const history = useAnswer(call, "get_history", { symbol, timeframe, limit: BARS, as_of: data_as_of });
  const { lines, marks } = tradeLines(run, symbol, history?.bars ?? []);
  const [first, last] = [lines[0]?.points[0]?.x, lines[0]?.points.at(-1)?.x];
  if (trades.length === 0 && open_trades.length === 0) return <p className="note">There were no trades.</p>;
  return (
    <section>
      <h3>Trades</h3>
      {symbols.length > 1 && (
        <Choices
          label="Symbol"
          options={symbols.map((name) => [name, name] as const)}
          value={symbol}
          onChange={setSymbol}
        />
      )}
      {first !== undefined && last !== undefined && (
        <>
          <LineChart
            label={`Trades of ${symbol} on its price; the table below has them`}
            height={220}
            lines={lines}
            marks={marks}
            ticks={timeTicks(first, last)}
            format={price}
            formatX={dayText}
          />
          <p className="note muted">
            <span className="up">▲</span> long, <span className="down">▼</span> short, ◆ exit
          </p>
        </>
      )}
      <DataTable
        caption={`${trades.length + open_trades.length} trades${trades_left_out > 0 ? ` (${trades_left_out} older omitted)` : ""}`}
        columns={[
          "Trade",
          "Entry",
          "Entry price",
          "Exit",
          "Exit price",
          "Exit reason",
          "Return",
          "Profit, USD",
        ]}
        rows={[
          ...open_trades.map((trade) => [
            `${trade.symbol} ${trade.side === "LONG" ? "▲" : "▼"} ${trade.side}`,
            trade.entry_time,
            price(trade.entry_price),
            "open",
            MISSING,
            MISSING,
            MISSING,
            price(trade.profit),
          ]),
          ...trades
            .toReversed()
            .map((trade) => [
              `${trade.symbol} ${trade.side === "LONG" ? "▲" : "▼"} ${trade.side}`,
              trade.entry_time,
              price(trade.entry_price),
              trade.exit_time,
              price(trade.exit_price),
              trade.exit_reason,
              signedPercent(trade.return_pct),
              price(trade.profit),
            ]),
        ]}
      />
    </section>
  );
}
