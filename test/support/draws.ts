/** True if property tests run all their cases, regardless of duration. */
export const FULL = process.env.TEST_SCALE === "full";

/** `full` with TEST_SCALE=full, otherwise `quick`. */
export const atScale = <T>(quick: T, full: T): T => (FULL ? full : quick);

/** Number of cases of a slow property test: `full` with TEST_SCALE=full, otherwise a quarter. */
export const draws = (full: number): number => atScale(Math.ceil(full / 4), full);
