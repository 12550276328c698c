import { describe, expect, it } from "vitest";
import { createUsage } from "../../src/access/usage.ts";
import type { UsageRepository } from "../../src/domain/accounts/usage-port.ts";
import { noPeers } from "../../src/domain/peers-port.ts";
import { appRepository } from "../../src/store/accounts/connected-apps.ts";
import { people } from "../../src/store/accounts/people.ts";
import { usageRepository } from "../../src/store/accounts/usage.ts";
import { saveAllowedApp } from "../support/connected-apps.ts";
import { collectingLog } from "../support/context.ts";
import { connectedPeers } from "../support/peers.ts";
import { addKey, movingClock, testStore } from "../support/store.ts";

const call = { account: "a", key: "k", tool: "get_quote", failed: false, characters: 100 };

/** The counter of one process over a store in memory; `fault` makes its writes fail. */
async function testUsage() {
  const store = await testStore();
  const clock = movingClock();
  const { log, lines } = collectingLog();
  const stored = usageRepository(store.db);
  const fault: { cause: Error | null } = { cause: null };
  const writes: number[] = [];
  const repository: UsageRepository = {
    ...stored,
    async add(counts, lastUses) {
      if (fault.cause !== null) throw fault.cause;
      writes.push(counts.length + lastUses.size);
      await stored.add(counts, lastUses);
    },
  };
  const counterOf = (peers = noPeers) => createUsage({ repository, peers, clock, log });
  const rows = () => store.db.selectFrom("usage_days").selectAll().orderBy("day").orderBy("tool").execute();
  return { usage: counterOf(), counterOf, clock, store, rows, fault, writes, lines };
}

describe("the counter of calls", () => {
  it("stores the sum of many calls in one write", async () => {
    const { usage, rows, writes } = await testUsage();
    for (let i = 0; i < 500; i++) usage.count(call);
    usage.count({ ...call, failed: true, characters: 0 });
    usage.count({ ...call, key: null, tool: "get_news" });
    expect(await rows()).toEqual([]);
    await usage.flush();
    const day = { account: "a", day: "2026-01-15" };
    expect(await rows()).toEqual([
      { ...day, key: "", tool: "get_news", calls: 1, failed: 0, characters: 100 },
      { ...day, key: "k", tool: "get_quote", calls: 501, failed: 1, characters: 50_000 },
    ]);
    await usage.close();
    expect(writes).toEqual([2]);
  });

  it("reads what other processes have counted and not stored yet", async () => {
    const { counterOf } = await testUsage();
    const [one, other] = connectedPeers(2).map(counterOf);
    one!.count(call);
    other!.count(call);
    const read = one!.read({ account: "a", since: "2026-01-15", by: "tool" });
    expect(await read).toEqual([{ name: "get_quote", label: null, calls: 2, failed: 0, characters: 200 }]);
    await other!.close();
  });

  it("adds to the counts of other processes", async () => {
    const { usage, counterOf, rows } = await testUsage();
    const other = counterOf();
    usage.count(call);
    other.count(call);
    await usage.close();
    await other.close();
    expect(await rows()).toMatchObject([{ calls: 2, characters: 200 }]);
  });

  it("counts all callers without a key together", async () => {
    const { usage, rows } = await testUsage();
    usage.count({ ...call, account: "addr:203.0.113.7", key: null });
    usage.count({ ...call, account: "addr:2001:db8:0:0::/64", key: null });
    await usage.close();
    expect(await rows()).toMatchObject([{ account: "addr:", calls: 2 }]);
  });

  it("keeps the counts of a failed write, and stores each once", async () => {
    const { usage, rows, fault, lines } = await testUsage();
    fault.cause = new Error("The disk is full");
    usage.count(call);
    usage.recordKeyUse("k");
    await usage.flush();
    expect(lines.map(({ event }) => event)).toEqual(["usage_not_stored"]);
    usage.count(call);
    fault.cause = null;
    await usage.flush();
    await usage.flush();
    expect(await rows()).toMatchObject([{ calls: 2, characters: 200 }]);
  });

  it("deletes counts after 400 days, and none before", async () => {
    const { usage, rows, clock } = await testUsage();
    usage.count(call);
    await usage.flush();
    clock.pass(399 * 86_400_000);
    usage.count(call);
    await usage.flush();
    expect((await rows()).map(({ day }) => day)).toEqual(["2026-01-15", "2027-02-18"]);
    clock.pass(86_400_000);
    usage.count(call);
    await usage.flush();
    expect((await rows()).map(({ day }) => day)).toEqual(["2027-02-18", "2027-02-19"]);
  });

  it("reads its own counts at once, added up by day, tool or key", async () => {
    const { usage, clock, store } = await testUsage();
    await addKey(store.db);
    usage.count(call);
    clock.pass(86_400_000);
    usage.count(call);
    usage.count({ ...call, key: null, tool: "get_news", failed: true, characters: 0 });
    usage.count({ ...call, account: "b" });
    const since = "2026-01-15";
    expect(await usage.read({ account: "a", since, by: "day" })).toEqual([
      { name: "2026-01-16", label: null, calls: 2, failed: 1, characters: 100 },
      { name: "2026-01-15", label: null, calls: 1, failed: 0, characters: 100 },
    ]);
    expect(await usage.read({ account: "a", since, by: "tool" })).toEqual([
      { name: "get_quote", label: null, calls: 2, failed: 0, characters: 200 },
      { name: "get_news", label: null, calls: 1, failed: 1, characters: 0 },
    ]);
    expect(await usage.read({ account: "a", since, by: "key" })).toEqual([
      { name: "k", label: "agent ...abcd", calls: 2, failed: 0, characters: 200 },
      { name: null, label: null, calls: 1, failed: 1, characters: 0 },
    ]);
    const later = { account: "a", since: "2026-01-16", by: "tool" } as const;
    expect((await usage.read({ ...later, tool: "get_quote" })).map(({ calls }) => calls)).toEqual([1]);
    expect((await usage.read({ ...later, key: "k" })).map(({ name }) => name)).toEqual(["get_quote"]);
  });
});

describe("the last use of a key", () => {
  it("is stored by the hour, with one write an hour", async () => {
    const { usage, clock, store, writes } = await testUsage();
    await addKey(store.db);
    const lastUse = async () =>
      (await store.db.selectFrom("keys").select("last_used_at").executeTakeFirstOrThrow()).last_used_at;
    clock.pass(60_000);
    for (let i = 0; i < 100; i++) usage.recordKeyUse("k");
    expect(await lastUse()).toBeNull();
    await usage.flush();
    expect(await lastUse()).toBe("2026-01-15T15:00:00.000Z");
    clock.pass(58 * 60_000);
    usage.recordKeyUse("k");
    await usage.flush();
    expect(writes).toEqual([1]);
    clock.pass(60_000);
    usage.recordKeyUse("k");
    await usage.close();
    expect(await lastUse()).toBe("2026-01-15T16:00:00.000Z");
    expect(writes).toEqual([1, 1]);
  });

  it("never moves back", async () => {
    const { usage, counterOf, clock, store } = await testUsage();
    await addKey(store.db);
    const late = counterOf();
    late.recordKeyUse("k");
    clock.pass(3_600_000);
    usage.recordKeyUse("k");
    await usage.close();
    await late.close();
    expect(await store.db.selectFrom("keys").select("last_used_at").execute()).toEqual([
      { last_used_at: "2026-01-15T16:00:00.000Z" },
    ]);
  });
});

describe("the last use of an app", () => {
  it("is stored with the counts, and only for an app that is connected", async () => {
    const { usage, clock, store } = await testUsage();
    const at = "2026-01-15T15:00:00.000Z";
    await saveAllowedApp(store.db, { account: "a", client: "abc", at });
    const limits = { calls_daily: 9, live_usd_daily: null };
    await appRepository(store.db).saveLimits("a", "abc", limits, at);
    const [first] = await people(store.db).apps("a");
    usage.count({ ...call, key: "app:abc" });
    usage.count({ ...call, account: "b", key: "app:abc" });
    usage.count({ ...call, key: "app:other" });
    clock.pass(1_500);
    usage.count({ ...call, key: "app:abc", tool: "get_news" });
    usage.count({ ...call, key: "app:abc" });
    await usage.flush();
    const [app] = await people(store.db).apps("a");
    expect([first!.last_used_at, app!.last_used_at, app!.limits]).toEqual([
      null,
      "2026-01-15T15:00:01.500Z",
      limits,
    ]);
    expect(await store.db.selectFrom("connected_apps").selectAll().execute()).toHaveLength(1);
  });
});
