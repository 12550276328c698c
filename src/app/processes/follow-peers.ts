import type { SeriesKey } from "../../domain/alerts/changes-port.ts";
import type { Peers } from "../../domain/peers-port.ts";
import type { ChangeFeed } from "../../features/alerts/change-feed.ts";

/** Interval at which the watching process drops series that no process follows any more, in milliseconds. */
const REFRESH_MS = 60_000;

/**
 * In the process that watches signals (`isWatcher`), also follows the series that the other processes follow. In the
 * others, notifies that process of their series; they read the changes from the store. Returns a function that stops it.
 */
export function followPeers(
  changes: Pick<ChangeFeed, "followed" | "follow" | "onFollow">,
  peers: Peers,
  { isWatcher }: { readonly isWatcher: boolean },
): () => void {
  if (peers.count === 1) return () => {};
  if (!isWatcher) {
    const notify = () => void peers.request("follow_changed", null);
    peers.onRequest("followed", () => changes.followed());
    changes.onFollow(notify);
    notify();
    return () => {};
  }
  let release = () => {};
  let newestRefresh = 0;
  const refresh = async () => {
    const current = ++newestRefresh;
    const lists = (await peers.request("followed", null)) as readonly (readonly SeriesKey[])[];
    // a later refresh has started
    if (current !== newestRefresh) return;
    const before = release;
    release = changes.follow(lists.flat());
    before();
  };
  peers.onRequest("follow_changed", refresh);
  void refresh();
  const timer = setInterval(() => void refresh(), REFRESH_MS);
  timer.unref();
  return () => {
    newestRefresh++;
    clearInterval(timer);
    release();
  };
}
