import type { DriverContext } from "./context.ts";
import { type Facts, factDrivers, type Silent } from "./facts.ts";
import { momentumDrivers } from "./momentum.ts";
import type { DriverReading } from "./reading.ts";
import { type Company, relativeStrengthDrivers } from "./relative-strength.ts";
import { trendDrivers } from "./trend.ts";
import { volatilityDrivers } from "./volatility.ts";
import { volumeDrivers } from "./volume.ts";

/** All 29 drivers at the decision bar, in table order. */
export const readDrivers = (
  context: DriverContext,
  company: Company,
  facts: Facts = {},
  silent: Silent = {},
): readonly DriverReading[] => [
  ...trendDrivers(context),
  ...momentumDrivers(context),
  ...volumeDrivers(context),
  ...relativeStrengthDrivers(context, company),
  ...volatilityDrivers(context),
  ...factDrivers(facts, silent),
];
