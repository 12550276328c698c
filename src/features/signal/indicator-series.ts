import { argumentsOf } from "../../analytics/backtest/rules/parse.ts";
import { scanTerm } from "../../analytics/backtest/rules/scan.ts";
import { didYouMean, quoted } from "../../analytics/backtest/strategies/problem.ts";
import type { Series } from "../../analytics/indicators/series.ts";
import { INDICATORS, type Indicator, RECURSIVE } from "../../analytics/indicators/table.ts";
import type { Bars, BarTimeframe } from "../../domain/market/bars.ts";
import { ToolError } from "../../kernel/errors.ts";
import { indicatorsOf } from "./indicator-words.ts";

/** Maximum number of indicators in one request. */
export const MAX_INDICATORS = 8;
/** Number of bars before the first shown one with which averages of all past bars, such as Wilder's, have settled. */
const SETTLING_BARS = 250;
/** Periods of an average of all past bars after which its first bar weighs less than 1e-7: (1 - 1/n)^(16n). */
const SETTLING_PERIODS = 16;

/** Every name that a request may use. */
export const INDICATOR_NAMES: readonly string[] = INDICATORS.flatMap(({ names }) => names);

/** An indicator with its parameters. */
export interface RequestedIndicator {
  readonly indicator: Indicator;
  readonly args: readonly number[];
}

/** One column of an indicator: `rsi(14)`, `macd_signal(12,26,9)`. */
export interface IndicatorColumn {
  readonly name: string;
  /** NaN before the first value. */
  readonly values: Series;
}

/**
 * Parses indicators separated by commas, such as `rsi(14), macd`, or in words, such as `50 day moving average`. Omitted
 * parameters have their defaults; an indicator that is named twice is returned once. `timeframe`: length of the bars that
 * are counted; a length in days is refused for other bars. Default: 1d. Throws INVALID_INPUT with the character at which
 * the text is wrong.
 */
export function parseIndicators(text: string, timeframe: BarTimeframe = "1d"): readonly RequestedIndicator[] {
  const requested = new Map<string, RequestedIndicator>();
  for (const { term, at } of termsIn(text).flatMap((one) => inNotation(one, timeframe))) {
    const written = scanTerm(term);
    if ("message" in written) throw syntaxError(at + written.at, written.message);
    const name = written.text.toLowerCase();
    const indicator = INDICATORS.find(({ names }) => names.includes(name));
    if (indicator === undefined)
      throw syntaxError(
        at + written.at,
        `${quoted(written.text)} is not an indicator${didYouMean(name, INDICATOR_NAMES)}: one of ${INDICATOR_NAMES.join(", ")}`,
      );
    const args = argumentsOf({ ...written, text: name }, indicator);
    if ("message" in args) throw syntaxError(at + args.at, args.message);
    requested.set(`${indicator.names[0]} ${args}`, { indicator, args });
  }
  if (requested.size > MAX_INDICATORS)
    throw syntaxError(0, `at most ${MAX_INDICATORS} indicators are allowed, not ${requested.size}`);
  return [...requested.values()];
}

interface TermInText {
  readonly term: string;
  /** Position of the first character. */
  readonly at: number;
}

/** Matches a length in days or weeks. */
const DAYS = /\d[ -]?d(?:ays?)?\b/i;
const WEEKS = /\d[ -]?weeks?\b/i;

/**
 * Returns the terms that one in words means: `50 and 200 day average` is `sma(50), sma(200)`. Any other term is unchanged:
 * one that begins with the name of an indicator, one with words that would be lost, and one with a length in a unit other
 * than the bars.
 */
function inNotation({ term, at }: TermInText, timeframe: BarTimeframe): readonly TermInText[] {
  const name = /\w+/.exec(term)?.[0].toLowerCase() ?? "";
  const isOtherUnit = (DAYS.test(term) && timeframe !== "1d") || (WEEKS.test(term) && timeframe !== "1w");
  const terms = INDICATOR_NAMES.includes(name) || isOtherUnit ? null : indicatorsOf(term);
  return terms === null ? [{ term, at }] : termsIn(terms).map((one) => ({ term: one.term, at }));
}

/**
 * Returns the number of bars needed before the first shown value of each indicator. `settled`: enough that six digits of
 * averages of all past bars do not depend on the first bar. Default: false.
 */
export const warmUpBars = (
  requested: readonly RequestedIndicator[],
  { settled = false }: { readonly settled?: boolean } = {},
): number =>
  Math.max(
    ...requested.map(({ indicator, args }) => {
      const isRecursive = settled && RECURSIVE.has(indicator.names[0]!);
      const settling = isRecursive ? SETTLING_PERIODS * Math.max(...args) : 0;
      return indicator.warmUp(...args) + Math.max(SETTLING_BARS, settling);
    }),
  );

/** Computes all columns of the indicators over the bars. */
export const indicatorColumns = (
  requested: readonly RequestedIndicator[],
  bars: Bars,
): readonly IndicatorColumn[] =>
  requested.flatMap(({ indicator, args }) => {
    const columns = indicator.columns(bars, ...args);
    const parameters = args.length === 0 ? "" : `(${args.join(",")})`;
    return indicator.names.map((name) => ({ name: name + parameters, values: columns[name]! }));
  });

/** Returns the value with six significant digits; null for NaN. */
export const valueOrNull = (value: number): number | null =>
  Number.isFinite(value) ? Number(value.toPrecision(6)) : null;

/** Splits the text at commas outside of parentheses. */
function termsIn(text: string): readonly TermInText[] {
  const terms: TermInText[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    const letter = text[at];
    if (letter === "(") depth++;
    else if (letter === ")") depth--;
    else if (letter === undefined || (letter === "," && depth === 0)) {
      terms.push({ term: text.slice(start, at), at: start });
      start = at + 1;
    }
  }
  return terms;
}

const syntaxError = (at: number, message: string): ToolError => {
  const detail = `At character ${at + 1}: ${message}`;
  return new ToolError("INVALID_INPUT", `indicators: ${detail}`, {
    hint: "Write indicators as rsi(14), sma(50) or macd, separated by commas.",
    data: { errors: [{ pointer: "/indicators", detail }] },
  });
};
