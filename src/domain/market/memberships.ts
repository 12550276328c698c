/** Dates between which a symbol belongs to a list, both included; 00:00 UTC, epoch ms. */
export interface Membership {
  readonly from: number;
  /** Infinity for a member without a known end. */
  readonly to: number;
}

/** Members of one list, such as an index, over time. */
export interface MemberList {
  /** As the owner wrote it. */
  readonly name: string;
  /** Ascending and without overlap, by canonical symbol. */
  readonly members: ReadonlyMap<string, readonly Membership[]>;
}

const DAY_MS = 86_400_000;

/** Returns true if the date of an instant (epoch ms) lies in one of the memberships. */
export const isMember = (memberships: readonly Membership[], at: number): boolean =>
  memberships.some(({ from, to }) => at >= from && at < to + DAY_MS);
