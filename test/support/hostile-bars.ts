import type { Bars } from "../../src/domain/market/bars.ts";
import { randomFrom } from "./synthetic-bars.ts";

/** Kinds of series at the edges of what providers and files deliver. */
export const HOSTILE_KINDS = [
  "flat",
  "thin",
  "spiky",
  "gaps",
  "zero_volume",
  "tiny",
  "huge",
  "cents",
  "crash",
  "awakened",
] as const;
export type HostileKind = (typeof HOSTILE_KINDS)[number];

interface Shape {
  /** First price. */
  readonly price: number;
  /** Typical log move of a bar. */
  readonly move: number;
  /** Price step. */
  readonly tick: number;
  /** Returns the log move of a bar before ticks. */
  readonly jump: (bar: number, count: number, random: () => number) => number;
  readonly volume: (random: () => number) => number;
}

const walk = (random: () => number): number => 2 * random() - 1;
const normal: Shape = {
  price: 100,
  move: 0.015,
  tick: 0,
  jump: (_, __, random) => walk(random),
  volume: (random) => Math.round(1e6 * random()),
};

const SHAPES: Readonly<Record<HostileKind, Shape>> = {
  flat: { ...normal, move: 0 },
  thin: {
    ...normal,
    jump: (_, __, random) => (random() < 0.6 ? 0 : 3 * walk(random)),
    volume: (random) => (random() < 0.6 ? 0 : 1),
  },
  spiky: { ...normal, jump: (_, __, random) => (random() < 0.03 ? 150 * walk(random) : walk(random)) },
  gaps: { ...normal, jump: (_, __, random) => (random() < 0.1 ? 12 * walk(random) : 0.2 * walk(random)) },
  zero_volume: { ...normal, volume: () => 0 },
  tiny: { ...normal, price: 1e-12, move: 0.05 },
  huge: { ...normal, price: 1e9, volume: (random) => 1e12 * random() },
  cents: { ...normal, price: 0.01, move: 0.2, tick: 0.0001 },
  crash: { ...normal, jump: (bar, count, random) => (bar === count - 3 ? -300 : walk(random)) },
  awakened: { ...normal, jump: (bar, count, random) => (bar < count - 40 ? 0 : 6 * walk(random)) },
};

/** Returns daily bars of a kind, the same for the same seed; prices are above 0 and each bar is consistent. */
export function hostileBars(kind: HostileKind, seed: number, count: number): Bars {
  const { price: first, move, tick, jump, volume } = SHAPES[kind];
  const random = randomFrom(seed * 7919 + 13);
  for (let i = 0; i < 8; i++) random();
  const atTick = (price: number) =>
    tick === 0 ? Math.max(price, 1e-15) : Math.max(tick, Math.round(price / tick) * tick);
  const column = () => new Float64Array(count);
  const bars = {
    time: column(),
    open: column(),
    high: column(),
    low: column(),
    close: column(),
    volume: column(),
  };
  let close = atTick(first);
  for (let i = 0; i < count; i++) {
    const before = close;
    const change = move * jump(i, count, random);
    const open = kind === "gaps" ? atTick(before * Math.exp(change)) : before;
    close =
      kind === "gaps"
        ? atTick(open * Math.exp(move * 0.1 * walk(random)))
        : atTick(before * Math.exp(change));
    const wide = change === 0 ? 0 : move * random();
    bars.time[i] = Date.UTC(2020, 0, 1) + i * 86_400_000;
    bars.open[i] = open;
    bars.close[i] = close;
    bars.high[i] = atTick(Math.max(open, close) * Math.exp(wide));
    bars.low[i] = atTick(Math.min(open, close) * Math.exp(-wide));
    bars.volume[i] = volume(random);
  }
  return { ...bars, timeframe: "1d", adjustment: "split", zone: "UTC" };
}
