import type { Instrument } from "../../../src/domain/market/market.ts";
import type { DayCandle, Days } from "./candle.ts";

const LATELY = 20;

/** Real days that end on day `anchor`, and from there on made-up ones that continue from their last close. */
export function shifted(real: readonly DayCandle[], anchor: number, made: Days): Days {
  const last = real.at(-1)!;
  const there = made(anchor)!;
  const level = last.close / last.scale / (there.close / there.scale);
  const usual = (days: readonly DayCandle[]) =>
    days.reduce((sum, { volume, parts }) => sum + volume / parts, 0) / days.length;
  const lately = Array.from({ length: LATELY }, (_, i) => made(Math.max(0, anchor - i))!);
  const bustle = usual(real.slice(-LATELY)) / usual(lately);
  return (number) => {
    if (number <= anchor) return real[real.length - 1 - (anchor - number)] ?? null;
    const day = made(number)!;
    const units = (price: number) => Math.max(1, Math.round((price / day.scale) * level * last.scale));
    return {
      open: units(day.open),
      high: units(day.high),
      low: units(day.low),
      close: units(day.close),
      volume: Math.round((day.volume / day.parts) * bustle * last.parts),
      spread: (day.spread / day.scale) * level * last.scale,
      scale: last.scale,
      parts: last.parts,
    };
  };
}

/** Splits by symbol: how many sessions before the newest recorded one, and how many new shares for an old. */
const SPLITS: Readonly<Record<string, readonly { readonly ago: number; readonly factor: number }[]>> = {
  NFLX: [{ ago: 132, factor: 10 }],
  NVDA: [{ ago: 493, factor: 10 }],
  WMT: [{ ago: 566, factor: 3 }],
};

/** Splits of an instrument as numbers of days, oldest first; prices before them are adjusted already. */
export const splitsOf = ({ symbol }: Instrument, anchor: number) =>
  (SPLITS[symbol] ?? [])
    .map(({ ago, factor }) => ({ number: anchor - ago, factor }))
    .filter(({ number }) => number > 0);
