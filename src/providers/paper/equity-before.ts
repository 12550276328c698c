import type { CallOptions } from "../../domain/ports.ts";
import type { PaperState } from "../../domain/trading/paper-repository-port.ts";
import type { Amount } from "../../domain/trading/trading.ts";
import { newYorkDay } from "../../lib/newyork.ts";
import { previousSessionDay, sessionOn } from "../../market/calendar/calendar.ts";
import { Big, roundToCents, toAmount } from "./amount.ts";
import { findInstrument, type PaperAccountDeps } from "./bring-up-to-date.ts";

/** Returns the close of the last US session before today in New York, epoch ms. */
export function previousSessionClose(now: number): number {
  const day = previousSessionDay(newYorkDay(now));
  if (day === null) throw new RangeError("no session within nine days");
  return sessionOn(day)!.close;
}

/**
 * Returns the equity of an account at the previous session close: cash and units without later fills, units
 * valued at the day's close or, for crypto, the close of that hour. Returns the opening cash if the account
 * was opened later; null if a price is unknown.
 */
export async function equityBefore(
  state: PaperState,
  { repository, owner, symbols, bars, clock }: PaperAccountDeps,
  options: CallOptions = {},
): Promise<Amount | null> {
  const close = previousSessionClose(clock.now().getTime());
  if (Date.parse(state.openedAt) > close) return state.openingCash;
  const since = new Date(close).toISOString();
  const [fills, splits] = [await repository.fills(owner, since), await repository.splits(owner)];
  let equity = new Big(state.cash);
  const units = new Map(state.positions.map(({ symbol, quantity }) => [symbol, new Big(quantity)]));
  for (const { number, symbol, side, quantity, price, fee } of fills) {
    const buy = side === "buy";
    const value = roundToCents(new Big(quantity).times(price), buy ? "up" : "down");
    equity = (buy ? equity.plus(value) : equity.minus(value)).plus(fee);
    const later = splits.filter((split) => split.symbol === symbol && split.number > number);
    const today = later.reduce((sum, { ratio }) => sum.times(ratio), new Big(quantity));
    const held = units.get(symbol) ?? new Big(0);
    units.set(symbol, buy ? held.minus(today) : held.plus(today));
  }
  for (const [symbol, held] of units) {
    if (held.eq(0)) continue;
    const instrument = findInstrument(symbols, symbol);
    if (instrument === null) return null;
    const price = await priceAt(instrument, close, { bars }, options);
    if (price === null) return null;
    equity = equity.plus(held.times(price));
  }
  return toAmount(equity);
}

async function priceAt(
  instrument: NonNullable<ReturnType<typeof findInstrument>>,
  at: number,
  { bars }: Pick<PaperAccountDeps, "bars">,
  options: CallOptions,
): Promise<number | null> {
  const closing = async (timeframe: "1d" | "1h") => {
    const { bars: closed } = await bars.history(instrument, { timeframe, limit: 1, asOf: at, ...options });
    const price = closed.close.at(-1) ?? Number.NaN;
    return Number.isFinite(price) && price > 0 ? { price, zone: closed.zone } : null;
  };
  const day = await closing("1d").catch(() => null);
  const hour = day?.zone === "UTC" ? await closing("1h").catch(() => null) : null;
  return (hour ?? day)?.price ?? null;
}
