import type { Timeframe } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import { nextClose } from "./bar-close.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** What a source may need to close a bar. */
const SETTLES = 2 * SECOND;
/** How long it is asked again for a bar that did not come, and after a failure. */
const LONGEST = 15 * MINUTE;
const MOST_AGAIN = 20;

/** When a series is looked at next. */
export interface Due {
  /** Epoch ms. */
  readonly at: number;
  /** Looks in a row that found no new bar or failed. */
  readonly again: number;
  /** When the newest bar closed that was seen, ISO 8601 UTC. */
  readonly closedAt: string | null;
}

/** A series nobody looked at yet: now. */
export const dueNow = (now: number): Due => ({ at: now, again: 0, closedAt: null });

/** Waits that double: one minute, two, four, up to a quarter of an hour. */
const pause = (again: number): number => Math.min(LONGEST, MINUTE * 2 ** again);

/** The next look after one at `now`: at the next close where there was a new bar, else soon again, since sources are late. */
export function dueAfter(
  before: Due,
  {
    now,
    closedAt,
    timeframe,
    assetClass,
  }: {
    readonly now: number;
    readonly closedAt: string | null;
    readonly timeframe: Timeframe;
    readonly assetClass: AssetClass;
  },
): Due {
  const next = nextClose(now, timeframe, assetClass) + SETTLES;
  const isNew = before.closedAt === null || (closedAt !== null && closedAt > before.closedAt);
  if (isNew || before.again >= MOST_AGAIN) return { at: next, again: 0, closedAt };
  return {
    at: Math.min(next, now + pause(before.again)),
    again: before.again + 1,
    closedAt: before.closedAt,
  };
}

/** The next look after one that failed. */
export const dueAfterFailure = (before: Due, now: number): Due => ({
  ...before,
  at: now + pause(before.again),
  again: Math.min(MOST_AGAIN, before.again + 1),
});
