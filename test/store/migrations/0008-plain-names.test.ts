import { dirname, join } from "node:path";
import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { auditOf } from "../../../src/access/audit/audit.ts";
import { verifyAuditLog } from "../../../src/access/audit/audit-check.ts";
import { signerOf } from "../../../src/access/vault/signing-key.ts";
import { createVault, masterKey } from "../../../src/access/vault/vault.ts";
import { issueReceipt } from "../../../src/features/receipts/issue.ts";
import { requireReceipt, verifyStoredReceipt } from "../../../src/features/receipts/stored-receipt.ts";
import { pictureOf } from "../../../src/features/signal/picture.ts";
import { auditLog } from "../../../src/store/audit/audit-log.ts";
import { MIGRATIONS } from "../../../src/store/migrations/index.ts";
import { openStore, type SqliteStore } from "../../../src/store/open-store.ts";
import { receiptRepository } from "../../../src/store/receipts/receipts.ts";
import { sealedSecrets } from "../../../src/store/vault/secrets.ts";
import { stoppedClock } from "../../support/context.ts";
import { smallMarket } from "../../support/market.ts";
import { resign } from "../../support/receipts.ts";
import { tempDir } from "../../support/temp-dir.ts";

const clock = stoppedClock(new Date("2026-01-15T15:00:00.000Z"));
const EARLIER = Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name < "0008"));
const vault = createVault(() => masterKey(Buffer.alloc(32, 1).toString("hex"))!);

/** Fills a database of the version before the change, and opens it with every migration. */
async function upgraded<Result>(fill: (earlier: SqliteStore) => Promise<Result>) {
  const dataDir = join(tempDir(), "data");
  const earlier = await openStore({ dataDir, clock, migrations: EARLIER });
  const before = await fill(earlier);
  await earlier.close();
  const store = await openStore({ dataDir, clock });
  onTestFinished(() => store.close());
  return { store, before };
}

const insert = ({ db }: SqliteStore, table: string, row: Readonly<Record<string, unknown>>) =>
  sql`INSERT INTO ${sql.table(table)} (${sql.join(Object.keys(row).map((name) => sql.ref(name)))})
    VALUES (${sql.join(Object.values(row))})`.execute(db);

/** Values of columns in which only their presence counts. */
const filled = (names: string) =>
  Object.fromEntries(
    names.split(" ").map((name) => [name, /_(at|until|s)$|^(seq|attempts)$/.test(name) ? 1 : "x"]),
  );

describe("stored rows of the version before the plain names", () => {
  it("have the present names in their answers", async () => {
    const { store } = await upgraded(async (earlier) => {
      const idempotent = filled("account market key hash holder held_until expires_at");
      await insert(earlier, "idempotency", {
        ...idempotent,
        body: '{"ok":true,"standing":[{"symbol":"AAPL","holds":false,"text":"t"}]}',
      });
      for (let row = 0; row < 45; row++)
        await insert(earlier, "idempotency", {
          ...idempotent,
          key: `${row}`,
          body: `{"source":"kept","n":${row}}`,
        });
      await insert(earlier, "idempotency", { ...idempotent, key: "running", body: null });
      await insert(earlier, "trade_tickets", {
        ...filled("account market connection id intent created_at expires_at"),
        shown: '{"sizing":{"bound_by":"asked"},"asked":{"symbol":"AAPL","quantity":"5"},"left_out":null}',
      });
      await insert(earlier, "agent_runs", {
        ...filled("account market id agent_id agent due_at started_at outcome resumed missed notes"),
        decisions:
          '[{"symbol":"AAPL","action":"hold","why":"w","held":"5","figures":{"markets":{"source":"kept"},"news":{"stories":2,"judged":1}}}]',
      });
      await insert(earlier, "a2a_tasks", {
        ...filled("tenant owner id context_id status_last_updated"),
        status: '{"state":"TASK_STATE_COMPLETED","message":null}',
        artifacts: '[{"parts":[{"data":{"provenance":{"kept":"asked"}}}]}]',
        history: '[{"role":"ROLE_USER","parts":[{"data":{"input":{"kept":"asked"}}}]}]',
      });
    });
    const { db } = store;
    const bodies = await db.selectFrom("idempotency").select(["key", "body"]).execute();
    const bodyOf = (wanted: string) => bodies.find(({ key }) => key === wanted)?.body;
    expect(bodies).toHaveLength(47);
    expect(bodyOf("x")).toBe('{"ok":true,"condition_states":[{"symbol":"AAPL","holds":false,"text":"t"}]}');
    expect([bodyOf("0"), bodyOf("44"), bodyOf("running")]).toEqual([
      '{"source":"stored","n":0}',
      '{"source":"stored","n":44}',
      null,
    ]);
    expect(await db.selectFrom("trade_tickets").select("shown").execute()).toEqual([
      {
        shown:
          '{"sizing":{"bound_by":"requested"},"requested":{"symbol":"AAPL","quantity":"5"},"left_out":null}',
      },
    ]);
    expect(await db.selectFrom("agent_runs").select("decisions").execute()).toEqual([
      {
        decisions:
          '[{"symbol":"AAPL","action":"hold","why":"w","held":"5","figures":{"markets":{"source":"stored"},"news":{"stories":2,"scored":1}}}]',
      },
    ]);
    // a message of the caller keeps its words
    expect(await db.selectFrom("a2a_tasks").select(["status", "artifacts", "history"]).execute()).toEqual([
      {
        status: '{"state":"TASK_STATE_COMPLETED","message":null}',
        artifacts: '[{"parts":[{"data":{"provenance":{"served_from":"provider"}}}]}]',
        history: '[{"role":"ROLE_USER","parts":[{"data":{"input":{"kept":"asked"}}}]}]',
      },
    ]);
  });

  it("have the present states of deliveries, times of imports and tables", async () => {
    const delivery = filled("alert_id account market subscription channel alert attempts made_at");
    const { store } = await upgraded(async (earlier) => {
      await insert(earlier, "deliveries", { ...delivery, id: "a", state: "kept" });
      await insert(earlier, "deliveries", { ...delivery, id: "b", state: "waiting" });
      await insert(earlier, "imported_positions", {
        ...{ account: "a", market: "m", label: "Broker", positions: "[]" },
        told_at: "2026-01-14T15:00:00.000Z",
      });
      await insert(earlier, "kept_quotes", { market: "m", symbol: "AAPL", fetched_at: "t", said: "{}" });
      await insert(earlier, "vendor_calls", { vendor: "yahoo", at: 5 });
    });
    const { db } = store;
    expect(await db.selectFrom("deliveries").select(["id", "state"]).orderBy("id").execute()).toEqual([
      { id: "a", state: "stored" },
      { id: "b", state: "waiting" },
    ]);
    expect(await db.selectFrom("imported_positions").selectAll().execute()).toEqual([
      {
        account: "a",
        market: "m",
        label: "Broker",
        imported_at: "2026-01-14T15:00:00.000Z",
        positions: "[]",
      },
    ]);
    expect(await db.selectFrom("cached_quotes").selectAll().execute()).toEqual([
      { market: "m", symbol: "AAPL", fetched_at: "t", json: "{}" },
    ]);
    expect(await db.selectFrom("provider_calls").selectAll().execute()).toEqual([
      { provider: "yahoo", at: 5 },
    ]);
  });
});

describe("what was signed or chained before the plain names", () => {
  const OLD = {
    provenance: { kept: "asked" },
    told_at: "2026-01-15T15:00:00.000Z",
    quotes: { asked: 20, had: 19 },
  };

  it("is a receipt with its old names, which is valid and shown", async () => {
    const market = smallMarket().ports;
    const receiptPorts = ({ db }: SqliteStore) => ({
      ...market,
      receipts: receiptRepository({ db, market: market.market.id }),
      signer: signerOf(sealedSecrets({ db, vault })),
    });
    const { store, before } = await upgraded(async (earlier) => {
      const ports = receiptPorts(earlier);
      const { signal } = new AbortController();
      const picture = await pictureOf({ symbol: "AAPL", timeframe: "1d", signal }, ports);
      const issued = await issueReceipt(picture, { account: "ada", past: false }, ports);
      const inputs = (await ports.receipts.inputs("ada", issued.receipt_id)) as Uint8Array;
      const old = await resign(issued, { ...OLD, receipt_id: `rc_${"0".repeat(20)}` } as object, ports);
      await ports.receipts.save("ada", old, inputs);
      await insert(earlier, "idempotency", {
        ...filled("account market key hash holder held_until expires_at"),
        body: JSON.stringify({ ok: true, receipt: old, ...OLD }),
      });
      return old;
    });
    const ctx = { ...receiptPorts(store), principal: { account: "ada" } };
    const { receipt_id } = before;
    expect(before).toMatchObject(OLD);
    expect(await ctx.receipts.find("ada", receipt_id)).toBe(JSON.stringify(before));
    expect(await verifyStoredReceipt(receipt_id, ctx)).toMatchObject({
      ...{ receipt_id, valid: true, signature: "valid", inputs: "intact", equal: true, differences: [] },
    });
    const { provenance: _, told_at: __, quotes: ___, ...shown } = before as typeof before & typeof OLD;
    expect(await requireReceipt(receipt_id, ctx)).toEqual(shown);
    const [response] = await store.db.selectFrom("idempotency").select("body").execute();
    expect(JSON.parse(response!.body!)).toEqual({
      ...{ ok: true, receipt: JSON.parse(JSON.stringify(before)) },
      provenance: { served_from: "provider" },
      imported_at: OLD.told_at,
      quotes: { requested: 20, received: 19 },
    });
  });

  it("is an audit log with its old names, which is intact and continues", async () => {
    const auditPorts = ({ db, file }: SqliteStore) => {
      const repository = auditLog({ db, dataDir: dirname(file) });
      return { repository, vault, ...auditOf({ repository, vault, clock, market: "test" }) };
    };
    const { store, before } = await upgraded(async (earlier) => {
      // a table of a later version, which the log writes too
      await sql`CREATE TEMP TABLE audit_head (one INTEGER PRIMARY KEY, note TEXT NOT NULL)`.execute(
        earlier.db,
      );
      const { write, repository } = auditPorts(earlier);
      await write("ada", "order_refused", OLD);
      await write("ada", "connection_added", { state: "kept", bound_by: "asked" });
      return repository.entries(0, 10);
    });
    const { write, repository } = auditPorts(store);
    expect(await repository.entries(0, 10)).toEqual(before);
    expect(before.map(({ about }) => about)).toEqual([
      '{"provenance":{"kept":"asked"},"quotes":{"asked":20,"had":19},"told_at":"2026-01-15T15:00:00.000Z"}',
      '{"bound_by":"asked","state":"kept"}',
    ]);
    await write("ada", "kill_switch", { engaged: true });
    expect(await verifyAuditLog({ repository, vault })).toMatchObject({ ok: true, faults: [], entries: 3 });
  });
});
