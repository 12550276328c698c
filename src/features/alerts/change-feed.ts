import type { SignalChange } from "../../domain/alerts/changes.ts";
import type { ChangeRepository, Changes, SeriesKey } from "../../domain/alerts/changes-port.ts";
import type { Log } from "../../domain/ports.ts";

/** Interval at which the store is polled for changes of other processes while there are listeners. */
const POLL_INTERVAL_MS = 1_000;
const PAGE_SIZE = 200;

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
  let position: Promise<number> = Promise.resolve(0);
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

  async function readNew(): Promise<void> {
    for (;;) {
      if (listeners.size === 0) return;
      const from = await position;
      const found = await rows.after(from, PAGE_SIZE);
      if (found.length === 0) return;
      position = Promise.resolve(found.at(-1)!.seq);
      notify(found.map(({ change }) => change));
    }
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
    since: (of) => rows.since(of),
    now: () => rows.now(),
    observedRanges: (series) => rows.observedRanges(series),

    follow(series) {
      const keys = [...new Map(series.map((one) => [`${one.symbol} ${one.timeframe}`, one]))];
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
        position = rows.last();
        position.catch(() => undefined);
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
