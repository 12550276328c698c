import { ODDS_VERSION } from "../../analytics/odds/odds.ts";
import { judgeBuckets, MIN_BUCKET } from "../../analytics/odds/odds-buckets.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import type { JudgedBucket, OddsRecord } from "../../domain/odds/odds-record.ts";
import type { Signal } from "../../domain/signal/signal.ts";
import type { Horizon } from "../../domain/track-record/track.ts";

interface BucketFilter {
  /** Default: all classes together. */
  readonly asset_class?: AssetClass | undefined;
  readonly horizon?: Horizon | undefined;
  /** Only this side, and the ranges, which have none; WAIT: only these. */
  readonly direction?: Signal["direction"] | undefined;
}

/** Buckets of a record of odds, judged. */
export interface BucketSummary {
  readonly buckets: readonly JudgedBucket[];
  /** Those of 500 or more that are off by more than 3 points, worst first. */
  readonly outside: readonly JudgedBucket[];
  /** Why none is measured; null if one is. */
  readonly reason: string | null;
}

/** Returns the matching buckets of the current method in a record of odds, and which of them did not come true. */
export function selectBuckets(
  record: OddsRecord | null,
  { asset_class, horizon, direction }: BucketFilter,
): BucketSummary {
  const buckets = judgeBuckets(
    (record?.buckets ?? []).filter(
      (bucket) =>
        bucket.version === ODDS_VERSION &&
        bucket.asset_class === (asset_class ?? null) &&
        (horizon === undefined || bucket.horizon === horizon) &&
        (direction === undefined || bucket.side === null || bucket.side === direction),
    ),
  );
  const missOf = ({ odds, happened }: JudgedBucket) => Math.abs(odds - happened);
  return {
    buckets,
    outside: buckets
      .filter(({ within_3_points }) => within_3_points === false)
      .sort((a, b) => missOf(b) - missOf(a)),
    reason: buckets.some(({ n }) => n >= MIN_BUCKET) ? null : reasonOf(record, buckets),
  };
}

function reasonOf(record: OddsRecord | null, buckets: readonly JudgedBucket[]): string {
  if (record !== null && record.buckets === undefined)
    return "Odds by side and volatility are not measured yet: the next nightly run computes them.";
  const largest = Math.max(0, ...buckets.map(({ n }) => n));
  return `Odds by side and volatility are not measured: no group has ${MIN_BUCKET} forecasts of ${ODDS_VERSION} with an outcome, the largest has ${largest}.`;
}
