import type { SeriesKey } from "../../domain/alerts/changes-port.ts";
import type { Peers } from "../../domain/peers-port.ts";
import type { ChangeFeed } from "../../features/alerts/change-feed.ts";

/** Interval at which the watching process forgets series that no process follows any more, in milliseconds. */
const REFRESH_MS = 60_000;

/**
 * Lets the process that watches signals also watch what the others follow; these read the changes from the store.
 * Returns a function that stops it.
 */
export function followPeers(
  changes: Pick<ChangeFeed, "followed" | "follow" | "onFollow">,
  peers: Peers,
  { isWatcher }: { readonly isWatcher: boolean },
): () => void {
  if (peers.count === 1) return () => {};
  if (!isWatcher) {
    const tell = () => void peers.ask("follow_changed", null);
    peers.onQuestion("followed", () => changes.followed());
    changes.onFollow(tell);
    tell();
    return () => {};
  }
  let release = () => {};
  let newest = 0;
  const refresh = async () => {
    const turn = ++newest;
    const lists = (await peers.ask("followed", null)) as readonly (readonly SeriesKey[])[];
    if (turn !== newest) return;
    const before = release;
    release = changes.follow(lists.flat());
    before();
  };
  peers.onQuestion("follow_changed", refresh);
  void refresh();
  const timer = setInterval(() => void refresh(), REFRESH_MS);
  timer.unref();
  return () => {
    newest++;
    clearInterval(timer);
    release();
  };
}
