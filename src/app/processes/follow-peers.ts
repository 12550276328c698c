import type { SeriesKey } from "../../domain/alerts/changes-port.ts";
import type { Peers } from "../../domain/peers-port.ts";
import type { ChangeFeed } from "../../features/alerts/change-feed.ts";

/** Interval at which the watching process drops series that no process follows any more, in milliseconds. */
const REFRESH_MS = 60_000;

/**
 * Notifies the other processes of the series that this one follows, and of changes that it has stored. Returns functions:
 * `watch` also follows the series of the others, in the process that watches signals, and returns a function that ends
 * it; `announce` notifies the others of stored changes, which they otherwise notice a second later.
 */
export function followPeers(
  changes: Pick<ChangeFeed, "followed" | "follow" | "onFollow" | "wake">,
  peers: Peers,
): { readonly watch: () => () => void; readonly announce: () => void } {
  let release = () => {};
  let newestRefresh = 0;
  let timer: NodeJS.Timeout | undefined;
  const refresh = async () => {
    if (timer === undefined) return;
    const current = ++newestRefresh;
    const lists = (await peers.request("followed", null)) as readonly (readonly SeriesKey[])[];
    // a later refresh has started, or this process no longer watches
    if (current !== newestRefresh) return;
    const before = release;
    release = changes.follow(lists.flat());
    before();
  };
  const notify = () => {
    if (timer === undefined) void peers.request("follow_changed", null);
  };
  peers.onRequest("followed", () => changes.followed());
  peers.onRequest("follow_changed", refresh);
  peers.onRequest("signal_changes", () => changes.wake());
  changes.onFollow(notify);
  return {
    announce: () => void peers.request("signal_changes", null),
    watch() {
      timer = setInterval(() => void refresh(), REFRESH_MS);
      timer.unref();
      void refresh();
      return () => {
        newestRefresh++;
        clearInterval(timer);
        timer = undefined;
        release();
        release = () => {};
      };
    },
  };
}
