import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { auditOf } from "../../../src/access/audit/audit.ts";
import { verifyAuditLog } from "../../../src/access/audit/audit-check.ts";
import { createVault, masterKey } from "../../../src/access/vault/vault.ts";
import { headText } from "../../../src/domain/audit/audit.ts";
import { auditLog } from "../../../src/store/audit/audit-log.ts";
import { NOW } from "../../support/context.ts";
import { movingClock, testStore } from "../../support/store.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { testCli } from "./test-host.ts";

const vault = createVault(() => masterKey(Buffer.alloc(32, 1).toString("hex"))!);
const clock = movingClock();

/** The audit commands over a real log. */
async function testAudit() {
  const folder = tempDir();
  const store = await testStore();
  const book = auditLog({ db: store.db, dataDir: tempDir() });
  let open = 0;
  const openAudit = async () => {
    open++;
    return {
      check: (baseline: Parameters<typeof verifyAuditLog>[1]) =>
        verifyAuditLog({ repository: book, vault }, baseline),
      entries: book.entries,
      now: clock.now,
      close: async () => void open--,
    };
  };
  const { write } = auditOf({ repository: book, vault, clock, market: "test" });
  return { ...testCli({ host: { openAudit, folder } }), write, folder, book, db: store.db, open: () => open };
}

describe("audit verify", () => {
  it("confirms an unchanged log and prints its head", async () => {
    const { run, write, book, open } = await testAudit();
    expect(await run("audit", "verify")).toEqual({ code: 0, out: "ok the log is empty\n", err: "" });
    await write("ada", "limits", {});
    const head = headText((await book.notedHeads()).file!);
    expect(await run("audit", "verify")).toEqual({
      code: 0,
      out: `ok 1 entry, all unchanged\nhead ${head}\nStore this head on another machine and pass it later with --head.\n`,
      err: "",
    });
    await write("ada", "limits", {});
    expect((await run("audit", "verify", "--head", head)).code).toBe(0);
    expect(JSON.parse((await run("audit", "verify", "--json")).out)).toEqual({
      ok: true,
      entries: 2,
      read_from: 1,
      verified: 2,
      head: headText((await book.notedHeads()).file!),
      fault_count: 0,
      faults: [],
    });
    expect(open()).toBe(0);
  });

  it("exits with 1 and lists the faults without control characters", async () => {
    const { run, write, db } = await testAudit();
    for (const _ of [1, 2, 3]) await write("ada", "limits", {});
    await db.updateTable("audit_log").set({ account: "\u001b[2Jeve\u202e" }).where("seq", "=", 2).execute();
    expect(await run("audit", "verify")).toEqual({
      code: 1,
      out: `edited entry 2 (${NOW.toISOString()}, limits, eve): the entry was changed after it was written\nchanged: 2 of 3 entries are unchanged\n`,
      err: "",
    });
    const report = JSON.parse((await run("audit", "verify", "--json")).out);
    expect(report).toMatchObject({ ok: false, fault_count: 1, faults: [{ seq: 2, wrong: "edited" }] });
  });

  it("rejects an invalid head and an incomplete export", async () => {
    const { run, write, folder } = await testAudit();
    await write("ada", "limits", {});
    const head = await run("audit", "verify", "--head", "12:abc");
    expect(head).toMatchObject({ code: 2, err: /--head is not a valid head/ });
    expect((await run("audit", "verify", "--against", "none")).err).toContain(
      "none cannot be read: it does not exist",
    );
    await run("audit", "export", "--out", "log");
    const [line, end] = readFileSync(join(folder, "log"), "utf8").split("\n") as [string, string];
    for (const [text, why] of [
      ["", "it does not end with a head"],
      [line, "it does not end with a head"],
      [end, "its head does not match its last entry"],
      [`${line}\nx\n${end}`, "line 2 is invalid"],
      [`{"seq":1}\n${end}`, "line 1 is not an entry"],
      [`${line}\n${end}\n${line}`, "line 3 is invalid"],
    ] as const) {
      writeFileSync(join(folder, "bad"), text);
      const { code, err } = await run("audit", "verify", "--against", "bad");
      expect([code, err]).toEqual([2, expect.stringContaining(why)]);
    }
  });
});

describe("audit export", () => {
  it("prints one line of JSON per entry, then the head", async () => {
    const { run, write, book } = await testAudit();
    await write("ada", "limits", { note: "a\u009b2J\u202eb", n: 1 });
    const { out } = await run("audit", "export");
    expect(out).toMatch(/^[ -~\n]*$/);
    const [entry, end] = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(entry).toEqual((await book.entries(0, 1))[0]);
    expect(JSON.parse(entry.about)).toEqual({ n: 1, note: "a\u009b2J\u202eb" });
    expect(end).toEqual({ head: headText((await book.notedHeads()).file!), exported_at: NOW.toISOString() });
  });

  it("writes a new private file that verify accepts, and never overwrites a file", async () => {
    const { run, write, folder, db, book } = await testAudit();
    for (const _ of [1, 2]) await write("ada", "limits", {});
    const { code, out } = await run("audit", "export", "--out", "log");
    const path = join(folder, "log");
    expect([code, out]).toEqual([
      0,
      `2 entries in ${path}, mode 0600\nhead ${headText((await book.notedHeads()).file!)}\nStore both on another machine.\n`,
    ]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await run("audit", "export", "--out", "log")).toMatchObject({ code: 1, err: /already exists/ });
    await write("ada", "limits", {});
    expect((await run("audit", "verify", "--against", "log")).code).toBe(0);
    await db.updateTable("audit_log").set({ at: "2020-01-01" }).where("seq", "=", 1).execute();
    const { faults } = JSON.parse((await run("audit", "verify", "--against", "log", "--json")).out);
    expect(faults.map(({ seq, wrong }: { seq: number; wrong: string }) => [seq, wrong])).toEqual([
      [1, "edited"],
      [1, "rewritten"],
    ]);
  });
});
