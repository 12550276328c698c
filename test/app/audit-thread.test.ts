import { dirname } from "node:path";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { auditOf } from "../../src/access/audit/audit.ts";
import { createAuditVerifier } from "../../src/access/audit/audit-check.ts";
import { auditThread } from "../../src/app/audit-thread.ts";
import { auditLog } from "../../src/store/audit/audit-log.ts";
import { Database } from "../../src/store/sqlite/database.ts";
import { auditVault } from "../support/audit-forgeries.ts";
import { collectingLog, stoppedClock } from "../support/context.ts";
import { greedyThread, sourceThread } from "../support/source-thread.ts";
import { fileStore } from "../support/store.ts";

const WORKER = new URL("../../src/app/audit-worker.ts", import.meta.url).href;

async function auditedStore() {
  const { file, db } = await fileStore();
  const dataDir = dirname(file);
  const deps = { repository: auditLog({ db, dataDir }), vault: auditVault };
  const { log, lines } = collectingLog();
  const threads: Worker[] = [];
  const verifierWith = (spawn: () => Worker) => {
    const started = () => {
      const thread = spawn();
      threads.push(thread);
      return thread;
    };
    return createAuditVerifier(deps, auditThread({ ...deps, file, dataDir, log, spawn: started }));
  };
  const { write } = auditOf({ ...deps, clock: stoppedClock(), market: "test" });
  return { file, write, verifierWith, threads, lines };
}

describe("the verification of the whole audit log", () => {
  it("runs in a thread, and finds what this thread finds", async () => {
    const { file, write, verifierWith, threads, lines } = await auditedStore();
    const verifier = verifierWith(() => sourceThread(WORKER));
    for (const id of ["or_1", "or_2", "or_3"]) await write("a", "order_sending", { order_id: id });
    expect(await verifier.check()).toMatchObject({ ok: true, entries: 3, verified: 3, read_from: 1 });
    expect(threads).toHaveLength(1);
    expect(await verifier.check()).toMatchObject({ ok: true, entries: 3, verified: 3, read_from: 3 });
    expect(threads).toHaveLength(1);
    const other = new Database(file);
    other.exec("update audit_log set about = '{}' where seq = 2");
    other.close();
    expect(await verifier.check({ full: true })).toMatchObject({
      ok: false,
      read_from: 1,
      fault_count: 1,
      faults: [{ seq: 2, wrong: "edited" }],
    });
    expect(threads).toHaveLength(2);
    expect(lines).toEqual([]);
  });

  it("runs on this thread when a thread fails, which is logged", async () => {
    const { write, verifierWith, lines } = await auditedStore();
    await write("a", "order_sending", { order_id: "or_1" });
    const verifier = verifierWith(() => new Worker("throw new Error('no')", { eval: true }));
    expect(await verifier.check()).toMatchObject({ ok: true, entries: 1 });
    expect(lines.map(({ event }) => event)).toEqual(["audit_thread"]);
  });

  it("is refused, and never runs on this thread, when a thread ran out of memory", async () => {
    const { write, verifierWith, lines } = await auditedStore();
    await write("a", "order_sending", { order_id: "or_1" });
    await expect(verifierWith(greedyThread).check()).rejects.toMatchObject({
      code: "REFUSED",
      command: "market-signal audit verify",
    });
    expect(lines.map(({ event }) => event)).toEqual(["audit_thread"]);
  });

  it("runs on this thread when a thread ends without a result", async () => {
    const { write, verifierWith } = await auditedStore();
    await write("a", "order_sending", { order_id: "or_1" });
    const verifier = verifierWith(() => new Worker("process.exit(0)", { eval: true }));
    expect(await verifier.check()).toMatchObject({ ok: true, entries: 1 });
  });

  it("starts no thread for a log without a key", async () => {
    const { verifierWith, threads } = await auditedStore();
    const verifier = verifierWith(() => sourceThread(WORKER));
    expect(await verifier.check()).toMatchObject({ ok: true, entries: 0 });
    expect(threads).toEqual([]);
  });
});
