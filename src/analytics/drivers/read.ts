import type { DriverContext } from "./context.ts";
import type { DriverValue } from "./driver-value.ts";
import { type Facts, factDrivers, type MissingFactReasons } from "./facts.ts";
import { momentumDrivers } from "./momentum.ts";
import { type ComparisonSet, relativeStrengthDrivers } from "./relative-strength.ts";
import { trendDrivers } from "./trend.ts";
import { volatilityDrivers } from "./volatility.ts";
import { volumeDrivers } from "./volume.ts";

/** Returns all 29 drivers at the decision bar, in table order. */
export const readDrivers = (
  context: DriverContext,
  company: ComparisonSet,
  facts: Facts = {},
  missingReasons: MissingFactReasons = {},
): readonly DriverValue[] => [
  ...trendDrivers(context),
  ...momentumDrivers(context),
  ...volumeDrivers(context),
  ...relativeStrengthDrivers(context, company),
  ...volatilityDrivers(context),
  ...factDrivers(facts, missingReasons),
];
