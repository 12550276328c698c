/** Description of a violation of each hard rule of an impulse. @see Frost & Prechter, "Elliott Wave Principle" (1978) */
export const VIOLATION_TEXT = {
  R1_W2_LT_100: "wave 2 goes back to the start of wave 1",
  R2_W3_NOT_SHORTEST: "wave 3 is the shortest of 1, 3 and 5",
  R3_W4_NO_OVERLAP: "wave 4 enters the territory of wave 1",
  R4_W3_BEYOND_W1: "wave 3 does not go beyond the end of wave 1",
} as const;
export type RuleId = keyof typeof VIOLATION_TEXT;

/** Distance of a rule from its violation, in price; negative if violated. */
export interface Clearance {
  readonly id: RuleId;
  readonly gap: number;
}

const ROUNDING = 1e-12; // relative to the largest price: lengths that differ by less are equal

/**
 * Returns the clearance of each rule that the first two to six prices of an impulse (start, ends of waves 1 to 5) can
 * test, in the order of the rule ids: R1 requires the end of wave 2, R4 of 3, R3 of 4, R2 of 5.
 */
export function clearancesOf(prices: readonly number[]): readonly Clearance[] {
  const [start, first, second, third, fourth, fifth] = prices as [number, number, ...number[]];
  const sign = first > start ? 1 : -1;
  const found: Clearance[] = [];
  if (second !== undefined) found.push({ id: "R1_W2_LT_100", gap: sign * (second - start) });
  if (third === undefined) return found;
  if (fifth !== undefined) found.push({ id: "R2_W3_NOT_SHORTEST", gap: wave3Margin(prices) });
  if (fourth !== undefined) found.push({ id: "R3_W4_NO_OVERLAP", gap: sign * (fourth - first) });
  found.push({ id: "R4_W3_BEYOND_W1", gap: sign * (third - first) });
  return found;
}

/** Returns how much longer wave 3 is than the shorter of 1 and 5; 0 if the difference is only rounding. */
function wave3Margin(prices: readonly number[]): number {
  const length = (wave: number) => Math.abs(prices[wave]! - prices[wave - 1]!);
  const gap = length(3) - Math.min(length(1), length(5));
  const largest = prices.reduce((most, price) => Math.max(most, Math.abs(price)), 0);
  return Math.abs(gap) <= ROUNDING * largest ? 0 : gap;
}

/**
 * Returns true if a rule holds by less than `margin`. Equality violates every rule except R2: a wave 3 that ties
 * is not the shortest.
 */
export const isBroken = ({ id, gap }: Clearance, margin = 0): boolean =>
  !(gap >= margin) || (gap === 0 && id !== "R2_W3_NOT_SHORTEST");

/** Validity of an impulse, and the ids of the violated rules in order. */
export interface ImpulseValidation {
  readonly valid: boolean;
  readonly violated: readonly RuleId[];
}

/**
 * Validates six prices (start, ends of waves 1 to 5, up or down) by the four hard rules, in price lengths. Touching a
 * limit is a violation. Input other than six finite alternating prices is no impulse and violates no rule: `{ valid:
 * false, violated: [] }`. Never throws.
 * @see Frost & Prechter, "Elliott Wave Principle" (1978)
 */
export function validateImpulse(pivots: readonly number[]): ImpulseValidation {
  if (!isAlternating(pivots)) return { valid: false, violated: [] };
  const violated = clearancesOf(pivots)
    .filter((clearance) => isBroken(clearance))
    .map(({ id }) => id);
  return { valid: violated.length === 0, violated };
}

function isAlternating(pivots: readonly number[]): boolean {
  if (pivots.length !== 6 || !pivots.every(Number.isFinite)) return false;
  for (let i = 1; i < 6; i++) {
    if (pivots[i] === pivots[i - 1]) return false;
    if (i > 1 && pivots[i]! > pivots[i - 1]! === pivots[i - 1]! > pivots[i - 2]!) return false;
  }
  return true;
}
