import { z } from "zod";
import { judgeBuckets, MIN_BUCKET } from "../../analytics/odds/odds-buckets.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import { OddsBucket, type OddsRecord } from "../../domain/odds/odds-record.ts";
import type { Horizon } from "../../domain/track-record/track.ts";

/** Odds of daily bars by bars, side and volatility against what happened. */
export const BucketAnswer = z.object({
  measured: z.number().int().describe("Buckets of 500 or more forecasts"),
  within_3_points: z.number().int().describe("Of measured"),
  outside: z.array(OddsBucket).describe("The others, worst first; concise: at most 5"),
  rows: z.array(OddsBucket).optional().describe("Every bucket; omitted in concise"),
  reason: z.string().nullable().describe("Why nothing is measured"),
});
export type BucketAnswer = z.infer<typeof BucketAnswer>;

const MAX_CONCISE = 5;

interface BucketFilter {
  /** Default: all classes together. */
  readonly asset_class?: AssetClass | undefined;
  readonly horizon?: Horizon | undefined;
  readonly concise: boolean;
}

/** Judges the buckets of a record of odds; without one, or with small ones only, gives the reason. */
export function bucketAnswer(
  record: OddsRecord | null,
  { asset_class, horizon, concise }: BucketFilter,
): BucketAnswer {
  const rows = (record?.buckets ?? []).filter(
    (bucket) =>
      bucket.asset_class === (asset_class ?? null) && (horizon === undefined || bucket.horizon === horizon),
  );
  const { measured, within, outside } = judgeBuckets(rows);
  return {
    measured,
    within_3_points: within,
    outside: concise ? outside.slice(0, MAX_CONCISE) : [...outside],
    ...(concise ? {} : { rows }),
    reason: measured > 0 ? null : reasonOf(record, rows),
  };
}

function reasonOf(record: OddsRecord | null, rows: readonly OddsBucket[]): string {
  if (record !== null && record.buckets === undefined)
    return "Odds by side and volatility are not measured yet: the next nightly run computes them.";
  const largest = Math.max(0, ...rows.map(({ n }) => n));
  return `Odds by side and volatility are not measured: no group has ${MIN_BUCKET} forecasts with an outcome, the largest has ${largest}.`;
}
