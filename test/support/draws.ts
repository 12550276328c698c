/** True when properties are to draw all their cases, however long that takes. */
export const FULL = process.env.TEST_SCALE === "full";

/** `full` with TEST_SCALE=full, else the cheaper `quick`. */
export const atScale = <T>(quick: T, full: T): T => (FULL ? full : quick);

/** Cases that a slow property draws: `full` with TEST_SCALE=full, else a quarter of them. */
export const draws = (full: number): number => atScale(Math.ceil(full / 4), full);
