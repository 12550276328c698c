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
