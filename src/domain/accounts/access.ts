/** Rank of each plan. A plan includes every tool whose plan ranks no higher; individual and early have the same rank. */
export const PLAN_RANK = { member: 0, individual: 1, early: 1, founding: 2, pro: 3, enterprise: 4 } as const;
export type Plan = keyof typeof PLAN_RANK;

/** Account of the local owner of the server. */
export const OWNER_ACCOUNT = "owner";

/** Permissions of a key. The effect of a tool determines the scope it requires. */
export const SCOPES = ["read", "write", "trade:paper", "trade:live", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

/** The authenticated caller, the same over every transport. Plan `open`: a caller without a key. */
export interface Principal {
  readonly account: string;
  readonly plan: Plan | "open";
  readonly scopes: readonly Scope[];
  /** Named row of the plan schedule that replaces the row of the plan. */
  readonly terms?: string;
  /** Id of the key, or of what a person allowed an app; absent for a person, and for callers without a key. */
  readonly keyId?: string;
  /** Expiry of the key, ISO 8601 UTC. Null or absent: it does not expire, or is not known. */
  readonly expiresAt?: string | null;
  /** Daily limit of calls of an app. Null or absent: only the limits of the account. */
  readonly dailyCalls?: number | null;
  /** Further scopes that the person of an app may allow it; absent for all other callers. */
  readonly grantable?: readonly Scope[];
}

/** Text before the id of an app in the id of its grant, which stands where the id of a key does. */
export const GRANT_PREFIX = "app:";

/** Returns the id of the app of a grant; null for the id of a key, and for callers without one. */
export const appOf = (keyId: string | null | undefined): string | null =>
  keyId?.startsWith(GRANT_PREFIX) ? keyId.slice(GRANT_PREFIX.length) : null;

/** Returns true for an app that acts for a person. */
export const isApp = ({ keyId }: Principal): boolean => appOf(keyId) !== null;

/** Returns true for the owner at the server itself: the owner account without a key. */
export const isLocalOwner = ({ account, keyId }: Principal): boolean =>
  account === OWNER_ACCOUNT && keyId === undefined;

/** Usage of one rate window of a caller. `assistant` counts plain-language questions when the plan limits them; `app` counts the calls of an app that has a limit of its own. Times are seconds. */
export interface Window {
  readonly name: "burst" | "daily" | "assistant" | "app";
  readonly quota: number;
  readonly window: number;
  readonly remaining: number;
  readonly reset: number;
}
