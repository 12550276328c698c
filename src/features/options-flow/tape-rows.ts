import { BLOCK_DEFINITION, blocksIn, sweepsIn } from "../../analytics/flow/tape.ts";
import type { OptionsFlow } from "../../domain/options-flow/flow.ts";
import type { DataUnavailable, OptionTradesAnswer } from "../../domain/ports.ts";
import { tradesRow } from "./rows.ts";

/** A tape of trades with its requested start, or the reason why there is none; `failed` holds the message of an error. */
export interface TapeResult {
  readonly tape: OptionTradesAnswer | DataUnavailable | { readonly failed: string };
  /** Epoch ms. */
  readonly from: number;
}

/** Returns true if a tape answered. */
export const isCovered = ({ tape }: TapeResult): boolean => !("failed" in tape || "unavailable" in tape);

/** Returns the largest sweeps and blocks of a tape. Without a tape they are null: they are never derived from a chain. */
export function tapeRows(
  { tape, from }: TapeResult,
  limit: number,
): Pick<OptionsFlow, "sweeps" | "blocks" | "tape"> {
  const block = BLOCK_DEFINITION;
  const none = { sweeps: null, blocks: null };
  const noProvider = { source: null, from: null, until: null, block };
  if ("failed" in tape)
    return { ...none, tape: { status: "unavailable", reason: tape.failed, ...noProvider } };
  if ("unavailable" in tape)
    return { ...none, tape: { status: tape.unavailable, reason: tape.reason, ...noProvider } };
  const sweeps = sweepsIn(tape.trades);
  const iso = (at: number) => new Date(at).toISOString();
  const reasons = [
    ...(sweeps === null ? ["The tape does not mark sweeps"] : []),
    ...(tape.completeFrom === null ? [] : [`Complete only since ${iso(tape.completeFrom)}`]),
    ...(tape.notes ?? []),
    ...(tape.stale ? [`The tape does not respond now; this is its data of ${tape.fetchedAt}`] : []),
  ];
  return {
    sweeps: sweeps && tradesRow(sweeps, limit),
    blocks: tradesRow(blocksIn(tape.trades), limit),
    tape: {
      status: "covered",
      reason: reasons.length === 0 ? null : reasons.join(". "),
      source: tape.source,
      from: iso(tape.completeFrom ?? from),
      until: tape.completeUntil === undefined ? tape.fetchedAt : iso(tape.completeUntil),
      block,
    },
  };
}
