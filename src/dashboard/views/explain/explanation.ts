import type { Output } from "../../api/tools.ts";
import { fixed, plainName, price, signedPercent, withMinus } from "../format.ts";

export type Explanation = Omit<Output<"explain_signal">, "ok" | "event_risk">;
export type Driver = Explanation["drivers"][number];

/** One driver with the sum of all before it. */
export interface Step {
  readonly driver: Driver;
  /** null: the driver has no value, and adds nothing. */
  readonly contribution: number | null;
  readonly from: number;
  readonly to: number;
}

/** Returns the title of a driver, or its id in plain words where the answer has no titles. */
export const driverTitle = ({ id, title }: Pick<Driver, "id" | "title">): string => title ?? plainName(id);

/**
 * Returns an explanation with the fields that only full detail has. Of a full explanation of other inputs it takes the
 * titles alone, which do not depend on them.
 */
export function withFull<Concise extends Explanation>(concise: Concise, full: Explanation | null): Concise {
  if (full === null) return concise;
  if (full.inputs_hash === concise.inputs_hash)
    return { ...concise, groups: full.groups, drivers: full.drivers };
  const groups = new Map(full.groups.map(({ group, title }) => [group, title]));
  const drivers = new Map(full.drivers.map(({ id, title }) => [id, title]));
  return {
    ...concise,
    groups: concise.groups.map((row) => ({ ...row, title: groups.get(row.group) })),
    drivers: concise.drivers.map((row) => ({ ...row, title: drivers.get(row.id) })),
  };
}

/** Groups in the order of the model, each with its drivers; the steps run from 0 to the sum. */
export function stepsOf({ groups, drivers }: Pick<Explanation, "groups" | "drivers">) {
  let sum = 0;
  return groups.map((group) => {
    const start = sum;
    const steps = drivers
      .filter((driver) => driver.group === group.group)
      .map((driver): Step => {
        const from = sum;
        sum += driver.contribution ?? 0;
        return { driver, contribution: driver.contribution, from, to: sum };
      });
    return { ...group, title: group.title ?? plainName(group.group), steps, from: start, to: sum };
  });
}

/** Returns the verdict without a driver in few words, such as "WAIT, C, 48". */
export const withoutText = ({ direction, grade, score }: NonNullable<Driver["without"]>): string =>
  [direction, grade, score === null ? null : fixed(score, 0)].filter((part) => part !== null).join(", ");

/** Returns the sentences that say what changes the verdict. */
export function flipSentences({ flip, grade_flip, fewest_absent, drivers }: Explanation): readonly string[] {
  const { better, worse } = grade_flip;
  const away = (change: number | null) => `${signedPercent(change)} from the last close`;
  const title = (id: string) => driverTitle(drivers.find((driver) => driver.id === id) ?? { id });
  const sentences = [
    flip.price === null
      ? `The direction: ${flip.reason}.`
      : `The direction becomes ${flip.direction} with a close at ${price(flip.price)} (${away(flip.change_percent)})${flip.reason === null ? "" : `: ${flip.reason}`}.`,
    ...(
      [
        ["better", better],
        ["worse", worse],
      ] as const
    ).map(([which, { price: at, grade, change_percent: change, reason }]) =>
      at === null
        ? `${reason?.includes(`${which} grade`) ? "" : `A ${which} grade: `}${reason}.`
        : `The grade becomes ${grade ?? "none"} with a close at ${price(at)} (${away(change)}).`,
    ),
    fewest_absent.drivers === null
      ? `${fewest_absent.reason}.`
      : `Without ${fewest_absent.drivers.map(title).join(" and ")} it would be ${fewest_absent.direction}.`,
  ];
  return sentences.map(withMinus);
}
