import type { Clock } from "../../domain/ports.ts";
import type { ShortInterestReport } from "../../domain/short-interest/short-interest.ts";
import type { ShortInterest } from "../../domain/short-interest/short-interest-port.ts";
import {
  shortInterestPublishedAt,
  shortInterestSettlements,
} from "../../market/calendar/short-interest-dates.ts";
import { bell, draw, drift, keyOf, unit } from "./draws.ts";
import type { Recording, Recordings } from "./recordings.ts";
import { DAY_MS, dayAt } from "./time.ts";

/** Age of the oldest report, ms. */
const LOOK_BACK_MS = 370 * DAY_MS;
/** Number of days whose average volume a report states, and over which short positions drift. */
const VOLUME_DAYS = 15;
const DRIFT_DAYS = 60;

/** Creates the short interest of the simulated market: between one and five days of a listing's usual volume. */
export function sampleShortInterest(recordings: Recordings, clock: Clock): ShortInterest {
  return {
    async reports({ symbol, asset_class }) {
      const recording = asset_class === "crypto" ? null : recordings(symbol);
      if (recording === null)
        return {
          unavailable: "not_covered",
          reason: `The sample market has no short interest of ${symbol}`,
        };
      const now = clock.now();
      return {
        reports: shortInterestOf(recording, now.getTime()),
        source: "sample",
        fetchedAt: now.toISOString(),
        stale: false,
        tried: [],
      };
    },
  };
}

/** Returns the simulated reports of the year before a time (epoch ms) that are published by then, oldest first. */
export function shortInterestOf(recording: Recording, now: number): readonly ShortInterestReport[] {
  return shortInterestSettlements(now - LOOK_BACK_MS, now).flatMap((settlement, i, all) => {
    const knownAt = shortInterestPublishedAt(settlement);
    const before = all[i - 1];
    if (before === undefined || knownAt > now) return [];
    return [
      {
        settlement,
        shares: sharesShort(recording, settlement),
        previous: sharesShort(recording, before),
        averageVolume: averageVolume(recording, settlement),
        split: false,
        revised: false,
        knownAt,
      },
    ];
  });
}

function sharesShort({ key, listing }: Recording, settlement: number): number {
  const of = keyOf(key, "short interest");
  const day = dayAt(settlement);
  const days =
    1.5 + 3 * unit(draw(of, 0)) + 0.5 * drift(DRIFT_DAYS, (back) => bell(draw(of, day - back + 1)));
  return Math.round(listing.volume * Math.max(1, days));
}

function averageVolume({ path }: Recording, settlement: number): number {
  const day = dayAt(settlement);
  const volumes = Array.from(
    { length: VOLUME_DAYS },
    (_, back) => path.candle(Math.max(0, day - back)).volume,
  );
  return Math.round(volumes.reduce((sum, volume) => sum + volume, 0) / path.parts / VOLUME_DAYS);
}
