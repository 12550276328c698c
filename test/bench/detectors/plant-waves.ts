import { line, type Step } from "./lay-bars.ts";
import type { Random } from "./random.ts";

/** Swings and the bars at which they turn; `kind` is the pattern they form. */
export interface PlantedWaves {
  readonly kind: "impulse" | "zigzag" | "flat";
  readonly steps: readonly Step[];
  /** Bars of the turns from the start of the first wave to the end of the last. */
  readonly turns: readonly number[];
  /** Their prices, in ATR. */
  readonly levels: readonly number[];
}

/** Six prices of an impulse upwards that satisfies every hard rule with a margin; wave 1 starts at 0. Any unit. */
export function impulseLevels({ between }: Random): number[] {
  const first = between(9, 15);
  const second = first * between(0.4, 0.65);
  const third = first * between(1.4, 2.1);
  const top = first - second + third;
  const fourth = Math.min(third * between(0.25, 0.42), top - first - 1.5);
  const fifth = first * between(0.7, 1.1);
  return [0, first, first - second, top, top - fourth, top - fourth + fifth];
}

/** A decline, an impulse and a partial retracement. */
export function plantImpulse(random: Random): PlantedWaves {
  const levels = impulseLevels(random);
  return { kind: "impulse", ...laid(random, levels, 20, -0.45) };
}

/**
 * An advance, three corrective waves, and the advance again: zigzag (wave B is short) or flat (wave B retraces all of
 * A).
 */
export function plantCorrection(random: Random, kind: "zigzag" | "flat"): PlantedWaves {
  const a = random.between(9, 13);
  const b = a * (kind === "flat" ? random.between(0.93, 1.04) : random.between(0.4, 0.65));
  const c = kind === "flat" ? b + a * random.between(0, 0.15) : a * random.between(0.9, 1.3);
  const levels = [0, -a, b - a, b - a - c];
  return { kind, ...laid(random, levels, -25, 0.6) };
}

/** Steps from `before` to the first level, from level to level, and back by a share of the total. */
function laid(random: Random, levels: readonly number[], before: number, back: number) {
  const pace = random.between(0.5, 0.8);
  const leg = (from: number, to: number) => Math.max(5, Math.round(Math.abs(to - from) / pace));
  const steps: Step[] = [];
  const turns: number[] = [];
  const travel = (from: number, to: number, bounded: boolean) => {
    const held = { floor: Math.min(from, to) + 0.02, ceiling: Math.max(from, to) - 0.02 };
    steps.push(...line(from, to, leg(from, to), bounded ? held : {}).slice(0, -1));
    const rising = to > from;
    turns.push(steps.length);
    steps.push({
      level: to,
      exactly: rising
        ? { low: to - 1, high: to, close: to - random.between(0.2, 0.6) }
        : { low: to, high: to + 1, close: to + random.between(0.2, 0.6) },
    });
  };
  const start = levels[0]!;
  steps.push(...line(start + before * 1.02, start + before, 20));
  travel(start + before, start, true);
  for (let i = 1; i < levels.length; i++) travel(levels[i - 1]!, levels[i]!, true);
  const end = levels.at(-1)!;
  const after = end + back * Math.abs(Math.max(...levels) - Math.min(...levels));
  steps.push(...line(end, after, leg(end, after), { [after < end ? "ceiling" : "floor"]: end }));
  return { steps, turns, levels };
}
