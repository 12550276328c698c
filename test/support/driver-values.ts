import { absent, type DriverValue, present } from "../../src/analytics/drivers/driver-value.ts";
import { DRIVERS, type DriverGroup } from "../../src/analytics/drivers/table.ts";
import type { Levels, LevelsOutcome } from "../../src/analytics/levels/levels.ts";
import type { Side } from "../../src/analytics/levels/side.ts";

/** All 29 driver values: in each group the first drivers have the listed values, the others are null. */
export function driverValues(
  values: Partial<Record<DriverGroup, readonly number[]>>,
): readonly DriverValue[] {
  const taken = new Map<DriverGroup, number>();
  return DRIVERS.map(({ id, group }) => {
    const place = taken.get(group) ?? 0;
    taken.set(group, place + 1);
    const value = values[group]?.[place];
    return value === undefined ? absent(id, "not given") : present(id, value, {});
  });
}

/** As many drivers of every price group as count, all with the same value. */
export const unanimous = (value: number): readonly DriverValue[] =>
  driverValues({
    trend: new Array(7).fill(value),
    momentum: new Array(5).fill(value),
    volume: new Array(5).fill(value),
    relative_strength: new Array(3).fill(value),
    volatility: new Array(3).fill(value),
  });

/** A plan around a price of 100 with the given reward-to-risk ratio. */
export const planOf =
  (reward_to_risk: number) =>
  (side: Side): LevelsOutcome => {
    const away = side === "LONG" ? 1 : -1;
    const levels: Levels = {
      side,
      atr14: 1,
      entry: { low: 99.75, high: 100.25 },
      stop: 100 - 2 * away,
      targets: [100 + away * 5],
      target_basis: "reach",
      reward_to_risk,
      break_even_win_rate: 1 / (1 + reward_to_risk),
    };
    return { levels, reason: null };
  };
