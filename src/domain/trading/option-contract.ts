import { isoDate } from "../../lib/iso-date.ts";
import { MONTHS, monthOf } from "../../lib/months.ts";

/** One listed option. */
export interface OptionContract {
  /** Root of the symbol, such as `AAPL`; an adjusted contract has a digit at its end. */
  readonly underlying: string;
  /** `YYYY-MM-DD`. */
  readonly expiry: string;
  readonly right: "call" | "put";
  /** US dollars, above 0. */
  readonly strike: number;
}

const MAX_LENGTH = 120;
const ROOT = String.raw`(?<root>[A-Z]{1,5}(?:\.[A-Z])?\d?|[A-Z]{6})`;
const STRIKE = String.raw`\$?(?<strike>\d{1,6}(?:\.\d{1,4})?)`;
const RIGHT = "(?<right>C|P|CALLS?|PUTS?)";
const MONTH_NAME = String.raw`(?:${MONTHS.join("|").toUpperCase()})[A-Z]{0,6}\.?`;
/** Dates in upper case; a month and a day in figures are in the order of US brokers. */
const DATE = [
  String.raw`20\d\d-\d\d-\d\d`,
  String.raw`20\d{6}(?!\d)`,
  String.raw`\d{1,2}/\d{1,2}/(?:20)?\d\d`,
  String.raw`${MONTH_NAME} ?\d{1,2}(?:, ?| ?'| )(?:20)?\d\d`,
  String.raw`\d{1,2}[ -]?${MONTH_NAME}[ -]?'?(?:20)?\d\d`,
].join("|");
const DATES = new RegExp(DATE, "g");

/** Symbols with a date, in any text. */
const SYMBOLS = /[A-Z][A-Z0-9.]{0,5}[ _]*\d{6}[CP]\d{1,8}/g;
const OCC = /^(?<root>[A-Z0-9]{1,6})(?<day>\d{6})(?<right>[CP])(?<thousandths>\d{8})$/;
const SHORT = new RegExp(
  String.raw`^[-.]?${ROOT}[ _]?(?<day>\d{6})(?<right>[CP])(?<strike>\d{1,5}(?:\.\d{1,3})?)$`,
);
const WORDS: readonly RegExp[] = [
  new RegExp(`^${ROOT} (?<date>${DATE}) ${STRIKE} ?${RIGHT}$`),
  new RegExp(`^${ROOT} (?<date>${DATE}) ${RIGHT} ?${STRIKE}$`),
];

/** Names of combinations. */
const COMBINATION =
  /\b(?:SPREAD|STRADDLE|STRANGLE|CONDOR|BUTTERFLY|COLLAR|VERTICAL|CALENDAR|DIAGONAL|COVERED CALL|RISK REVERSAL)S?\b/;
const RIGHTS = /(?<![A-Z])(?:CALLS?|PUTS?|[CP])(?![A-Z])/g;
const STRIKE_PAIR = /\d *[-\u2013/&+] *\$?\d/;

/**
 * Parses the name of an option as brokers write it: an OCC symbol (`AAPL261218C00320000`, also padded or after `O:`),
 * `SPY 251121C580`, `AAPL 2026-12-18 320 call`, `AAPL 12/18/2026 320 C`. Returns "several_legs" for two or more
 * contracts, and null for other text, a date that does not exist and a strike of 0.
 */
export function parseOptionContract(text: string): OptionContract | "several_legs" | null {
  if (text.length > MAX_LENGTH) return null;
  const name = text.trim().toUpperCase().replace(/\s+/g, " ").replace(/^O:/, "").trim();
  if (!/\d/.test(name)) return null;
  if (hasSeveralLegs(name)) return "several_legs";
  return parseOccSymbol(name.replace(/ (?=\d{6}[CP]\d{8}$)/, "")) ?? parseShort(name) ?? parseWords(name);
}

/**
 * Parses an OCC symbol without padding: root, `yymmdd`, C or P, and the strike in thousandths of a dollar. Returns null
 * for other text, a date that does not exist and a strike of 0.
 */
export function parseOccSymbol(symbol: string): OptionContract | null {
  const { root, day = "", right, thousandths } = OCC.exec(symbol)?.groups ?? {};
  return root === undefined ? null : contractOf(root, compactDate(day), right!, Number(thousandths) / 1_000);
}

/** Returns the OCC symbol of a contract without padding. */
export const occSymbol = ({ underlying, expiry, right, strike }: OptionContract): string =>
  `${underlying.replace(".", "")}${expiry.slice(2).replaceAll("-", "")}${right === "call" ? "C" : "P"}${String(
    Math.round(strike * 1_000),
  ).padStart(8, "0")}`;

function parseShort(name: string): OptionContract | null {
  const { root, day = "", right, strike } = SHORT.exec(name)?.groups ?? {};
  return root === undefined ? null : contractOf(root, compactDate(day), right!, Number(strike));
}

function parseWords(name: string): OptionContract | null {
  const groups = WORDS.map((pattern) => pattern.exec(name)?.groups).find((found) => found !== undefined);
  if (groups === undefined) return null;
  return contractOf(groups.root!, dateOf(groups.date!), groups.right!, Number(groups.strike));
}

/** Returns true for a text that names two contracts, two strikes or a combination. */
function hasSeveralLegs(name: string): boolean {
  const symbols = name.match(SYMBOLS)?.length ?? 0;
  if (symbols > 1 || COMBINATION.test(name)) return true;
  const terms = name.replace(DATES, " ");
  if (symbols === 1 || terms === name) return false;
  const rights = terms.match(RIGHTS)?.length ?? 0;
  // C and P are tickers too
  const own = /^[CP] /.test(terms) ? 1 : 0;
  return rights > own && (rights > own + 1 || STRIKE_PAIR.test(terms));
}

/** Returns the contract of its parts; null for a date that does not exist and a strike that no contract has. */
function contractOf(
  underlying: string,
  expiry: string | null,
  right: string,
  strike: number,
): OptionContract | null {
  const isListed = strike > 0 && strike < 100_000 && Number.isInteger(Math.round(strike * 1e6) / 1e3);
  if (expiry === null || !isListed) return null;
  return { underlying, expiry, right: right.startsWith("C") ? "call" : "put", strike };
}

const compactDate = (day: string): string | null =>
  existing(`20${day.slice(0, 2)}`, Number(day.slice(2, 4)), Number(day.slice(4)));

/** Returns the date `YYYY-MM-DD` of a text that matches DATE; null if it does not exist. */
function dateOf(text: string): string | null {
  const month = /[A-Z]+/.exec(text)?.[0];
  const figures = text.match(/\d+/g)!;
  if (month !== undefined) return existing(fullYear(figures.at(-1)!), monthOf(month) + 1, Number(figures[0]));
  if (text.includes("/")) return existing(fullYear(figures[2]!), Number(figures[0]), Number(figures[1]));
  const digits = text.replaceAll("-", "");
  return existing(digits.slice(0, 4), Number(digits.slice(4, 6)), Number(digits.slice(6)));
}

const fullYear = (year: string): string => (year.length === 2 ? `20${year}` : year);

/** Returns the date `YYYY-MM-DD` of a year, a month from 1 and a day; null if it does not exist. */
function existing(year: string, month: number, day: number): string | null {
  const date = `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
  return isoDate(Date.UTC(Number(year), month - 1, day)) === date ? date : null;
}
