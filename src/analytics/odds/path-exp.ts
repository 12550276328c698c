/** Steps of the table per unit. */
const STEPS = 256;
/** Largest absolute whole part in the table; beyond it, Math.exp is used. */
const MAX_WHOLE = 64;

/**
 * Creates an exponential function that is exact to 11 digits and takes a quarter of the time of Math.exp, which is
 * half of the time of a path.
 */
export function tableExp(): (x: number) => number {
  const wholes = Float64Array.from({ length: 2 * MAX_WHOLE }, (_, i) => Math.exp(i - MAX_WHOLE));
  const steps = Float64Array.from({ length: STEPS }, (_, i) => Math.exp(i / STEPS));
  return (x) => {
    if (!(x >= -MAX_WHOLE && x < MAX_WHOLE)) return Math.exp(x);
    const step = Math.floor(x * STEPS);
    const rest = x - step / STEPS;
    return wholes[(step >> 8) + MAX_WHOLE]! * steps[step & 255]! * (1 + rest * (1 + rest * (0.5 + rest / 6)));
  };
}
