import { GRADES } from "../../../src/analytics/score/grade.ts";
import { fixedText } from "../../../src/charts/figures.ts";
import { overBaseText } from "./over-base.ts";
import { type Results, verdictOf } from "./page.ts";
import type { Rates } from "./rates.ts";
import type { ReliabilityChart } from "./reliability.ts";

/** Effective outcomes below which a share is unreliable. */
const FEW = 20;

/** Builds the chart of the 20-bar horizon of a record. */
export function pictureOf(results: Results): ReliabilityChart {
  const { all, grades, calibration } = results.horizons[20];
  const { model, stocks, coins, signals, from, until } = results;
  return {
    title: "What came of the signals, 20 bars later",
    summary: verdictOf(calibration.skill).replaceAll("**", ""),
    facts: [
      model,
      `${stocks} US stocks and funds, ${coins} coins, daily`,
      `${fixedText(signals, 0)} signals`,
      `coins from ${from.coins}, others from ${from.stocks}, to ${until.slice(0, 10)}`,
    ],
    groupsTitle: "Share of closes that were higher, by grade",
    groups: GRADES.flatMap((name) => {
      const rates = grades.get(name);
      return rates === undefined ? [] : [{ name, ...pointOf(rates.higher, rates), base: rates.base }];
    }),
    base: all.higher,
    binsTitle: "Forecast rises and rises that came",
    bins: calibration.bins.map((bin) => ({ ...pointOf(bin.happened, bin), forecast: bin.forecast })),
    forecastBase: calibration.base,
    notes: [
      `${overBaseText(results.overBase.own)}.`,
      "Intervals of shares count 20 overlapping outcomes as one, but not that symbols move together: too narrow. Pale: under 20 such outcomes.",
      "Base: the same plan at every close of the same symbols. Files of symbols that exist today, before costs. No promise: see docs/track-record.md.",
    ],
  };
}

const pointOf = (share: number, { n, n_eff, interval }: Pick<Rates, "n" | "n_eff" | "interval">) => ({
  n,
  share,
  interval,
  isThin: n_eff < FEW,
});
