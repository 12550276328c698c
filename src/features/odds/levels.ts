import type { PlanRequest } from "../../analytics/odds/odds.ts";
import { ToolError } from "../../kernel/errors.ts";
import { formatPrice } from "../../lib/format-price.ts";

/** Maximum ratio between a level and the last close; a level beyond it is most likely the price of another symbol. */
const MAX_RATIO = 20;

/** Closes from here on may be written with a comma, which separates levels. */
const MAX_SPLIT = 1_000;

/** Base of level distances: the last close, and the average true range over 14 bars. */
export interface Reference {
  readonly close: number;
  readonly atr: number;
}

/**
 * Returns the distinct prices of levels in the order of the request; a distance without a sign is a level above and
 * one below. Throws INVALID_INPUT for a level that equals the close at the digits of a price, is not above 0 or is more than
 * 20 times away.
 */
export function levelPrices(texts: readonly string[], from: Reference): readonly number[] {
  const prices = texts.flatMap((text, i) => {
    const pointer = `/levels/${i}`;
    return isUnsigned(text)
      ? [levelPrice(`+${text}`, from, pointer), levelPrice(`-${text}`, from, pointer)]
      : [levelPrice(text, from, pointer)];
  });
  return [...new Set(prices)];
}

/**
 * Returns the plan of a stop and a target, LONG with the stop below the close and SHORT with the stop above it; null
 * without both. A distance without a sign lies on the other side of the close than the other level. Throws INVALID_INPUT
 * if one of them is missing, if the close does not lie between them, and for two distances without a sign.
 */
export function planFrom(
  { stop, target }: { readonly stop?: string | undefined; readonly target?: string | undefined },
  { bars, ...from }: Reference & { readonly bars: number },
): PlanRequest | null {
  if (stop === undefined && target === undefined) return null;
  if (stop === undefined || target === undefined)
    throw invalid(
      `/${stop === undefined ? "stop" : "target"}`,
      `${stop === undefined ? "target" : "stop"} requires ${stop === undefined ? "stop" : "target"}`,
      "Pass both, or pass a single price in levels.",
    );
  const { close } = from;
  const prices = {
    stop: planPrice("stop", { text: stop, other: target }, from),
    target: planPrice("target", { text: target, other: stop }, from),
  };
  const side = prices.stop < close && close < prices.target ? "LONG" : "SHORT";
  if (side === "SHORT" && !(prices.target < close && close < prices.stop))
    throw invalid(
      "/stop",
      `the last close ${formatPrice(close)} is not between stop ${formatPrice(prices.stop)} and target ${formatPrice(prices.target)}`,
      `For a long trade pass a stop below and a target above ${formatPrice(close)}; for a short trade the other way round.`,
    );
  return { side, ...prices, bars };
}

/** Returns the price of a stop or target; the other level gives a percent without a sign its side. */
function planPrice(
  field: "stop" | "target",
  { text, other }: { readonly text: string; readonly other: string },
  from: Reference,
): number {
  const pointer = `/${field}`;
  if (!isUnsigned(text)) return levelPrice(text, from, pointer);
  if (isUnsigned(other))
    throw invalid(
      pointer,
      `${field} ${text} and ${field === "stop" ? "target" : "stop"} ${other} have no sign`,
      `Write +${text} or -${text}, or a price.`,
    );
  const otherField = field === "stop" ? "target" : "stop";
  const side = levelPrice(other, from, `/${otherField}`) > from.close ? "-" : "+";
  return levelPrice(`${side}${text}`, from, pointer);
}

/** Returns true for a distance without a sign. */
const isUnsigned = (text: string): boolean => /^\d.*(?:%|ATR)$/.test(text);

function levelPrice(text: string, { close, atr }: Reference, pointer: string): number {
  const isAtr = text.endsWith("ATR");
  const isDistance = isAtr || text.endsWith("%");
  const number = Number(text.replace(/[$%\s]|ATR/g, ""));
  const price = isAtr ? close + number * atr : isDistance ? (close * (100 + number)) / 100 : number;
  const problem =
    price <= 0
      ? "is not above 0"
      : formatPrice(price) === formatPrice(close)
        ? "is the last close itself, which is touched already"
        : Math.max(price / close, close / price) > MAX_RATIO * (1 + 1e-9)
          ? `is more than ${MAX_RATIO} times away from the last close ${formatPrice(close)}`
          : null;
  if (problem === null) return price;
  const separator = !isDistance && price < MAX_SPLIT && close >= MAX_SPLIT ? " Write 1500, not 1,500." : "";
  throw invalid(
    pointer,
    `the level ${text} ${problem}`,
    `The last close is ${formatPrice(close)}: pass prices near it, or percents such as +5%.${separator}`,
  );
}

const invalid = (pointer: string, detail: string, hint: string): ToolError =>
  new ToolError("INVALID_INPUT", `Invalid odds: ${detail}`, {
    hint,
    data: { errors: [{ pointer, detail }] },
  });
