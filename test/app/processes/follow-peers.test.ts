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
  const { watch } = followPeers(watcher, watcherPeers!);
  followPeers(one, first!);
  followPeers(two, second!);
  const stop = watch();
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
  const stop = followPeers(feed, noPeers).watch();
  expect(feed.followed()).toEqual([]);
  stop();
});

it("sends what a process follows to the one that watches after another has ended", async () => {
  const [firstPeers, secondPeers] = connectedPeers(2);
  const [one, two] = [newFeed(), newFeed()];
  const [first, second] = [followPeers(one, firstPeers!), followPeers(two, secondPeers!)];
  const stop = first.watch();
  two.follow([COIN]);
  await settled();
  expect(one.followed()).toEqual([COIN]);
  stop();
  one.follow([APPLE]);
  const end = second.watch();
  await settled();
  expect([one.followed(), two.followed()]).toEqual([[APPLE], [COIN, APPLE]]);
  end();
});

it("tells the other processes of stored changes, so that they read them", async () => {
  const [here, there] = connectedPeers(2);
  let woken = 0;
  followPeers({ ...newFeed(), wake: async () => void woken++ }, there!);
  followPeers(newFeed(), here!).announce();
  await settled();
  expect(woken).toBe(1);
});
