import { type Kysely, sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { LISTENER_NAME } from "../../../src/store/postgres/listener.ts";
import { openPostgresStore } from "../../../src/store/postgres/open-store.ts";
import { listRows, updateRows } from "../../../src/store/queries.ts";
import type { Schema } from "../../../src/store/schema.ts";
import type { Replicas, Store } from "../../../src/store/store.ts";
import { storeTransaction } from "../../../src/store/transactions.ts";
import { collectingLog } from "../../support/context.ts";
import { createDatabase, onPostgres, POSTGRES_URL } from "../../support/postgres.ts";
import { addAccount, movingClock } from "../../support/store.ts";

type Replica = Store & { readonly replicas: Replicas };

/** Opens the database of a server for this many processes. */
async function processes(count: number): Promise<readonly Replica[]> {
  const url = await createDatabase(POSTGRES_URL!);
  const stores = await Promise.all(
    Array.from({ length: count }, () =>
      openPostgresStore({ url, clock: movingClock(), log: collectingLog().log }),
    ),
  );
  onTestFinished(async () => void (await Promise.all(stores.map((store) => store.close()))));
  for (const { replicas } of stores) await replicas!.join();
  return stores as readonly Replica[];
}

/** Ends connections that listen, as a restart of PostgreSQL does: those with any lock, or with that of the leader. */
async function endListeners(db: Kysely<Schema>, { leader }: { readonly leader: boolean }): Promise<void> {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${LISTENER_NAME}
    and datname = current_database() and (not ${leader}
      or pid in (select pid from pg_locks where locktype = 'advisory' and objid = 7006 and granted))`.execute(
    db,
  );
}

onPostgres.describe("requests between processes on one database", () => {
  it("reach every other process, and return its responses", async () => {
    const [one, two, three] = await processes(3);
    two!.replicas.peers.onRequest("double", (n: number) => 2 * n);
    three!.replicas.peers.onRequest("double", (n: number) => 200 * n);
    one!.replicas.peers.onRequest("double", () => "itself");
    const responses = await one!.replicas.peers.request("double", 4);
    expect([...responses].sort()).toEqual([8, 800]);
  });

  it("have no response from a process that has no handler, returns null or fails, and do not wait for it", async () => {
    const [one, two, three] = await processes(3);
    two!.replicas.peers.onRequest("fails", () => {
      throw new Error("mistake");
    });
    three!.replicas.peers.onRequest("fails", () => null);
    const began = performance.now();
    expect(await one!.replicas.peers.request("fails", null)).toEqual([]);
    expect(await one!.replicas.peers.request("unknown", null)).toEqual([]);
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  it("carry bodies of any length and text, which are not stored for longer", async () => {
    const [one, two] = await processes(2);
    const body = { text: "ü\u0000'".repeat(50_000), nested: [1, { a: null }] };
    two!.replicas.peers.onRequest("echo", (given) => given);
    expect(await one!.replicas.peers.request("echo", body)).toEqual([body]);
    const stored = () => sql`select 1 from peer_messages`.execute(one!.db).then(({ rows }) => rows.length);
    await expect.poll(stored).toBe(0);
  });

  it("are answered after the connections that listen were lost", async () => {
    const [one, two] = await processes(2);
    two!.replicas.peers.onRequest("ping", () => "pong");
    await endListeners(one!.db, { leader: false });
    await expect.poll(() => one!.replicas.peers.request("ping", null), { timeout: 10_000 }).toEqual(["pong"]);
  });

  it("do not wait for a process that has ended", async () => {
    const [one, two] = await processes(2);
    await two!.close();
    const began = performance.now();
    await expect.poll(() => one!.replicas.peers.request("ping", null)).toEqual([]);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});

/** Starts work of the leader in each process; returns which of them lead now. */
function leadAll(stores: readonly Replica[]) {
  const leading = new Set<number>();
  const stops = stores.map(({ replicas }, i) =>
    replicas.lead(() => {
      leading.add(i);
      return async () => void leading.delete(i);
    }),
  );
  return { leading, stops };
}

onPostgres.describe("the background work of processes on one database", () => {
  it("runs in one of them, and moves when that one ends", async () => {
    const stores = await processes(3);
    const { leading, stops } = leadAll(stores);
    await expect.poll(() => leading.size).toBe(1);
    const [first] = leading;
    await stops[first!]!();
    await expect.poll(() => leading.size).toBe(1);
    expect([...leading]).not.toEqual([first]);
  });

  it("moves, or begins again, when the connection of the leader is lost, never in two processes", async () => {
    const stores = await processes(2);
    const { leading } = leadAll(stores);
    await expect.poll(() => leading.size).toBe(1);
    const termOf = async () =>
      (await sql<{ term: number }>`select term from leader`.execute(stores[0]!.db)).rows[0]!.term;
    expect(await termOf()).toBe(1);
    await endListeners(stores[0]!.db, { leader: true });
    await expect.poll(termOf, { timeout: 10_000 }).toBe(2);
    await expect.poll(() => leading.size).toBe(1);
  });

  it("stores nothing any more in a process whose leadership another one has taken over", async () => {
    const [former, next] = await processes(2);
    await addAccount(former!.db, "ada");
    const rename = (db: Kysely<Schema>, plan: string) => updateRows(db, "accounts", { id: "ada" }, { plan });
    let isReleased = false;
    let end = () => {};
    former!.replicas.lead(() => () => new Promise((resolve) => (end = resolve))); // its work goes on
    const termed = async () => (await sql`select 1 from leader`.execute(former!.db)).rows.length;
    await expect.poll(termed).toBe(1);
    await rename(former!.backgroundDb, "first");
    next!.replicas.lead(() => {
      isReleased = true;
      return async () => {};
    });
    await endListeners(former!.db, { leader: true });
    await expect.poll(() => isReleased, { timeout: 10_000 }).toBe(true);
    const refused = { code: "CANCELLED", hint: "That server does it from now on." };
    await expect(rename(former!.backgroundDb, "second")).rejects.toMatchObject(refused);
    const change = storeTransaction(former!.backgroundDb, (tx) => rename(tx, "third"));
    await expect(change).rejects.toMatchObject(refused);
    await rename(next!.backgroundDb, "fourth");
    await rename(former!.db, "by a request");
    expect(await listRows(next!.db, "accounts", {})).toMatchObject([{ id: "ada", plan: "by a request" }]);
    end();
  });
});
