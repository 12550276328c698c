/** One call of a tool, counted when it ends. */
export interface CountedCall {
  readonly account: string;
  /** Id of the key; null for the local owner. */
  readonly key: string | null;
  readonly tool: string;
  /** True if it ended with an error. */
  readonly failed: boolean;
  /** Characters of the answer as JSON, in its form over the transport of the call; 0 for an error. */
  readonly characters: number;
}

/** What the counted calls are added up by. */
export const USAGE_GROUPS = ["day", "tool", "key"] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

export interface UsageFilter {
  readonly account: string;
  readonly tool?: string | undefined;
  /** Id of a key. */
  readonly key?: string | undefined;
  /** First day, UTC, `YYYY-MM-DD`. */
  readonly since: string;
  readonly by: UsageGroup;
}

/** Calls of one day, tool or key. */
export interface UsageSum {
  /** Day (UTC), tool or id of the key; null for calls without a key. */
  readonly name: string | null;
  /** Name and last four characters of the key; null for days, tools and calls without a key. */
  readonly label: string | null;
  readonly calls: number;
  readonly failed: number;
  readonly characters: number;
}

/** Account under which the calls of all callers without a key are counted, so that addresses are not stored. */
export const KEYLESS_ACCOUNT = "addr:";

/** Number of days for which calls are stored. */
export const USAGE_DAYS = 400;

/** Calls by account, key, tool and day, stored for 400 days. */
export interface Usage {
  /** Counts a call in memory; counts are stored once a minute and when the installation closes. */
  count(call: CountedCall): void;
  /** Adds up the stored calls, and those of this process: days newest first, tools and keys with most calls first. */
  read(filter: UsageFilter): Promise<readonly UsageSum[]>;
  /** Returns the ids of the accounts that are stored. */
  accounts(): Promise<readonly string[]>;
}

/** A counted call with its day, or several of the same account, key, tool and day. */
export interface UsageCount extends Omit<CountedCall, "failed"> {
  readonly day: string;
  readonly calls: number;
  readonly failed: number;
  /** Time of the last of them, ISO 8601 UTC. */
  readonly last_at: string;
}

/** The stored counts, and the last use of each key and app. */
export interface UsageRepository {
  /** Adds the counts, with the last use of each app, and stores the last uses of keys by id, all or nothing. */
  add(counts: readonly UsageCount[], lastUses: ReadonlyMap<string, string>): Promise<void>;
  read(filter: UsageFilter): Promise<readonly UsageSum[]>;
  accounts(): Promise<readonly string[]>;
  /** Deletes the counts of earlier days. */
  deleteBefore(day: string): Promise<void>;
}
