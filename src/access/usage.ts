import {
  type CountedCall,
  KEYLESS_ACCOUNT,
  USAGE_DAYS,
  type Usage,
  type UsageCount,
  type UsageRepository,
} from "../domain/accounts/usage-port.ts";
import type { Peers } from "../domain/peers-port.ts";
import type { Clock, Log } from "../domain/ports.ts";

/** Interval at which counts are stored, in milliseconds. */
const FLUSH_MS = 60_000;
/** Maximum number of counts in memory: beyond it, calls with a new account, key, tool or day are not counted. */
const MAX_COUNTS = 20_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Counts of calls and last uses of keys, in memory until they are stored. */
export interface UsageCounter extends Usage {
  /** Records that a key was used in the current hour; stored once an hour. */
  recordKeyUse(id: string): void;
  /** Stores what was counted since the last time. A failure is logged, and the counts are stored later. */
  flush(): Promise<void>;
  /** Stores the last counts. */
  close(): Promise<void>;
}

/** Message that asks other processes to store what they have counted. */
const TOPIC = "usage";

/**
 * Creates the counter of one process. All processes add to the same stored counts. Before a read, each stores what it has
 * counted.
 */
export function createUsage({
  repository,
  peers,
  clock,
  log,
}: {
  readonly repository: UsageRepository;
  readonly peers: Peers;
  readonly clock: Clock;
  readonly log: Pick<Log, "warn">;
}): UsageCounter {
  let counts = new Map<string, { -readonly [Field in keyof UsageCount]: UsageCount[Field] }>();
  let lastUses = new Map<string, string>();
  /** Keys that were used in the current hour, whose use is recorded. */
  const usedKeys = new Set<string>();
  /** The current hour, hours since the epoch. */
  let currentHour = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let sweptDay = "";

  const dayAt = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const schedule = () => {
    timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
  };

  function add(count: UsageCount): void {
    const { account, key, tool, day, calls, failed, characters, last_at } = count;
    const id = `${day} ${account} ${key ?? ""} ${tool}`;
    const sum = counts.get(id);
    if (sum !== undefined) {
      sum.calls += calls;
      sum.failed += failed;
      sum.characters += characters;
      if (last_at > sum.last_at) sum.last_at = last_at;
    } else if (counts.size < MAX_COUNTS) counts.set(id, { ...count });
  }

  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (counts.size === 0 && lastUses.size === 0) return;
    const [added, used] = [counts, lastUses];
    counts = new Map();
    lastUses = new Map();
    try {
      await repository.add([...added.values()], used);
    } catch (cause) {
      log.warn("usage_not_stored", { cause });
      for (const count of added.values()) add(count);
      lastUses = new Map([...used, ...lastUses]);
      schedule();
      return;
    }
    await sweep();
  }

  /** Deletes the counts that are too old, once a day. */
  async function sweep(): Promise<void> {
    const now = clock.now().getTime();
    if (sweptDay === dayAt(now)) return;
    try {
      await repository.deleteBefore(dayAt(now - (USAGE_DAYS - 1) * DAY_MS));
      sweptDay = dayAt(now);
    } catch (cause) {
      log.warn("usage_not_deleted", { cause });
    }
  }

  /** One write at a time, so that a failed one is counted again before the next. */
  function flush(): Promise<void> {
    writing = writing.then(write);
    return writing;
  }

  peers.onRequest(TOPIC, flush);

  return {
    count({ account, key, tool, failed, characters }: CountedCall) {
      const now = clock.now();
      add({
        account: account.startsWith(KEYLESS_ACCOUNT) ? KEYLESS_ACCOUNT : account,
        key,
        tool,
        day: dayAt(now.getTime()),
        last_at: now.toISOString(),
        calls: 1,
        failed: failed ? 1 : 0,
        characters,
      });
      schedule();
    },
    recordKeyUse(id) {
      const hour = Math.floor(clock.now().getTime() / HOUR_MS);
      if (hour !== currentHour) usedKeys.clear();
      currentHour = hour;
      if (usedKeys.has(id)) return;
      usedKeys.add(id);
      lastUses.set(id, new Date(hour * HOUR_MS).toISOString());
      schedule();
    },
    async read(filter) {
      await Promise.all([flush(), peers.request(TOPIC, null)]);
      return repository.read(filter);
    },
    accounts: () => repository.accounts(),
    flush,
    close: flush,
  };
}
