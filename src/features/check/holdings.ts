import { type DayReturns, dayReturns } from "../../analytics/check/day-returns.ts";
import { MAX_HOLDINGS } from "../../analytics/check/portfolio.ts";
import { atr } from "../../analytics/indicators/atr.ts";
import { ASSUMED_STOP_ATR } from "../../analytics/sizing/caps.ts";
import { findByName } from "../../domain/market/resolve-name.ts";
import type { Ports } from "../../domain/ports.ts";
import type { Amount } from "../../domain/trading/trading.ts";
import { ToolError } from "../../kernel/errors.ts";
import { mapConcurrent } from "../../lib/concurrency.ts";
import { type Decimal, decimal, truncated } from "../../lib/decimal.ts";
import type { Holding } from "./snapshot/holdings.ts";

/** Bars of a holding that are read: those of its correlation, and the one before. */
const HOLDING_BARS = 260;
const ATR_PERIOD = 14;

/** A holding of shares or coins with its value. */
export interface ValuedHolding {
  /** Canonical. */
  readonly symbol: string;
  readonly quantity: Amount;
  readonly averagePrice: Amount | null;
  /** Of the broker, else the last close. */
  readonly price: Amount;
  /** Loss at its stop from this price, or of two average daily ranges, or of its price; USD. */
  readonly risk: Decimal;
  /** null: too few bars. */
  readonly returns: DayReturns | null;
}

export interface ReadHoldings {
  readonly holdings: readonly ValuedHolding[];
  /** What is not counted of them, in words. */
  readonly missing: readonly string[];
  /** Holdings without a value, in words. */
  readonly unvalued: readonly string[];
}

/** Values the holdings of a snapshot by their own prices or bars here, up to a time; the 25 largest have returns. */
export async function readHoldings(
  rows: readonly Holding[],
  { asOf, signal }: { readonly asOf: number | undefined; readonly signal: AbortSignal },
  { symbols, bars }: Pick<Ports, "symbols" | "bars">,
): Promise<ReadHoldings> {
  const shares = rows.filter(({ option, quantity }) => option === null && !decimal(quantity).eq(0));
  const options = rows.length - rows.filter(({ option }) => option === null).length;
  const sorted = shares.toSorted((a, b) => sizeOf(b).cmp(sizeOf(a)));
  const read = await mapConcurrent(
    sorted.slice(0, MAX_HOLDINGS),
    (row) => readHolding(row),
    () => {},
  );
  const rest = sorted.slice(MAX_HOLDINGS).flatMap((row) => valued(row, row.symbol, null) ?? []);
  const unread = [...read.filter((one) => typeof one === "string")];
  const unpriced = sorted.length - MAX_HOLDINGS - rest.length;
  return {
    holdings: [...read.filter((one) => typeof one !== "string"), ...rest],
    unvalued: [...unread, ...(unpriced > 0 ? [`${unpriced} positions without a price`] : [])],
    missing: [
      ...read.flatMap((one) =>
        typeof one !== "string" && one.returns === null
          ? [`the daily moves of ${one.symbol.slice(0, 20)}, without a stop its whole value counts as risk`]
          : [],
      ),
      ...(options === 0 ? [] : [options === 1 ? "1 option position" : `${options} option positions`]),
      ...(rest.length === 0 ? [] : [`the daily moves of ${rest.length} smaller positions`]),
    ],
  };

  async function readHolding(row: Holding): Promise<ValuedHolding | string> {
    const instrument = findByName(row.symbol, symbols)?.instrument;
    const unread = `the position ${row.symbol.slice(0, 20)}`;
    if (instrument === undefined) return valued(row, row.symbol, null) ?? unread;
    try {
      const request = {
        timeframe: "1d",
        limit: HOLDING_BARS,
        signal,
        ...(asOf !== undefined && { asOf }),
      } as const;
      const { bars: history } = await bars.history(instrument, request);
      return valued(row, instrument.symbol, history) ?? unread;
    } catch (cause) {
      if (!(cause instanceof ToolError)) throw cause;
      return valued(row, instrument.symbol, null) ?? unread;
    }
  }
}

type History = Awaited<ReturnType<Ports["bars"]["history"]>>["bars"];

/** Returns the size by which the largest holdings are chosen, USD; units where no price is given. */
const sizeOf = ({ quantity, price, averagePrice }: Holding): Decimal =>
  decimal(quantity)
    .abs()
    .times(price ?? averagePrice ?? 1);

/** Returns a holding with its value and risk; null without a price. */
function valued(row: Holding, symbol: string, history: History | null): ValuedHolding | null {
  const close = history?.close.at(-1);
  const price = row.price ?? (close === undefined ? row.averagePrice : decimal(close).toFixed());
  if (price === null) return null;
  const { quantity, averagePrice, stopLoss } = row;
  const range =
    history === null ? undefined : atr(history.high, history.low, history.close, ATR_PERIOD).at(-1);
  const way = decimal(quantity).gt(0) ? 1 : -1;
  const each =
    stopLoss !== null && decimal(price).minus(stopLoss).times(way).gt(0)
      ? decimal(price).minus(stopLoss).times(way)
      : range !== undefined && range > 0
        ? decimal(range).times(ASSUMED_STOP_ATR)
        : decimal(price);
  return {
    symbol,
    quantity,
    averagePrice,
    price: truncated(decimal(price)),
    risk: each.times(decimal(quantity).abs()),
    returns: history === null || history.close.length < 2 ? null : dayReturns(history),
  };
}

/** Returns the value of a holding, USD; negative if short. */
export const valueOfHolding = ({ quantity, price }: ValuedHolding): Decimal => decimal(quantity).times(price);
