import { PRINT_CONDITIONS, type PrintCondition } from "../../domain/off-exchange/prints.ts";

/**
 * Maximum delay of a report that counts as immediate. @see FINRA Rule 6380A(a)(1): as soon as practicable, but no later
 * than 10 seconds
 */
const MAX_REPORT_DELAY_MS = 10_000;

/** Returns true if a trade was reported too late for its price to be current; both times are epoch ms. */
export const isLateReport = (executedAt: number, reportedAt: number): boolean =>
  reportedAt - executedAt > MAX_REPORT_DELAY_MS;

/** Returns the distinct conditions in their fixed order. */
export const orderedConditions = (
  found: readonly (PrintCondition | undefined)[],
): readonly PrintCondition[] => PRINT_CONDITIONS.filter((condition) => found.includes(condition));

/**
 * Sale conditions with the same meaning in both plans. Other conditions, such as odd lots, sweeps and extended hours,
 * do not affect the price.
 */
const SHARED_CONDITIONS: Readonly<Record<string, PrintCondition>> = {
  "4": "derivative_priced",
  "7": "contingent", // qualified contingent trade
  C: "contingent", // paid the same day
  H: "contingent", // price variation
  L: "late", // sold last
  N: "contingent", // paid the next day
  P: "prior_reference",
  R: "contingent", // delivered at the seller's option
  U: "late", // extended hours, out of sequence
  V: "contingent",
  Z: "late", // sold out of sequence
};
/** `B` is an average price on tapes A and B, a bunched trade on Nasdaq's tape C. */
const CONDITIONS_BY_PLAN = {
  CTA: { B: "average_price" },
  UTP: { W: "average_price", G: "late" },
} as const satisfies Record<string, Record<string, PrintCondition>>;

/**
 * Returns the condition that corresponds to a letter of a trade's sale conditions; undefined if there is none.
 * @see Consolidated Tape Association, CTS output specification; UTP Plan, UTDF specification
 */
export const saleCondition = (
  letter: string,
  plan: keyof typeof CONDITIONS_BY_PLAN,
): PrintCondition | undefined =>
  SHARED_CONDITIONS[letter] ?? (CONDITIONS_BY_PLAN[plan] as Readonly<Record<string, PrintCondition>>)[letter];
