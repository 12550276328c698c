import type { ContractSnapshotRepository } from "../../domain/ports.ts";
import type { LevelSnapshot } from "../../domain/prediction-markets/contracts.ts";

const DAY = 86_400_000;

/** Last stored snapshot of the venues before a moment, or the reason why there is none. */
export interface LastSnapshot {
  readonly kept: LevelSnapshot | null;
  readonly reason: string;
}

/** Returns the newest snapshot stored within the day before a moment (epoch ms); the result does not depend on the request time. */
export async function lastSnapshot(
  symbol: string,
  at: number,
  book: ContractSnapshotRepository,
): Promise<LastSnapshot> {
  const kept = await book.newest(symbol, { since: at - DAY, until: at });
  if (kept !== null) return { kept, reason: kept.reason ?? "" };
  const first = await book.oldestSavedAt(symbol);
  const present = "Venues tell the present alone";
  if (first === null)
    return {
      kept,
      reason: `${present}: from the first question about ${symbol} on, what they tell is kept for later closes`,
    };
  const since = `${new Date(first).toISOString().slice(0, 16)}Z`;
  return {
    kept,
    reason:
      first > at
        ? `${present}: what they tell of ${symbol} is kept since ${since}, after this close`
        : `${present}: nothing of ${symbol} was kept in the day before this close, at which nobody asked about it`,
  };
}
