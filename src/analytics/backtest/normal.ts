const DENSITY = 1 / Math.sqrt(2 * Math.PI);
const density = (z: number): number => DENSITY * Math.exp((-z * z) / 2);

/**
 * Returns the probability that a standard normal variable is at most `z`, accurate to 13 digits in the smaller tail.
 * @see G. Marsaglia, "Evaluating the normal distribution", 2004 (series); Abramowitz and Stegun 26.2.14 (tails)
 */
export function normalCdf(z: number): number {
  if (Number.isNaN(z)) return Number.NaN;
  if (z > 0) return z > 3 ? 1 - upperTail(z) : 0.5 + series(z);
  return z < -3 ? upperTail(-z) : 0.5 - series(-z);
}

function series(z: number): number {
  let [sum, term] = [z, z];
  for (let n = 3; term > sum * 1e-17; n += 2) {
    term *= (z * z) / n;
    sum += term;
  }
  return sum * density(z);
}

/** Returns the upper tail probability for z above 3, by the continued fraction 1/(z + 1/(z + 2/(z + 3/...))). */
function upperTail(z: number): number {
  let fraction = z;
  for (let n = 80; n > 0; n--) fraction = z + n / fraction;
  return density(z) / fraction;
}

/**
 * Returns the `p` quantile of the standard normal distribution; -Infinity at 0, Infinity at 1, NaN outside 0-1.
 * Accurate to 12 digits: an initial approximation refined by Halley steps on `normalCdf`.
 * @see Abramowitz and Stegun 26.2.23 (initial approximation)
 */
export function normalQuantile(p: number): number {
  if (!(p > 0 && p < 1))
    return p === 0 ? Number.NEGATIVE_INFINITY : p === 1 ? Number.POSITIVE_INFINITY : Number.NaN;
  if (p > 0.5) return -normalQuantile(1 - p);
  const t = Math.sqrt(-2 * Math.log(p));
  let z =
    (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t;
  for (let step = 0; step < 3; step++) {
    const error = (normalCdf(z) - p) / density(z);
    z -= error / (1 + (z * error) / 2);
  }
  return z;
}
