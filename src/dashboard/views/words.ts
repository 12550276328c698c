/** Returns a name of the API in plain words: `stop_loss_side` is "stop loss side". */
export const plainName = (name: string): string => name.replaceAll("_", " ");

/** Returns a time as a day, or with its minute where it has one. */
export const dayOf = (time: string): string => time.slice(0, 10);
export const minuteOf = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;

/** Returns a share of 0-1 in percent; a dash if it is missing. */
export const percentOf = (share: number | null | undefined, digits = 0): string =>
  share === null || share === undefined ? "–" : `${(100 * share).toFixed(digits)} %`;
