/** Text of a value that is missing. */
export const MISSING = "–";

/** Returns a price with two decimals, below 1 with four. */
export function price(value: number | null | undefined): string {
  if (value === null || value === undefined) return MISSING;
  const digits = Math.abs(value) < 1 ? 4 : 2;
  return value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Returns a number with a fixed number of decimals. */
export const fixed = (value: number | null | undefined, digits: number): string =>
  value === null || value === undefined ? MISSING : withMinus(value.toFixed(digits));

/** Returns a text whose negative numbers have the sign of all others. */
export const withMinus = (text: string): string => text.replace(/(^|[\s(])-(?=[\d.])/g, "$1−");

/** Returns a change in percent with its sign. */
export const signedPercent = (value: number | null | undefined): string =>
  value === null || value === undefined
    ? MISSING
    : `${value >= 0 ? "+" : "−"}${Math.abs(value).toFixed(2)} %`;

const DAY = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

/** Returns the UTC day of a date or time, such as 1 Oct 2026. */
export const dayText = (datetime: string): string => DAY.format(new Date(datetime));

/** Returns the UTC day of a date; of a time also its hour and minute. */
export const momentText = (datetime: string): string =>
  datetime.length === 10 ? dayText(datetime) : `${dayText(datetime)}, ${datetime.slice(11, 16)} UTC`;

/** Returns a multiple of the risk with its sign. */
export const signedR = (value: number | null | undefined): string =>
  value === null || value === undefined
    ? MISSING
    : `${value >= 0 ? "+" : "−"}${Math.abs(value).toFixed(2)} R`;

/** Returns a share of 0 to 1 in whole percent. */
export const percent = (share: number | null | undefined): string =>
  share === null || share === undefined ? MISSING : `${Math.round(share * 100)} %`;
