/** Start of the simulated market, epoch ms; its days are counted from here. */
export const EPOCH = Date.UTC(2017, 0, 1);
export const DAY_MS = 86_400_000;

/** Returns the number of the day that contains an instant (epoch ms); negative before the first day. */
export const dayAt = (instant: number): number => Math.floor((instant - EPOCH) / DAY_MS);

/** Returns the start of a day, epoch ms. */
export const startOf = (day: number): number => EPOCH + day * DAY_MS;

/** Returns the UTC date of an instant (epoch ms), `YYYY-MM-DD`. */
export const isoDate = (instant: number): string => new Date(instant).toISOString().slice(0, 10);
