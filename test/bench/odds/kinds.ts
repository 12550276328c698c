import type { InstrumentKind } from "../../../src/analytics/odds/profile.ts";
import { groupBy } from "../../../src/lib/group-by.ts";
import { tableOf } from "../detectors/report.ts";
import type { OddsClass } from "./read-folder.ts";
import { percent } from "./tables.ts";
import { COVERS, HORIZONS, type Score } from "./walk.ts";

/** Number of forecasts below which a coverage is not stated. */
const MIN_FORECASTS = 500;
/** The same of a fifth, and of a year. */
const MIN_FIFTH = MIN_FORECASTS / 5;
const FIFTHS = 5;
const RANGE = COVERS.indexOf(0.8);

const NAMES: Readonly<Record<InstrumentKind, string>> = {
  stock: "stocks",
  fund: "funds",
  near_cash: "near-cash funds",
  leveraged: "leveraged funds",
  coin: "coins",
};

type KindScore = Pick<Score, "kind" | "volatility" | "horizon" | "inside" | "time">;

/**
 * Returns the coverage of the 80 % range by kind of instrument, from the calmest fifth of its forecasts to the most
 * volatile, and in its worst year.
 */
export const kindTable = (scores: readonly KindScore[], assetClass: OddsClass): string =>
  tableOf(
    [
      "kind",
      "bars",
      "forecasts",
      "80 % range, %",
      "calmest fifth",
      "second",
      "third",
      "fourth",
      "most volatile",
      "worst year",
    ],
    (Object.keys(NAMES) as InstrumentKind[])
      .filter((kind) => (kind === "coin") === (assetClass === "crypto"))
      .flatMap((kind) =>
        HORIZONS.map((horizon) => {
          const own = scores
            .filter((score) => score.kind === kind && score.horizon === horizon)
            .sort((a, b) => a.volatility - b.volatility);
          const name = [NAMES[kind], String(horizon), String(own.length)];
          if (own.length < MIN_FORECASTS) return [...name, ...new Array<string>(7).fill("not measured")];
          const fifths = Array.from({ length: FIFTHS }, (_, i) =>
            own.slice(Math.floor((i * own.length) / FIFTHS), Math.floor(((i + 1) * own.length) / FIFTHS)),
          );
          return [...name, coverOf(own), ...fifths.map(coverOf), worstYear(own)];
        }),
      ),
  );

const insideOf = (scores: readonly KindScore[]): number =>
  scores.filter(({ inside }) => inside[RANGE]).length / scores.length;

const coverOf = (scores: readonly KindScore[]): string => percent(insideOf(scores));

function worstYear(scores: readonly KindScore[]): string {
  const byYear = groupBy(scores, ({ time }) => new Date(time).getUTCFullYear());
  const [worst] = [...byYear]
    .filter(([, own]) => own.length >= MIN_FIFTH)
    .map(([year, own]) => ({ year, cover: insideOf(own) }))
    .sort((a, b) => a.cover - b.cover);
  return worst === undefined ? "-" : `${percent(worst.cover)} (${worst.year})`;
}
