import { LRUCache } from "lru-cache";
import type { TradingHours } from "../../../src/domain/market/trading-hours.ts";
import type { TradingDay } from "./hours.ts";
import { type Buckets, bucketsOf, pathOf, type Stretch, ticksOver } from "./path.ts";

/** Bytes of finished stretches kept as five-minute bars. */
const KEPT_BYTES = 96 * 1024 * 1024;
/** Unfinished stretches kept tick by tick. */
const KEPT_PATHS = 64;

/** What the clock lets be told of days. What is kept only saves time. */
export interface Telling {
  /** A finished session by its name; undefined where it is not at hand. */
  known(name: string): Buckets | undefined;
  /** The stretches of a day that have begun, as five-minute bars; `name` is the day's own. */
  parts(name: string, day: TradingDay, hours: TradingHours): readonly Buckets[];
}

export function tellingBy(now: () => number): Telling {
  const finished = new LRUCache<string, Buckets>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ open }) => 400 + 40 * open.length,
  });
  const paths = new LRUCache<string, Float64Array>({ max: KEPT_PATHS });

  const known = (name: string) => {
    const kept = finished.get(name);
    return kept !== undefined && kept.end <= now() ? kept : undefined;
  };

  function told(name: string, stretch: Stretch): Buckets | null {
    const over = ticksOver(stretch, now());
    if (over === 0) return null;
    const whole = over === stretch.ticks;
    const kept = whole ? known(name) : undefined;
    if (kept !== undefined) return kept;
    const path = paths.get(name) ?? pathOf(stretch);
    if (!whole) paths.set(name, path);
    const buckets = bucketsOf(stretch, path, over);
    if (whole) finished.set(name, buckets);
    return buckets;
  }

  return {
    known,
    parts(name, { pre, main, post }, hours) {
      const asked = hours === "regular" ? [main] : [pre, main, post];
      return asked.flatMap((stretch) => {
        const part = stretch && told(stretch === main ? name : `${name} ${stretch.start}`, stretch);
        return part === null ? [] : [part];
      });
    },
  };
}
