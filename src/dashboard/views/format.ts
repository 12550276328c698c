/** Text of a value that is missing. */
export const MISSING = "–";

type Optional<Value> = Value | null | undefined;

/** Returns the text of a value; a dash if it is missing. */
const shown = <Value>(value: Optional<Value>, format: (value: Value) => string): string =>
  value === null || value === undefined ? MISSING : format(value);

/** Returns a price with two decimals, below 1 with four. */
export const price = (value: Optional<number>): string =>
  shown(value, (given) => {
    const digits = Math.abs(given) < 1 ? 4 : 2;
    return given.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  });

/** Returns a number with a fixed number of decimals. */
export const fixed = (value: Optional<number>, digits: number): string =>
  shown(value, (given) => withMinus(given.toFixed(digits)));

/** Returns a text whose negative numbers have the sign of all others. */
export const withMinus = (text: string): string => text.replace(/(^|[\s(])-(?=[\d.])/g, "$1−");

/** Returns a number rounded to an integer, with separators of thousands. */
export const whole = (value: Optional<number>): string =>
  shown(value, (given) => Math.round(given).toLocaleString("en-US"));

const COMPACT = new Intl.NumberFormat("en-US", {
  notation: "compact",
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

/** Returns a large number in short, such as 12.3M. */
export const compact = (value: Optional<number>): string => shown(value, (given) => COMPACT.format(given));

/** Returns a number with a fixed number of decimals and its sign; what rounds to 0 has none. */
export const signed = (value: Optional<number>, digits: number): string =>
  shown(value, (given) => {
    const text = Math.abs(given).toFixed(digits);
    return Number(text) === 0 ? text : `${given > 0 ? "+" : "−"}${text}`;
  });

/** Returns a change in percent with its sign. */
export const signedPercent = (value: Optional<number>, digits = 2): string =>
  shown(value, (given) => `${signed(given, digits)} %`);

/** Returns an R-multiple with its sign. */
export const signedR = (value: Optional<number>): string => shown(value, (given) => `${signed(given, 2)} R`);

/** Returns a share of 0 to 1 in percent. */
export const percent = (share: Optional<number>, digits = 0): string =>
  shown(share, (given) => `${(100 * given).toFixed(digits)} %`);

const formatterOf = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat("en-GB", { ...options, timeZone: "UTC" });
const SHORT_DAY = formatterOf({ day: "numeric", month: "short" });
const DAY = formatterOf({ day: "numeric", month: "short", year: "numeric" });

/** Returns the UTC day of a date or time without its year, such as 1 Oct. */
export const shortDay = (datetime: string): string => SHORT_DAY.format(new Date(datetime));

/** Returns the day of the bar that closed at an ISO time: a bar that closed at 00:00 UTC is that of the day before. */
export const barDay = (closedAt: string): string =>
  shortDay(new Date(Date.parse(closedAt) - 1).toISOString());

/** Returns the UTC day of a date or time, such as 1 Oct 2026. */
export const dayText = (datetime: string | number): string => DAY.format(new Date(datetime));

const minuteOf = (datetime: string): string => `${new Date(datetime).toISOString().slice(11, 16)} UTC`;

/** Returns the UTC day and minute of a time without its year, such as 1 Oct, 14:30 UTC. */
export const shortMoment = (datetime: string): string => `${shortDay(datetime)}, ${minuteOf(datetime)}`;

/** Returns the UTC day of a date; of a time also its hour and minute. */
export const momentText = (datetime: string): string =>
  datetime.length === 10 ? dayText(datetime) : `${dayText(datetime)}, ${minuteOf(datetime)}`;

/** Returns a name of the API in plain words: `stop_loss_side` is "stop loss side". */
export const plainName = (name: string): string => name.replaceAll("_", " ");
