import type { Bars } from "../../domain/market/bars.ts";
import type { Membership } from "../../domain/market/memberships.ts";
import { type Decisions, FLAT, HOLD, type Stream } from "./types.ts";

const DAY_MS = 86_400_000;

/** Returns true if the date of an instant (epoch ms) lies in one of the memberships. */
export const isMember = (memberships: readonly Membership[], at: number): boolean =>
  memberships.some(({ from, to }) => at >= from && at < to + DAY_MS);

/**
 * Returns decisions that hold a symbol only while it is a member: none opens a position outside of a membership, and
 * the last close as a member decides to sell at the next open. The dates of memberships are known in advance, as
 * changes of an index are announced.
 */
export function heldAsMember(
  decisions: Decisions,
  time: Float64Array,
  memberships: readonly Membership[],
): Decisions {
  const action = decisions.action.slice();
  let first = time.length;
  for (let row = time.length - 1; row >= 0; row--) {
    if (isMember(memberships, time[row]!)) first = row;
    if (row + 1 < time.length && !isMember(memberships, time[row + 1]!))
      action[row] = isMember(memberships, time[row]!) ? FLAT : HOLD;
  }
  return { ...decisions, action, start: Math.max(decisions.start, first - 1) };
}

/** A symbol has ended when its bars end this much earlier than the run. */
const MAX_END_GAP_MS = 10 * DAY_MS;

/** Returns true if the bars of a symbol end more than 10 days before a run whose last bar starts at `end`, epoch ms. */
export const endsEarly = ({ time }: Pick<Bars, "time">, end: number): boolean =>
  end - time[time.length - 1]! > MAX_END_GAP_MS;

/** Returns the number of streams that may be held at an instant, epoch ms. */
export function membersAt(streams: readonly Stream[], at: number): number {
  let count = 0;
  for (const { memberships, bars } of streams)
    if (memberships === undefined || (at <= bars.time.at(-1)! && isMember(memberships, at))) count++;
  return count;
}
