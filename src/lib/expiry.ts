/** Longest wait for a database lock: an end stored meanwhile by another process may lie this much further ahead. */
const TOLERANCE_MS = 5_000;

/** Returns the latest end (epoch ms) that a period of `length` ms can have at `now`. */
export const latestEnd = (now: number, length: number): number => now + length + TOLERANCE_MS;

/**
 * Returns true if a period of `length` ms is over at `now`. It is over at its `end`, and also if the end is further
 * ahead than the period is long: then the clock was ahead when the period began.
 */
export const isOver = (end: number, now: number, length: number): boolean =>
  end <= now || end > latestEnd(now, length);

/** Returns true if a recorded time is in the future: the clock was ahead when it was recorded. */
export const isAhead = (recorded: number, now: number): boolean => recorded > latestEnd(now, 0);

/**
 * Returns true if less than `length` ms have passed since a recorded time; false if it is in the future, because the
 * clock was ahead when it was recorded.
 */
export const isWithin = (recorded: number, now: number, length: number): boolean =>
  !isOver(recorded + length, now, length);
