import { expect, it } from "vitest";
import { openOperation } from "../../src/app/operation.ts";
import type { AuditReport } from "../../src/domain/audit/audit-port.ts";
import { openPostgresStore } from "../../src/store/postgres/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { createDatabase, onPostgres, POSTGRES_URL } from "../support/postgres.ts";
import { fileStore, movingClock } from "../support/store.ts";
import { tempDir } from "../support/temp-dir.ts";

const clock = { now: () => new Date() };
const ports = {
  market: { mode: "sample", id: "sample" },
  compute: { health: () => ({ paused_s: null, refused_for_memory: 0, waiting: 0 }) },
  providerHealth: { current: () => [{ name: "one", healthy: false, latency_ms: 3, answering: true }] },
} as unknown as Parameters<ReturnType<typeof openOperation>["of"]>[0];

const watched = (store: Pick<Store, "db" | "health" | "probe">, answerMs?: number) =>
  openOperation({ store, clock, dataDir: tempDir(), ...(answerMs !== undefined && { answerMs }) });

it("reports what a server on SQLite depends on", async () => {
  const operation = watched(await fileStore()).of(ports, () => false);
  expect(await operation.dependencies()).toEqual({
    storage: null,
    database: { clock_offset_ms: null, connections: null, is_listening: null },
    disk_free_bytes: expect.any(Number),
    compute: { paused_s: null, refused_for_memory: 0, waiting: 0 },
    providers: [{ name: "one", answering: true }],
  });
  expect(await operation.queues()).toEqual([
    { queue: "deliveries", due: 0, oldest_ms: 0 },
    { queue: "agents", due: 0, oldest_ms: 0 },
    { queue: "a2a_pushes", due: 0, oldest_ms: 0 },
  ]);
  expect(await operation.jobs()).toEqual([]);
  expect([operation.isLeader(), operation.isAuditIntact()]).toEqual([false, null]);
});

it("asks a database that does not answer once for all that wait, and waits no longer than it may", async () => {
  const store = await fileStore();
  let probes = 0;
  const probe = () => {
    probes++;
    return new Promise<never>(() => {});
  };
  const operation = watched({ ...store, probe }, 10).of(ports, () => true);
  const states = await Promise.all([operation.dependencies(), operation.dependencies()]);
  expect([states.map(({ database }) => database), probes]).toEqual([[null, null], 1]);
  const failing = watched({ ...store, probe: () => Promise.reject(new Error("refused")) }).of(
    ports,
    () => true,
  );
  expect((await failing.dependencies()).database).toBeNull();
});

it("keeps the result of the last check of the audit log", async () => {
  const operation = watched(await fileStore());
  const view = operation.of(ports, () => true);
  let report = { ok: false } as AuditReport;
  const verifier = operation.observed({ check: async () => report, contains: async () => true });
  await verifier.check();
  expect(view.isAuditIntact()).toBe(false);
  report = { ok: true } as AuditReport;
  await verifier.check();
  expect(view.isAuditIntact()).toBe(true);
});

onPostgres.it("measures the clock of PostgreSQL, its connections, and the listener", async () => {
  const ahead = movingClock(new Date(Date.now() + 60_000));
  const store = await openPostgresStore({ url: await createDatabase(POSTGRES_URL!), clock: ahead });
  const { clock_offset_ms, ...rest } = await store.probe();
  // the clock of the test stands still while the database is asked
  expect(Math.abs(clock_offset_ms! - 60_000)).toBeLessThan(30_000);
  expect(rest).toEqual({ connections: { open: 1, idle: 1, waiting: 0 }, is_listening: true });
  await store.close();
  await expect(store.probe()).rejects.toThrow();
});
