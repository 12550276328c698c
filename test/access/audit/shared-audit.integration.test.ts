import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { auditOf } from "../../../src/access/audit/audit.ts";
import { verifyAuditLog } from "../../../src/access/audit/audit-check.ts";
import { noteText } from "../../../src/domain/audit/audit.ts";
import { auditLog } from "../../../src/store/audit/audit-log.ts";
import { auditVault as vault } from "../../support/audit-forgeries.ts";
import { onPostgres } from "../../support/postgres.ts";
import { movingClock, testStore } from "../../support/store.ts";
import { tempDir } from "../../support/temp-dir.ts";

const clock = movingClock();

onPostgres.describe("a log of two servers with folders of their own", () => {
  async function servers() {
    const { db } = await testStore();
    const open = () => {
      const dir = tempDir();
      const repository = auditLog({ db, dataDir: dir });
      const { write } = auditOf({ repository, vault, clock, market: "test" });
      return {
        file: join(dir, "audit-head"),
        repository,
        write: () => write("ada", "limits", {}),
        check: () => verifyAuditLog({ repository, vault }),
      };
    };
    return { db, one: open(), other: open(), open };
  }

  it("is intact for both and for a new one, after entries of both at once", async () => {
    const { one, other, open } = await servers();
    await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? one : other).write()));
    const fresh = open();
    for (const server of [one, other, fresh])
      expect(await server.check()).toMatchObject({ ok: true, entries: 20, verified: 20, faults: [] });
    expect(await fresh.repository.notedHeads()).toMatchObject({ file: null, stored: { seq: 20 } });
    await fresh.write();
    expect(await fresh.repository.notedHeads()).toMatchObject({ file: { seq: 21 }, stored: { seq: 21 } });
    rmSync(one.file);
    expect(await one.check()).toMatchObject({ ok: true, entries: 21 });
  });

  it("shows to the server whose entries were cut off that they are missing, and leaves a gap", async () => {
    const { db, one, other } = await servers();
    await one.write();
    const { stored } = await one.repository.notedHeads();
    await other.write();
    await db.deleteFrom("audit_log").where("seq", ">", 1).execute();
    // a head that was recorded before fits the log that is left
    await db
      .updateTable("audit_head")
      .set({ note: noteText(stored!) })
      .execute();
    expect(await one.check()).toMatchObject({ ok: true });
    expect((await other.check()).faults).toMatchObject([
      { seq: 2, wrong: "cut", detail: "entry 2 is missing, but recorded by the head file" },
    ]);
    await other.write();
    for (const server of [one, other])
      expect((await server.check()).faults).toMatchObject([{ seq: 2, wrong: "missing" }]);
  });

  it("is reported if the head in the database is missing or forged", async () => {
    const { db, one } = await servers();
    await one.write();
    const forged = noteText({ seq: 9, mac: "a".repeat(64), code: "b".repeat(64) });
    await db.updateTable("audit_head").set({ note: forged }).execute();
    expect((await one.check()).faults.map(({ detail }) => detail)).toEqual([
      "entries 2 to 9 are missing, but recorded by the head in the database",
      "the head in the database was not written with the key of this log",
    ]);
    await db.deleteFrom("audit_head").execute();
    expect((await one.check()).faults).toMatchObject([
      {
        seq: 2,
        wrong: "cut",
        detail: "the head in the database is missing; the last entries may be missing too",
      },
    ]);
    await one.write();
    expect((await one.check()).faults).toMatchObject([{ seq: 2, wrong: "missing" }]);
  });
});
