import { rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { auditOf } from "../../../src/access/audit/audit.ts";
import { verifyAuditLog } from "../../../src/access/audit/audit-check.ts";
import { endLine, exportLine, readExport } from "../../../src/access/audit/audit-export.ts";
import { headText, NO_ENTRY } from "../../../src/domain/audit/audit.ts";
import { AUDIT_EVENTS } from "../../../src/domain/audit/audit-events.ts";
import { auditLog } from "../../../src/store/audit/audit-log.ts";
import { sealsIn } from "../../../src/store/vault/seals.ts";
import {
  FORGERIES,
  logOf,
  notedHead,
  rewriteFrom,
  auditVault as vault,
} from "../../support/audit-forgeries.ts";
import { NOW } from "../../support/context.ts";
import { fileStore, movingClock } from "../../support/store.ts";

const clock = movingClock();

const act = fc.record({
  account: fc.string({ maxLength: 12 }),
  event: fc.constantFrom(...AUDIT_EVENTS),
  about: fc.dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }),
});
type Act = Parameters<typeof logOf>[0][number];
const anyActs = (minLength: number) => fc.array(act, { minLength, maxLength: 8 });
const acts = (length: number): readonly Act[] =>
  Array.from({ length }, () => ({ account: "ada", event: "limits", about: {} }));

describe("a log", () => {
  it("is intact for any entries", async () => {
    await fc.assert(
      fc.asyncProperty(anyActs(0), async (written) => {
        const { check, held } = await logOf(written);
        expect(await check()).toEqual({
          ok: true,
          entries: written.length,
          read_from: 1,
          verified: written.length,
          head: { seq: written.length, mac: (held.entries.at(-1) ?? NO_ENTRY).mac },
          fault_count: 0,
          faults: [],
        });
      }),
    );
  });

  it.each(Object.entries(FORGERIES))("fails the check after %s", async (_, forge) => {
    await fc.assert(
      fc.asyncProperty(anyActs(2), fc.nat(), async (written, pick) => {
        const { check, held } = await logOf(written);
        forge(held, pick);
        expect((await check()).ok).toBe(false);
      }),
    );
  });

  it("detects a log rewritten with the key by an external head or export", async () => {
    await fc.assert(
      fc.asyncProperty(anyActs(2), fc.nat(), async (written, pick) => {
        const { check, held } = await logOf(written);
        const head = held.entries.at(-1)!;
        const text = [...held.entries.map(exportLine), endLine(head, NOW)].join("\n");
        const against = readExport(text);
        expect(await check({ head, exported: against })).toMatchObject({ ok: true });
        const from = pick % held.entries.length;
        held.entries = rewriteFrom(held.entries, from, vault.open(held.sealed!, "audit"));
        held.noted = notedHead(held, held.entries.at(-1)!);
        expect((await check()).ok).toBe(true);
        expect(await check({ head })).toMatchObject({ ok: false, faults: [{ wrong: "rewritten" }] });
        const { faults } = await check({ exported: against });
        expect(faults[0]).toMatchObject({ seq: from + 1, wrong: "rewritten" });
        held.entries.splice(from);
        held.noted = held.entries.length === 0 ? null : notedHead(held, held.entries.at(-1)!);
        for (const baseline of [{ head }, { exported: against }])
          expect((await check(baseline)).faults.at(-1)).toMatchObject({ wrong: "cut" });
      }),
    );
  });

  it("continues with a gap after a forged head file, and after a key without an entry", async () => {
    const forged = await logOf(acts(5));
    forged.held.entries.splice(3);
    forged.held.noted = { ...forged.held.entries[2]!, code: null };
    expect((await forged.check()).faults).toMatchObject([
      { seq: 4, wrong: "cut", detail: "the head file was not written with the key of this log" },
    ]);
    await forged.write("ada", "limits", {});
    expect((await forged.check()).faults).toMatchObject([{ seq: 4, wrong: "missing" }]);
    const emptied = await logOf(acts(5));
    emptied.held.entries = [];
    emptied.held.noted = null;
    await emptied.write("ada", "limits", {});
    expect((await emptied.check()).faults).toMatchObject([{ seq: 1, wrong: "missing" }]);
  });

  it("continues with a gap after entries were cut off", async () => {
    const { held, write, check } = await logOf(acts(5));
    held.entries.splice(3);
    expect((await check()).faults).toEqual([
      {
        seq: 4,
        wrong: "cut",
        detail: "entries 4 to 5 are missing, but recorded by the head file",
        entry: null,
      },
    ]);
    await write("ada", "limits", {});
    expect((await check()).faults).toEqual([
      { seq: 4, wrong: "missing", detail: "entries 4 to 5 are missing", entry: null },
    ]);
    held.entries.pop();
    held.noted = null;
    await write("ada", "limits", {});
    expect((await check()).faults[0]).toMatchObject({ seq: 4, wrong: "missing" });
  });

  it("accepts an older head after a crash", async () => {
    const { held, check } = await logOf(acts(3));
    for (const head of [held.entries[1]!, held.entries[0]!, NO_ENTRY]) {
      held.noted = notedHead(held, head);
      expect((await check()).ok).toBe(true);
    }
  });

  it("reports the changed entry", async () => {
    const { held, check } = await logOf([...acts(1), { ...acts(1)[0]!, event: "kill_switch" }, ...acts(1)]);
    held.entries[1] = { ...held.entries[1]!, about: '{"engaged":false}' };
    expect(await check()).toMatchObject({
      ok: false,
      entries: 3,
      verified: 2,
      fault_count: 1,
      faults: [
        {
          seq: 2,
          wrong: "edited",
          detail: "the entry was changed after it was written",
          entry: { at: NOW.toISOString(), account: "ada", event: "kill_switch" },
        },
      ],
    });
  });
});

describe("a log in the store", () => {
  async function installation() {
    const store = await fileStore();
    const dir = dirname(store.file);
    const open = () => auditLog({ db: store.db, dataDir: dir });
    const check = () => verifyAuditLog({ repository: open(), vault });
    return {
      store,
      dir,
      open,
      check,
      write: auditOf({ repository: open(), vault, clock, market: "test" }).write,
    };
  }

  it("is one chain for concurrent writers", async () => {
    const { open, check } = await installation();
    const writers = [0, 1, 2].map(
      (n) => auditOf({ repository: open(), vault, clock, market: `market ${n}` }).write,
    );
    await Promise.all(
      Array.from({ length: 60 }, (_, n) => writers[n % 3]!(`account ${n % 5}`, "order_sending", { n })),
    );
    const report = await check();
    expect(report).toMatchObject({ ok: true, entries: 60, head: { seq: 60 } });
    expect((await open().notedHeads()).file).toMatchObject(report.head);
  });

  it("cannot be verified after the master key was lost, and continues with another key", async () => {
    const { store, dir, write, check } = await installation();
    for (const _ of [1, 2]) await write("ada", "limits", {});
    await sealsIn(store.db, dir).forget();
    expect(await check()).toMatchObject({
      ok: false,
      verified: 0,
      faults: [{ seq: 1, wrong: "unknown_key" }, {}],
    });
    await write("ada", "limits", {});
    const report = await check();
    expect(report).toMatchObject({ ok: false, entries: 3, verified: 1, fault_count: 2 });
    expect(report.faults.map(({ seq, wrong }) => [seq, wrong])).toEqual([
      [1, "unknown_key"],
      [2, "unknown_key"],
    ]);
  });

  it("detects edited rows", async () => {
    const { store, write, check } = await installation();
    for (const _ of [1, 2, 3]) await write("ada", "limits", { a: 1 });
    const { db } = store;
    await db.updateTable("audit_log").set({ about: '{"a":2}' }).where("seq", "=", 2).execute();
    expect((await check()).faults).toMatchObject([{ seq: 2, wrong: "edited" }]);
    await db.deleteFrom("audit_log").where("seq", "=", 2).execute();
    expect((await check()).faults).toMatchObject([{ seq: 2, wrong: "missing" }]);
    await db.deleteFrom("audit_log").execute();
    expect((await check()).faults).toMatchObject([{ seq: 1, wrong: "cut" }]);
    await db.deleteFrom("audit_key").execute();
    expect((await check()).faults).toMatchObject([{ seq: 1, wrong: "cut" }]);
  });

  it("detects a deleted log by orders and limits without entries", async () => {
    const { store, dir, write, check } = await installation();
    const { db } = store;
    const at = { created_at: NOW.toISOString(), updated_at: NOW.toISOString() };
    const owned = { account: "ada", market: "test", connection: "cn_1" };
    const order = (id: string, state: string, broker_status: string | null) => ({
      ...owned,
      ...at,
      id,
      ticket: `tk_${id}`,
      number: 1,
      client_order_id: `ms-${id}`,
      intent: "{}",
      state,
      broker_status,
      filled_quantity: "0",
      average_price: null,
      fees: "0",
      reason: null,
    });
    // orders that may have stopped before sending, or were rejected then, need no entry
    for (const [id, state, status] of [
      ["or_1", "accepted", "filled"],
      ["or_2", "submitting", null],
      ["or_3", "rejected", null],
      ["or_4", "reconciled", "rejected"],
    ] as const)
      await db
        .insertInto("trade_orders")
        .values(order(id, state, status))
        .execute();
    await db
      .insertInto("risk_limits")
      .values({ account: "ada", limits: "{}", set_at: at.created_at })
      .execute();
    await write("ada", "order_sending", { order_id: "or_1" });
    await write("ada", "limits", {});
    expect(await check()).toMatchObject({ ok: true });
    for (const table of ["audit_log", "audit_key", "vault_key", "audit_head"] as const)
      await db.deleteFrom(table).execute();
    rmSync(join(dir, "audit-head"));
    const faults = [
      { wrong: "cut", detail: "no entry records the broker request of or_1" },
      { wrong: "cut", detail: "no entry records the limits of ada" },
    ];
    expect(await check()).toMatchObject({ ok: false, entries: 0, faults });
    await write("bob", "limits", {});
    expect(await check()).toMatchObject({ ok: false, entries: 1, verified: 1, faults });
  });

  it("detects a truncated log with a matching head file", async () => {
    const { store, dir, write, check } = await installation();
    for (const _ of [1, 2, 3]) await write("ada", "limits", {});
    await store.db.deleteFrom("audit_log").where("seq", ">", 1).execute();
    const { head } = await check();
    writeFileSync(join(dir, "audit-head"), `${headText(head)}\n`);
    expect((await check()).faults).toMatchObject([
      { seq: 2, detail: "entries 2 to 3 are missing, but recorded by the head in the database" },
      { seq: 2, detail: "the head file was not written with the key of this log" },
    ]);
    await store.db.deleteFrom("audit_head").execute();
    expect((await check()).faults).toMatchObject([{ seq: 2, wrong: "cut" }]);
    await write("ada", "limits", {});
    expect((await check()).faults).toMatchObject([{ seq: 2, wrong: "missing" }]);
  });
});
