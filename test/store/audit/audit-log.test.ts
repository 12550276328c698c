import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { NO_ENTRY } from "../../../src/domain/audit/audit.ts";
import type { AuditAppend, AuditTail } from "../../../src/domain/audit/audit-port.ts";
import { auditLog } from "../../../src/store/audit/audit-log.ts";
import { fileStore } from "../../support/store.ts";

const mac = (n: number) => String(n).padStart(64, "a");
const code = (n: number) => String(n).padStart(64, "c");
const writing = ({ last }: AuditTail): AuditAppend => {
  const seq = last.seq + 1;
  const entry = {
    seq,
    at: "2026-01-01T00:00:00.000Z",
    account: "ada",
    market: "test",
    event: "limits" as const,
    about: "{}",
    key: "0".repeat(16),
    previous: last.mac,
    mac: mac(seq),
  };
  return {
    entry,
    newKey: seq === 1 ? { sealed: "sealed", under: "master" } : null,
    codeOf: ({ seq }) => code(seq),
  };
};

async function openRepository() {
  const store = await fileStore();
  const dir = dirname(store.file);
  return { ...auditLog({ db: store.db, dataDir: dir }), db: store.db, dir, file: join(dir, "audit-head") };
}

describe("the audit log", () => {
  it("passes its head to each append, and lists the entries in pages", async () => {
    const { append, entries, sealedKey, db } = await openRepository();
    const seen: AuditTail[] = [];
    for (let n = 0; n < 3; n++)
      await append((end) => {
        seen.push(end);
        return writing(end);
      });
    expect(seen).toEqual([
      { last: NO_ENTRY, noted: null, sealedKey: null, masterKeyId: null },
      ...[1, 2].map((seq) => ({
        last: { seq, mac: mac(seq) },
        noted: { seq, mac: mac(seq), code: code(seq) },
        sealedKey: "sealed",
        masterKeyId: "master",
      })),
    ]);
    expect((await entries(0, 2)).map(({ seq }) => seq)).toEqual([1, 2]);
    expect((await entries(2, 2)).map(({ seq }) => seq)).toEqual([3]);
    expect(await sealedKey()).toBe("sealed");
    expect(await db.selectFrom("vault_key").selectAll().execute()).toEqual([{ one: 1, id: "master" }]);
  });

  it("stores neither an entry that cannot be created nor its key", async () => {
    const { append, entries, sealedKey, db } = await openRepository();
    const failing = append(() => {
      throw new Error("no key");
    });
    await expect(failing).rejects.toThrow("no key");
    await db.insertInto("vault_key").values({ one: 1, id: "another" }).execute();
    await expect(append(writing)).rejects.toThrow("under another master key");
    expect([await entries(0, 10), await sealedKey()]).toEqual([[], null]);
  });

  it("writes its head atomically to a private file, without leftovers", async () => {
    const { append, notedHeads, dir, file } = await openRepository();
    await append(writing);
    await append(writing);
    expect(readFileSync(file, "utf8")).toBe(`2:${mac(2)}:${code(2)}\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(dir).filter((name) => name.startsWith("audit"))).toEqual(["audit-head"]);
    const head = { seq: 2, mac: mac(2), code: code(2) };
    expect(await notedHeads()).toEqual({ file: head, stored: head, isShared: false });
  });

  it("returns null for a missing or damaged head", async () => {
    const { append, notedHeads, file } = await openRepository();
    expect((await notedHeads()).file).toBeNull();
    await append(writing);
    for (const text of ["", "1:abc", `-1:${mac(1)}`, `1:${mac(1)}x`, `1:${mac(1)}:x`]) {
      writeFileSync(file, text);
      expect((await notedHeads()).file).toBeNull();
    }
    rmSync(file);
    expect((await notedHeads()).file).toBeNull();
  });

  it("rejects when the head cannot be stored", async () => {
    const { append, file } = await openRepository();
    mkdirSync(file);
    await expect(append(writing)).rejects.toMatchObject({ code: "STORAGE_FULL" });
  });
});
