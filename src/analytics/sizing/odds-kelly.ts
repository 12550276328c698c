import { decimal } from "../../lib/decimal.ts";
import { type SizingStep, sizingStep } from "./units.ts";

/** Results of the simulated paths of a trade, in R. */
export interface PlanResults {
  readonly paths: number;
  /** Assumed drift, percent a year. */
  readonly drift: number;
  readonly expectedR: number;
  readonly meanSquaredR: number;
}

/**
 * Returns the Kelly share of capital to risk for small edges, mean R / mean of R squared. It counts trades that end at
 * neither level at their result. Null if every result is 0.
 * @see E. O. Thorp, "The Kelly criterion in blackjack, sports betting and the stock market", 2006
 */
export const oddsKelly = ({
  expectedR,
  meanSquaredR,
}: Pick<PlanResults, "expectedR" | "meanSquaredR">): number | null =>
  meanSquaredR === 0 ? null : expectedR / meanSquaredR;

/** Decimals of reported figures: 4,000 paths give no more. */
const DECIMALS = 4;

/** Returns the steps that show expected R and the Kelly share of the odds. No size follows from them. */
export function oddsKellySteps(results: PlanResults): readonly SizingStep[] {
  const { paths, drift, expectedR, meanSquaredR } = results;
  const kelly = oddsKelly(results);
  const step = (name: string, formula: string, value: number) =>
    sizingStep(name, formula, decimal(value), DECIMALS);
  return [
    step(
      "expected_r",
      `mean R of ${paths} simulated paths; it follows from the plan's shape and the assumed drift of ${drift} % a year and is no edge`,
      expectedR,
    ),
    step("mean_r_squared", "mean of R x R of the same paths", meanSquaredR),
    ...(kelly === null ? [] : [step("kelly", "expected_r / mean_r_squared; not used for the size", kelly)]),
  ];
}
