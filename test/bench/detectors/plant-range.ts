import { line, type Step } from "./lay-bars.ts";
import type { Random } from "./random.ts";

/**
 * Planted events and phases, named for the bullish side: bars of the events, and bars at which the phase is checked.
 */
export interface PlantedRange {
  readonly steps: readonly Step[];
  readonly spring: number;
  readonly sos: number;
  readonly lps: number;
  /** First and last bar of the range before the Spring. */
  readonly first: number;
  readonly last: number;
}

/**
 * A decline, a range whose edges are touched at every turn, a Spring below it, often a test on low volume, a sign of
 * strength above it, a low-volume pullback to a last point of support, and the advance. Every size is random.
 */
export function plantRange(random: Random): PlantedRange {
  const { between, whole, unit } = random;
  const pace = between(0.3, 0.5);
  const height = between(4.5, 7.5);
  const fall = whole(70, 100);
  const cliff = between(8, 11);
  const steps: Step[] = [
    ...line(cliff + pace * fall, cliff, fall, { floor: cliff }),
    ...line(cliff, 0.4, 7, { floor: 0.05, calm: 0.3 }),
  ];
  const first = steps.length;
  steps.push({
    level: 0.5,
    exactly: { low: 0, high: 1.6, close: between(0.6, 1.2) },
    volume: between(2.2, 3.2),
  });
  const swings = 2 * whole(2, 3) + 1;
  for (let swing = 1; swing <= swings; swing++) {
    const up = swing % 2 === 1;
    const ends = up ? height - 0.6 : 0.6;
    steps.push(
      ...line(up ? 0.6 : height - 0.6, ends, whole(6, 10), { floor: 0, ceiling: height }).slice(0, -1),
    );
    const off = swing < 3 ? 0 : between(0, 0.3);
    const edge = up ? height - off : off;
    const [inner, close] = [between(0.9, 1.3), between(0.3, 0.8)];
    const exactly = up
      ? { low: edge - inner, high: edge, close: edge - close }
      : { low: edge, high: edge + inner, close: edge + close };
    steps.push({ level: ends, exactly });
  }
  steps.push(...line(height - 0.6, 0.7, whole(6, 10), { floor: 0, ceiling: height }));
  const last = steps.length - 1;
  const spring = plantSpring(steps, random, height);
  steps.push(...line(1.2, 2, whole(3, 5), { floor: 0.5, ceiling: height / 2 }));
  if (unit() < 0.7) {
    const low = between(0.05, 0.4);
    steps.push({ level: 1, exactly: { low, high: low + 0.8, close: low + 0.5 }, volume: between(0.35, 0.6) });
  }
  steps.push(...line(1.2, height - 0.5, whole(8, 16), { floor: 0.6, ceiling: height - 0.05 }));
  const sos = steps.length;
  const jump = height + between(0.8, 1.4);
  steps.push({
    level: jump,
    exactly: { low: height - 1, high: jump + 0.1, close: jump },
    volume: between(2, 2.8),
  });
  const lps = plantPullback(steps, random, jump, height);
  steps.push(...line(height + 1.5, height + 1.5 + pace * 60, 60, { floor: height + 0.3 }));
  return { steps, spring, sos, lps, first, last };
}

function plantSpring(steps: Step[], { between, unit, whole }: Random, height: number): number {
  const spring = steps.length;
  const low = -between(0.25, Math.min(1.2, height / 3 - 0.3));
  const kind = whole(1, 3);
  const volume = kind === 1 ? between(1.9, 2.6) : kind === 2 ? between(0.9, 1.3) : between(0.4, 0.65);
  if (unit() < 0.6) {
    const close = between(0.3, 0.7);
    steps.push({ level: 0.5, exactly: { low, high: close + 0.15, close }, volume });
  } else {
    steps.push({ level: 0, exactly: { low, high: 0.4, close: low / 2 }, volume });
    steps.push({ level: 0.6, exactly: { low: low + 0.1, high: 0.9, close: between(0.5, 0.8) } });
  }
  return spring;
}

/** Up to a top, down again bar by bar on low volume, and the bar that closes above the previous high. */
function plantPullback(steps: Step[], { between, whole }: Random, jump: number, height: number): number {
  const top = jump + between(0.6, 1.2);
  steps.push(...line(jump, top - 0.4, whole(1, 3), { floor: jump - 0.4, ceiling: top - 0.1, calm: 0.5 }));
  steps.push({ level: top - 0.3, exactly: { low: top - 0.8, high: top, close: top - 0.3 }, volume: 1.2 });
  const bottom = height + between(-0.5, 0.3);
  const bars = whole(3, 5);
  const drop = (top - 0.5 - (bottom + 0.5)) / bars;
  for (let i = 1; i <= bars; i++) {
    const high = top - 0.1 - drop * i;
    steps.push({
      level: high - 0.4,
      exactly: { low: high - 0.65, high, close: high - 0.45 },
      volume: between(0.5, 0.7),
    });
  }
  const lps = steps.length;
  const high = bottom + 0.6;
  steps.push({
    level: bottom + 0.3,
    exactly: { low: bottom, high, close: bottom + 0.35 },
    volume: between(0.4, 0.6),
  });
  steps.push({ level: high + 0.5, exactly: { low: bottom + 0.25, high: high + 0.6, close: high + 0.45 } });
  return lps;
}
