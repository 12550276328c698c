import type { SignalChange } from "../../domain/alerts/changes.ts";
import type { ChangePage, ChangeRepository, Changes, SeriesKey } from "../../domain/alerts/changes-port.ts";
import type { Log } from "../../domain/ports.ts";

/** Interval at which the store is polled for changes of other processes while there are listeners. */
const POLL_INTERVAL_MS = 1_000;
const PAGE_SIZE = 200;
/** Maximum number of changes in memory, the newest, while there are listeners. */
const MAX_RECENT = 1_000;
/** Time after the last read of the store for which changes are read from memory. */
const MAX_AGE_MS = 2 * POLL_INTERVAL_MS;

/** The newest changes: all stored ones with a number above `from` and up to `to`. */
interface Recent {
  from: number;
  to: number;
  readonly rows: { readonly seq: number; readonly change: SignalChange }[];
  /** Time of the last read of the store, monotonic ms. */
  readAt: number;
}

/** Passes signal changes from the watcher of a process to its listeners. */
export interface ChangeFeed extends Changes {
  /** Returns the series that listeners follow now, each once. */
  followed(): readonly SeriesKey[];
  /** Registers a callback for newly followed series. */
  onFollow(listener: () => void): void;
  /** Sends listeners the changes written since the last call. */
  wake(): Promise<void>;
  close(): Promise<void>;
}

/** Creates a feed over a store that other processes may write to as well. */
export function createChangeFeed({
  rows,
  log,
}: {
  readonly rows: ChangeRepository;
  readonly log: Log;
}): ChangeFeed {
  const followers = new Map<string, { readonly series: SeriesKey; count: number }>();
  const listeners = new Set<(changes: readonly SignalChange[]) => void>();
  const followListeners: (() => void)[] = [];
  /** Null before the first listener, and after a failed read. */
  let recent: Promise<Recent> | null = null;
  let timer: ReturnType<typeof setInterval> | undefined;
  let notifying: Promise<void> = Promise.resolve();

  function notify(changes: readonly SignalChange[]): void {
    for (const listener of [...listeners])
      try {
        listener(changes);
      } catch (cause) {
        log.error("changes_listener", { cause });
      }
  }

  /** Begins with the changes after the newest one. */
  function begin(): Promise<Recent> {
    const readAt = performance.now();
    const begun = rows.last().then((seq): Recent => ({ from: seq, to: seq, rows: [], readAt }));
    begun.catch(() => {
      if (recent === begun) recent = null;
    });
    return begun;
  }

  async function readNew(): Promise<void> {
    for (;;) {
      if (listeners.size === 0) return;
      recent ??= begin();
      const reading = recent;
      const known = await reading;
      const readAt = performance.now();
      const found = await rows.after(known.to, PAGE_SIZE);
      // all listeners have left meanwhile, and others have come
      if (reading !== recent) continue;
      known.readAt = readAt;
      if (found.length === 0) return;
      known.rows.push(...found);
      known.to = found.at(-1)!.seq;
      for (const { seq } of known.rows.splice(0, known.rows.length - MAX_RECENT)) known.from = seq;
      notify(found.map(({ change }) => change));
    }
  }

  /**
   * Returns a page from memory, so that many streams do not each read the store after a change; null if memory does not
   * hold all of it or is not up to date.
   */
  async function recentPage({ series, after, from, until, limit }: Query): Promise<ChangePage | null> {
    const start = after === undefined || from !== undefined || until !== undefined ? null : rows.seqIn(after);
    if (start === null || timer === undefined || recent === null) return null;
    const known = await recent.catch(() => null);
    if (known === null || performance.now() - known.readAt > MAX_AGE_MS) return null;
    if (start !== known.from && !known.rows.some(({ seq }) => seq === start)) return null;
    const wanted = new Set(series.map(nameOf));
    const first = known.rows.findLastIndex(({ seq }) => seq <= start) + 1;
    const found = known.rows.slice(first).filter(({ change }) => wanted.has(nameOf(change)));
    const page = found.slice(0, limit);
    const more = found.length > limit;
    const cursor = rows.cursorAt(more ? page.at(-1)!.seq : known.to);
    return { changes: page.map(({ change }) => change), cursor, more };
  }

  function wake(): Promise<void> {
    notifying = notifying.then(readNew).catch((cause: unknown) => log.warn("changes_unread", { cause }));
    return notifying;
  }

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }

  return {
    since: async (of) => (await recentPage(of)) ?? rows.since(of),
    now: () => rows.now(),
    observedRanges: (series) => rows.observedRanges(series),

    follow(series) {
      const keys = [...new Map(series.map((one) => [nameOf(one), one]))];
      let isNew = false;
      for (const [key, one] of keys) {
        const follower = followers.get(key) ?? { series: one, count: 0 };
        isNew ||= follower.count === 0;
        follower.count += 1;
        followers.set(key, follower);
      }
      if (isNew) for (const listener of followListeners) listener();
      let released = false;
      return () => {
        if (released) return;
        released = true;
        for (const [key] of keys) {
          const follower = followers.get(key)!;
          follower.count -= 1;
          if (follower.count === 0) followers.delete(key);
        }
      };
    },

    listen(callback) {
      // a wrapper per call, so that a listener registered twice is removed once
      const listener = (changes: readonly SignalChange[]) => callback(changes);
      if (listeners.size === 0) {
        recent = begin();
        timer = setInterval(() => void wake(), POLL_INTERVAL_MS).unref();
      }
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stop();
      };
    },

    followed: () => [...followers.values()].map(({ series }) => series),
    onFollow: (listener) => void followListeners.push(listener),
    wake,
    async close() {
      stop();
      listeners.clear();
      await notifying;
    },
  };
}

type Query = Parameters<Changes["since"]>[0];

const nameOf = ({ symbol, timeframe }: SeriesKey): string => `${symbol} ${timeframe}`;
