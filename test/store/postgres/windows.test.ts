import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { openPool } from "../../../src/store/postgres/pool.ts";
import { openPostgresRateLimits } from "../../../src/store/postgres/windows.ts";
import { onPostgres, POSTGRES_URL, takeDatabase } from "../../support/postgres.ts";
import { movingClock } from "../../support/store.ts";

const monitor = { full() {}, damaged() {} };
const MINUTE = { quota: 100, window: 60 };

/** Opens the rate windows of several processes on one database. */
async function processes(count: number) {
  const { db, url, release } = await takeDatabase(POSTGRES_URL!);
  const open = () => {
    const pool = openPool(url, { max: 2 });
    const windows = openPostgresRateLimits(pool, monitor);
    onTestFinished(async () => {
      await windows.close();
      await pool.end();
    });
    return windows;
  };
  onTestFinished(release);
  return { db, all: Array.from({ length: count }, open) };
}

type Windows = Awaited<ReturnType<typeof processes>>["all"][number];
const take = async (windows: Windows, calls: number, limit = MINUTE) =>
  (await Promise.all(Array.from({ length: calls }, () => windows.take("burst", limit, "a")))).filter(
    (wait) => wait === null,
  ).length;

onPostgres.describe("a rate window", () => {
  it("admits exactly its quota, whichever process is called", async () => {
    const { all } = await processes(4);
    const admitted = await Promise.all(all.map((windows) => take(windows, 125)));
    expect(admitted.reduce((sum, calls) => sum + calls)).toBe(100);
  });

  it("admits exactly its quota while calls are counted ahead for a busy caller", async () => {
    const { all } = await processes(2);
    let admitted = 0;
    for (let round = 0; round < 30; round++)
      for (const windows of all) admitted += await take(windows, 20, { quota: 1_000, window: 60 });
    expect(admitted).toBeLessThanOrEqual(1_000);
    for (const windows of all) await windows.close(); // gives back what was counted ahead
    admitted += await take(all[0]!, 1_000, { quota: 1_000, window: 60 });
    expect(admitted).toBe(1_000);
  });

  it("counts a quiet caller call by call, so that each process knows the rest", async () => {
    const { all } = await processes(2);
    const rest: number[] = [];
    for (const windows of [...all, ...all]) {
      await take(windows, 1);
      rest.push((await windows.usage("burst", MINUTE, "a")).remaining);
    }
    expect(rest).toEqual([99, 98, 97, 96]);
  });

  it("shows the calls at another process also right after a call at this one", async () => {
    const { all } = await processes(2);
    const [here, there] = all as [Windows, Windows];
    const day = { quota: 1_000, window: 86_400 };
    await take(here, 1);
    await here.take("daily", day, "a");
    await take(there, 2);
    await there.take("daily", day, "a");
    const shown = await Promise.all([
      here.usage("burst", MINUTE, "a"),
      here.usage("daily", day, "a"),
      here.usage("assistant", day, "a"),
    ]);
    expect(shown.map(({ remaining }) => remaining)).toEqual([97, 998, 1_000]);
  });

  it("says how long a refused call has to wait, by the time of the database", async () => {
    const { all } = await processes(1);
    const [windows] = all as [Windows];
    expect(await take(windows, 100)).toBe(100);
    for (const wait of [await windows.take("burst", MINUTE, "a"), await windows.take("burst", MINUTE, "a")]) {
      expect(wait).toBeGreaterThan(50_000);
      expect(wait).toBeLessThanOrEqual(60_000);
    }
    expect(await windows.take("burst", MINUTE, "b")).toBeNull();
    expect(await windows.take("burst", { quota: 101, window: 60 }, "a")).toBeNull();
  });

  it("ends, and the next call begins another", async () => {
    const { all } = await processes(1);
    const [windows] = all as [Windows];
    const second = { quota: 2, window: 1 };
    expect(await take(windows, 3, second)).toBe(2);
    await sleep(1_100);
    expect(await windows.usage("burst", second, "a")).toEqual({ remaining: 2, msLeft: 0 });
    expect(await take(windows, 3, second)).toBe(2);
  });

  it("takes calls back", async () => {
    const { all } = await processes(2);
    const [here, there] = all as [Windows, Windows];
    expect(await take(here, 101)).toBe(100);
    await here.refund("burst", MINUTE, "a");
    expect(await there.usage("burst", MINUTE, "a")).toMatchObject({ remaining: 1 });
    expect(await take(here, 2)).toBe(1);
  });

  it("of a day survives a crash of the database; one of a minute needs no disk", async () => {
    const { db, all } = await processes(1);
    const [windows] = all as [Windows];
    await windows.take("daily", { quota: 10, window: 86_400 }, "a");
    await windows.take("burst", MINUTE, "a");
    const { rows } = await sql`
      select relname, relpersistence, (xpath('/row/n/text()', query_to_xml('select count(*) as n from ' || relname, false, true, '')))[1]::text as rows
      from pg_class where relname like '%_windows' and relkind = 'r' order by 1`.execute(db);
    expect(rows).toEqual([
      { relname: "burst_windows", relpersistence: "u", rows: "1" },
      { relname: "lasting_windows", relpersistence: "p", rows: "1" },
    ]);
  });

  it("admits no call while the database does not answer", async () => {
    const pool = openPool("postgres://nobody@127.0.0.1:1/none");
    const windows = openPostgresRateLimits(pool, monitor);
    await expect(windows.take("burst", MINUTE, "a")).rejects.toMatchObject({
      code: "STORAGE_BUSY",
      data: { retry_after: 1 },
    });
    await windows.close();
    await pool.end();
  });
});

onPostgres.describe("calls that were counted ahead", () => {
  it("are taken back from their own window only, not from a later one", async () => {
    const { url, release } = await takeDatabase(POSTGRES_URL!);
    const clock = movingClock();
    const pool = openPool(url, { max: 2 });
    const windows = openPostgresRateLimits(pool, monitor, clock);
    onTestFinished(async () => {
      await pool.end();
      await release();
    });
    const limit = { quota: 1_000, window: 60 };
    for (let n = 0; n < 15; n++) await take(windows, 1, limit);
    clock.pass(60_000);
    const other = openPostgresRateLimits(pool, monitor, clock);
    expect(await take(other, 3, limit)).toBe(3);
    await windows.close();
    expect(await other.usage("burst", limit, "a")).toEqual({ remaining: 997, msLeft: 60_000 });
    await other.close();
  });
});
