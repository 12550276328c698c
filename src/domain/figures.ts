import { z } from "zod";
import { pricePlaces } from "../lib/price-places.ts";
import { rounded } from "../lib/rounded.ts";

// Numbers of answers. A schema rounds its number when an answer is checked, so calculations use the exact value.

const withDecimals = (digits: number) => z.number().overwrite((value) => rounded(value, digits));
const withSignificantDigits = (digits: number) =>
  z.number().overwrite((value) => Number(value.toPrecision(digits)));

/** Score on a scale to 100, to two decimals. */
export const Score = withDecimals(2);
/** Returns a score as answers show it, for comparison with a score that a caller has read in one. */
export const shownScore = (score: number): number => Score.parse(score);
/** Percent or percentage points, to two decimals. */
export const Percent = withDecimals(2);
/** Ratio, share, probability or score on a scale to 1, to four decimals. */
export const Ratio = withDecimals(4);
/** Odds of an event, or the share of past cases in which it happened, 0-1, to whole percents. */
export const Odds = withDecimals(2);
/** Result of a trade in multiples of its risk, to two decimals. */
export const RMultiple = withDecimals(2);
/** Amount in US dollars, to the cent. */
export const Usd = withDecimals(2);
/** Shares, coins or contracts, to eight decimals. */
export const Units = withDecimals(8);
/** Value, weight or contribution of a driver, to six decimals. */
export const DriverFigure = withDecimals(6);
/** Value of an indicator, in its own unit, to six significant digits. */
export const IndicatorFigure = withSignificantDigits(6);
/** Figure whose kind depends on its name: to two decimals from 1 up, else to six significant digits. */
export const NamedFigure = z
  .number()
  .overwrite((value) => (Math.abs(value) >= 1 ? rounded(value, 2) : Number(value.toPrecision(6))));
/** Price of a quote, trade or bar, or a level at a tick, as its provider writes it: to ten significant digits. */
export const Price = withSignificantDigits(10);
/** Traded quantity of a bar, in shares or coins. */
export const Volume = withSignificantDigits(10);
/** Price that results from a calculation, such as an average, to the tick of the market. */
export const ComputedPrice = z.number().overwrite((value) => rounded(value, placesOf(Math.abs(value))));

/** Asset classes differ only in prices that crypto alone has. */
const placesOf = (size: number): number => (size === 0 ? 0 : pricePlaces(size, "crypto"));
