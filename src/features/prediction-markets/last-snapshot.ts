import type { ContractSnapshotRepository } from "../../domain/ports.ts";
import type { LevelSnapshot } from "../../domain/prediction-markets/contracts.ts";

const DAY = 86_400_000;

/**
 * Returns the newest snapshot stored within the 24 hours before `at` (epoch ms). The result does not depend on the
 * request time. Without one, `reason` says why.
 */
export async function lastSnapshot(
  symbol: string,
  at: number,
  repository: ContractSnapshotRepository,
): Promise<{ readonly snapshot: LevelSnapshot | null; readonly reason: string }> {
  const snapshot = await repository.newest(symbol, { since: at - DAY, until: at });
  if (snapshot !== null) return { snapshot, reason: snapshot.reason ?? "" };
  const first = await repository.oldestSavedAt(symbol);
  const present = "Venues provide only current data";
  const none = (why: string) => ({ snapshot: null, reason: `${present}: ${why}` });
  if (first === null) return none(`snapshots of ${symbol} are stored from its first request on`);
  const since = `${new Date(first).toISOString().slice(0, 16)}Z`;
  if (first > at) return none(`snapshots of ${symbol} exist since ${since}, after this close`);
  return none(`${symbol} was not requested in the day before this close, so no snapshot was stored`);
}
