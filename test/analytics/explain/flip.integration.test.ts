import { expect, it } from "vitest";
import { driverContext } from "../../../src/analytics/drivers/context.ts";
import { yearLessMonthReturn } from "../../../src/analytics/drivers/relative-strength.ts";
import { closeEvaluator } from "../../../src/analytics/explain/close-evaluator.ts";
import { nearestFlips } from "../../../src/analytics/explain/flip.ts";
import { type ConsensusInput, consensus } from "../../../src/analytics/score/consensus.ts";
import { sliceBars } from "../../../src/domain/market/bars.ts";
import { readDailyFolder } from "../../support/daily-bars.ts";
import { everyTick } from "../../support/every-tick.ts";
import { describeWithData } from "../../support/test-data.ts";

describeWithData("nearestFlips on real daily bars", ["ohlcv", "us_daily"], (folder) => {
  // Prices of a few dozen dollars: testing all of their ticks takes seconds, not minutes.
  const symbols = ["BAC", "INTC", "KO", "PFE", "SCHD", "T", "VZ", "JEPI", "NKE", "TQQQ"];
  const backs = [0, 70, 160, 250];
  const histories = readDailyFolder(folder);

  it.each(symbols)("misses no flip of %s", (symbol) => {
    for (const back of backs) {
      const cut = [...histories].map(([name, bars]) => {
        const end = bars.time.length - back;
        return [name, sliceBars(bars, Math.max(0, end - 500), end)] as const;
      });
      const returns = cut.flatMap(([, bars]) => yearLessMonthReturn(bars.close, 252) ?? []);
      const bars = cut.find(([name]) => name === symbol)![1];
      const input: ConsensusInput = {
        bars,
        assetClass: "equity",
        benchmark: cut.find(([name]) => name === "SPY")![1],
        isBenchmark: false,
        peers: cut.slice(0, 4).map(([, other]) => other),
        universe: { returns, own: yearLessMonthReturn(bars.close, 252), hash: "real" },
      };
      const known = consensus(input);
      const { direction, better, worse, searched } = nearestFlips(input, known);
      const lookAt = closeEvaluator(input, driverContext(bars, "equity").stage);
      expect({ direction: direction.price, better: better.price, worse: worse.price }).toEqual(
        everyTick(known, known.close, searched!, (price) => lookAt(price).verdict),
      );
    }
  });
});
