/** Access ladder: a plan opens every tool whose plan ranks no higher. Individual and early adopters rank alike. */
export const PLAN_RANK = { member: 0, individual: 1, early: 1, founding: 2, pro: 3, enterprise: 4 } as const;
export type Plan = keyof typeof PLAN_RANK;

/** What a key may do; each tool's effect asks for one of them. */
export const SCOPES = ["read", "write", "trade:paper", "trade:live", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

/** Who calls: one account behind every key and door. An `open` caller showed no key. */
export interface Principal {
  readonly account: string;
  readonly plan: Plan | "open";
  readonly scopes: readonly Scope[];
  /** Row of the plan schedule granted to the account by name, in place of its plan's own. */
  readonly terms?: string;
  /** Which key was shown; absent for whoever runs commands on this machine. */
  readonly keyId?: string;
}

/** One rate window of a caller as it stands; `assistant` counts questions in plain words, where the plan limits them. Times are seconds. */
export interface Window {
  readonly name: "burst" | "daily" | "assistant";
  readonly quota: number;
  readonly window: number;
  readonly remaining: number;
  readonly reset: number;
}
