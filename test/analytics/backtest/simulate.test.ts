import { expect, it } from "vitest";
import { describeWithData } from "../../support/test-data.ts";
import { goldenRuns } from "./golden.ts";

const number = (text: string | undefined) => (text === undefined || text === "" ? null : Number(text));

describeWithData("the reference runs of backtesting.py 0.6.6", ["backtest"], (directory) => {
  for (const { name, ledger, trades, stats } of goldenRuns(directory)) {
    it(`trades as the reference does: ${name}`, () => {
      expect(ledger.trades).toHaveLength(trades.length);
      trades.forEach(([size, ...cells], i) => {
        const [entryBar, exitBar, entryPrice, exitPrice, stop, target, profit, commission, part] =
          cells.map(number);
        const trade = ledger.trades[i]!;
        const day = (time: number) => new Date(time).toISOString().slice(0, 10);
        expect((trade.side === "LONG" ? 1 : -1) * trade.units).toBe(Number(size));
        expect([trade.entryBar, trade.exitBar]).toEqual([entryBar, exitBar]);
        expect([day(trade.entryTime), day(trade.exitTime)]).toEqual(cells.slice(9, 11));
        for (const [ours, theirs] of [
          [trade.entryPrice, entryPrice],
          [trade.exitPrice, exitPrice],
          [trade.stop, stop],
          [trade.target, target],
          [trade.profit, profit],
          [trade.commission, commission],
          [trade.return, part],
        ]) {
          if (theirs === null) expect(ours).toBeNull();
          else expect(Math.abs(ours! / theirs! - 1)).toBeLessThan(1e-9);
        }
      });
      expect(Math.abs(ledger.equity.at(-1)! / stats["Equity Final [$]"]! - 1)).toBeLessThan(1e-9);
    });
  }
});
