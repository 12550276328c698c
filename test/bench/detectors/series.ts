import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Bars } from "../../../src/domain/market/bars.ts";
import { readDailyBars } from "../../support/daily-bars.ts";
import { type Random, randomOf } from "./random.ts";

const DAY = 86_400_000;
const WITHIN = 12; // steps of a walk inside one bar

/** Market files by kind; null if the test data is missing. */
export interface Files {
  readonly us: readonly Bars[];
  readonly crypto: readonly Bars[];
}

/** The daily files under a folder of `us_daily` and `crypto_daily`. */
export function filesIn(folder: string): Files | null {
  const of = (kind: string, zone: Bars["zone"]) =>
    readdirSync(join(folder, kind))
      .filter((name) => name.endsWith(".csv"))
      .sort()
      .map((name) => readDailyBars(join(folder, kind, name), zone));
  if (!existsSync(join(folder, "us_daily")) || !existsSync(join(folder, "crypto_daily"))) return null;
  return { us: of("us_daily", "America/New_York"), crypto: of("crypto_daily", "UTC") };
}

/** A geometric random walk without drift and with a deviation of 1.5% per bar; volume is drawn independently. */
export function walk(seed: number, size: number): Bars {
  const random = randomOf(seed, 7);
  const spread = 0.015 / Math.sqrt(WITHIN);
  return built(size, (before) => {
    let [price, high, low] = [before, before, before];
    for (let i = 0; i < WITHIN; i++) {
      price *= Math.exp(spread * random.normal() - spread ** 2 / 2);
      high = Math.max(high, price);
      low = Math.min(low, price);
    }
    return {
      open: before,
      high,
      low,
      close: price,
      volume: Math.round(1e6 * Math.exp(0.35 * random.normal())),
    };
  });
}

/** The bars in random order, each with its original change from the previous close and its volume. */
export function shuffled(bars: Bars, seed: number): Bars {
  const order = shuffledOrder(bars.close.length - 1, randomOf(seed, 8));
  const made = built(bars.close.length - 1, (before, i) => {
    const from = order[i]! + 1;
    const times = before / bars.close[from - 1]!;
    const of = (x: Float64Array) => x[from]! * times;
    return {
      open: of(bars.open),
      high: of(bars.high),
      low: of(bars.low),
      close: of(bars.close),
      volume: bars.volume[from]!,
    };
  });
  return { ...made, zone: "UTC" };
}

function shuffledOrder(size: number, { whole }: Random): number[] {
  const order = Array.from({ length: size }, (_, i) => i);
  for (let i = size - 1; i > 0; i--) {
    const j = whole(0, i);
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}

type Row = Readonly<Record<"open" | "high" | "low" | "close" | "volume", number>>;

function built(size: number, next: (before: number, index: number) => Row): Bars {
  const rows: Row[] = [];
  for (let i = 0; i < size; i++) rows.push(next(rows.at(-1)?.close ?? 100, i));
  const column = (name: keyof Row) => Float64Array.from(rows, (row) => row[name]);
  return {
    time: Float64Array.from(rows, (_, i) => i * DAY),
    open: column("open"),
    high: column("high"),
    low: column("low"),
    close: column("close"),
    volume: column("volume"),
    timeframe: "1d",
    adjustment: "split",
    zone: "UTC",
  };
}
