import type { RecentMoves } from "../../domain/nightly/engine.ts";
import type { MoveFields } from "../../domain/nightly/scan.ts";

const EARLIER = "The run was stored by an earlier version; the next nightly run has them";
const ONE_UNIT = "Too few bars, or bars that may contain an unadjusted split";

/**
 * Returns the change and volume of a row at its close; null with a reason where they are unknown. `moves` is null in
 * runs of earlier versions. `withCloses` adds the last closes.
 */
export function moveFields(
  { close, moves }: { readonly close: number; readonly moves: RecentMoves | null },
  { withCloses }: { readonly withCloses: boolean },
): MoveFields {
  const previous = moves?.previous_close ?? null;
  return {
    change: previous === null ? null : close - previous,
    change_percent: moves?.returns["1d"] ?? null,
    volume: moves?.volume ?? null,
    volume_ratio: moves?.volume_ratio ?? null,
    ...(withCloses && { closes: moves?.closes ?? null }),
    moves_reason: reasonOf(moves, withCloses),
  };
}

function reasonOf(moves: RecentMoves | null, withCloses: boolean): string | null {
  if (moves === null) return EARLIER;
  const { returns, previous_close, closes, volume, volume_ratio } = moves;
  // an earlier version stored the return without the two closes behind it
  const isEarlier = previous_close === null && returns["1d"] !== null;
  const isApart = returns["1d"] === null || (withCloses && closes === null && !isEarlier);
  const reasons = [
    ...(isEarlier ? [EARLIER] : []),
    ...(isApart ? [ONE_UNIT] : []),
    ...(volume === null ? ["The bar has no volume"] : []),
    ...(volume !== null && volume_ratio === null ? ["Fewer than 20 bars with volume before"] : []),
  ];
  return reasons.length === 0 ? null : reasons.join("; ");
}

/** Returns a row for concise answers: without change in money and volume, except the column it is sorted by, and without null notes. */
export function conciseRow<Row extends MoveFields & { readonly other_day?: string | null | undefined }>(
  { change, volume, volume_ratio, moves_reason, other_day, ...row }: Row,
  sort?: string,
) {
  return {
    ...row,
    ...(sort === "change" && { change }),
    ...(sort === "volume" && { volume }),
    ...(sort === "volume_ratio" && { volume_ratio }),
    ...(moves_reason != null && { moves_reason }),
    ...(other_day != null && { other_day }),
  };
}
