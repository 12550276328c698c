import { type Candle, EPOCH } from "../../../src/providers/sample/daily.ts";

export const DAY = 86_400_000;
/** Volumes of coins in 64ths: binary fractions, which add up exactly in any order. */
export const COIN_PARTS = 64;

/** A whole day in whole units, so that its parts add up exactly: `scale` units of price in a dollar, `parts` of volume in a share or coin. */
export interface DayCandle extends Candle {
  readonly scale: number;
  readonly parts: number;
}

/** The days of one instrument by number; null before its first and never after. A day once told never changes. */
export type Days = (number: number) => DayCandle | null;

/** How a market counts its days; number 0 is its first of 2017. */
export interface DayCount {
  /** 00:00 UTC of a day's date. */
  dateOf(number: number): number;
  /** The newest day whose date is not after this instant. */
  numberAt(date: number): number;
}

/** Every UTC day. */
export const UTC_DAYS: DayCount = {
  dateOf: (number) => EPOCH + number * DAY,
  numberAt: (date) => Math.floor((date - EPOCH) / DAY),
};
