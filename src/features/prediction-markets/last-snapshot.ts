import type { ContractSnapshotRepository } from "../../domain/ports.ts";
import type { LevelSnapshot } from "../../domain/prediction-markets/contracts.ts";

const DAY = 86_400_000;

/** Last stored snapshot of the venues before a given time, or the reason why there is none. */
export interface LastSnapshot {
  readonly snapshot: LevelSnapshot | null;
  readonly reason: string;
}

/**
 * Returns the newest snapshot stored within the 24 hours before `at` (epoch ms). The result does not depend on the
 * request time.
 */
export async function lastSnapshot(
  symbol: string,
  at: number,
  repository: ContractSnapshotRepository,
): Promise<LastSnapshot> {
  const snapshot = await repository.newest(symbol, { since: at - DAY, until: at });
  if (snapshot !== null) return { snapshot, reason: snapshot.reason ?? "" };
  const first = await repository.oldestSavedAt(symbol);
  const present = "Venues provide only current data";
  if (first === null)
    return {
      snapshot,
      reason: `${present}: snapshots of ${symbol} are stored from its first request on`,
    };
  const since = `${new Date(first).toISOString().slice(0, 16)}Z`;
  return {
    snapshot,
    reason:
      first > at
        ? `${present}: snapshots of ${symbol} exist since ${since}, after this close`
        : `${present}: ${symbol} was not requested in the day before this close, so no snapshot was stored`,
  };
}
