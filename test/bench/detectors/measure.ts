import { averageRange } from "./oracle-wyckoff.ts";
import { type Planted, plant } from "./plant.ts";
import { randomOf } from "./random.ts";
import { misjudged, scoreImpulses } from "./score-waves.ts";
import { scoreEvents, scorePhases } from "./score-wyckoff.ts";
import { added, NOTHING, type Tally } from "./tally.ts";

const EVENTS = {
  Spring: ["SPRING"],
  UTAD: ["UTAD"],
  LPS: ["LPS", "LPSY"],
  "SOS, SOW": ["SOS", "SOW"],
} as const;

export interface Measured {
  readonly rows: Readonly<Record<string, Tally>>;
  /** Hard-rule failures: `refused` counts planted impulses, `broken` reported counts, `misjudged` mutants. */
  readonly refused: number;
  readonly broken: number;
  readonly misjudged: number;
  /** Standard deviation of the noise relative to the mean ATR14 of the finished bars. */
  readonly noise: number;
  readonly redrawn: number;
  /** Series that still contain an unplanned event. */
  readonly strays: number;
}

/** Measures the detectors on `seeds` planted series. For `alone` see the planting function. */
export function measure(seeds: number, noise: number, alone: boolean): Measured {
  const rows: Record<string, Tally> = {};
  const add = (name: string, tally: Tally) => {
    rows[name] = added(rows[name] ?? NOTHING, tally);
  };
  let [refused, broken, wrong, redrawn, strays, width] = [0, 0, 0, 0, 0, 0];
  for (let seed = 0; seed < seeds; seed++) {
    const planted = plant(seed, noise, alone);
    for (const [name, types] of Object.entries(EVENTS)) add(name, scoreEvents(planted, types));
    add("phase", scorePhases(planted));
    const waves = scoreImpulses(planted);
    add("impulse", waves.tally);
    refused += waves.refused;
    broken += waves.broken;
    wrong += misjudged(randomOf(seed, 99));
    redrawn += planted.redrawn;
    strays += planted.isAlone ? 0 : 1;
    width += widthOf(planted);
  }
  return { rows, refused, broken, misjudged: wrong, noise: (noise * seeds) / width, redrawn, strays };
}

function widthOf({ bars, atr }: Planted): number {
  const ranges = averageRange(bars);
  let sum = 0;
  for (let i = 14; i < ranges.length; i++) sum += ranges[i]! / bars.close[i]! / atr;
  return sum / (ranges.length - 14);
}
