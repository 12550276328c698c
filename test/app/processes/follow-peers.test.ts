import { expect, it } from "vitest";
import { followPeers } from "../../../src/app/processes/follow-peers.ts";
import type { SeriesKey } from "../../../src/domain/alerts/changes-port.ts";
import { noPeers } from "../../../src/domain/peers-port.ts";
import { createChangeFeed } from "../../../src/features/alerts/change-feed.ts";
import { collectingLog } from "../../support/context.ts";
import { connectedPeers } from "../../support/peers.ts";

const APPLE: SeriesKey = { symbol: "AAPL", timeframe: "1d" };
const COIN: SeriesKey = { symbol: "BTC-USD", timeframe: "1h" };
const MICROSOFT: SeriesKey = { symbol: "MSFT", timeframe: "1d" };

const newFeed = () => createChangeFeed({ rows: {} as never, log: collectingLog().log });
const settled = () => new Promise((resolve) => setImmediate(resolve));

it("lets the watching process follow what the others follow, as long as they do", async () => {
  const [watcherPeers, first, second] = connectedPeers(3);
  const [watcher, one, two] = [newFeed(), newFeed(), newFeed()];
  const unfollow = one.follow([APPLE]);
  const stop = followPeers(watcher, watcherPeers!, { isWatcher: true });
  followPeers(one, first!, { isWatcher: false });
  followPeers(two, second!, { isWatcher: false });
  await settled();
  expect(watcher.followed()).toEqual([APPLE]);
  two.follow([COIN]);
  await settled();
  expect(watcher.followed()).toEqual([APPLE, COIN]);
  unfollow();
  two.follow([MICROSOFT]);
  await settled();
  expect(watcher.followed()).toEqual([COIN, MICROSOFT]);
  expect([one.followed(), two.followed()]).toEqual([[], [COIN, MICROSOFT]]);
  stop();
  expect(watcher.followed()).toEqual([]);
});

it("follows no additional series in a server of one process", () => {
  const feed = newFeed();
  followPeers(feed, noPeers, { isWatcher: true });
  expect(feed.followed()).toEqual([]);
});
