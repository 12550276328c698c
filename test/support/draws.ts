const FULL = process.env.TEST_SCALE === "full";

/** Cases that a slow property draws: `full` with TEST_SCALE=full, else a quarter of them. */
export const draws = (full: number): number => (FULL ? full : Math.ceil(full / 4));
