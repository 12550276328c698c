import { describe, expect, it, onTestFinished } from "vitest";
import { createAuditService } from "../../src/access/audit/audit-check.ts";
import { readConfig } from "../../src/app/config.ts";
import { openInstallation } from "../../src/app/installation.ts";
import { TABLE_RULES } from "../../src/store/accounts/account-tables.ts";
import { insertRows } from "../../src/store/queries.ts";
import { collectingLog, NOW } from "../support/context.ts";
import { movingClock, testStore } from "../support/store.ts";
import { tempDir } from "../support/temp-dir.ts";

const AT = NOW.toISOString();
const SEALED = "sealed-credentials-7f3a";

/** An installation in a new folder, without a market. */
async function testInstallation() {
  const clock = movingClock();
  const config = readConfig({ DATA_DIR: tempDir() });
  const opened = await openInstallation(config, { clock, log: collectingLog().log });
  onTestFinished(() => opened.close());
  const audit = createAuditService(opened);
  const events = async () =>
    (await audit.entries(0, 100)).map(({ account, market, event, about }) => ({
      account,
      market,
      event,
      about: JSON.parse(about),
    }));
  return { ...opened, clock, audit, events };
}

type Opened = Awaited<ReturnType<typeof testInstallation>>;

/** Stores a broker connection, and an order that is working on it. */
async function addOrder({ store }: Opened, account: string, type: "live" | "paper", id = "or_1") {
  const owned = { account, market: "live" };
  const connection = {
    ...owned,
    id: `cn_${type}`,
    broker: "alpaca",
    account_type: type,
    account_mask: "4242",
  };
  await insertRows(store.db, "connections", [
    { ...connection, connected_at: AT, checked_at: AT, sealed: SEALED },
  ]);
  const order = {
    ...owned,
    connection: `cn_${type}`,
    id,
    ticket: `tk_${id}`,
    client_order_id: id,
    intent: "{}",
  };
  const state = { state: "accepted", broker_status: "working", filled_quantity: "0", average_price: null };
  await insertRows(store.db, "trade_orders", [
    { ...order, ...state, fees: "0", reason: null, created_at: AT, updated_at: AT, number: 1 },
  ]);
}

const textOf = async (parts: AsyncIterable<string>): Promise<string> => {
  let text = "";
  for await (const part of parts) text += part;
  return text;
};

describe("a suspended account", () => {
  it("has no valid key until it is resumed, and both are audited", async () => {
    const { access, accounts, resolvePrincipal, hasActiveEntitlement, events } = await testInstallation();
    const { key, id } = await access.create({ account: "acme" });
    const delegation = { account: "acme", key: id, scopes: ["read"] } as const;
    await access.identify(key);
    expect(await accounts.suspend("acme", "owner")).toMatchObject({ id: "acme", suspended_at: AT });
    const refusal = {
      code: "FORBIDDEN",
      message: "This account is suspended",
      hint: "The owner of the server suspended it and can resume it.",
      data: { reason: "suspended" },
    };
    await expect(access.identify(key)).rejects.toMatchObject(refusal);
    await expect(resolvePrincipal(delegation)).rejects.toMatchObject(refusal);
    expect(await hasActiveEntitlement("acme", "pro")).toBe(false);
    await accounts.suspend("acme", "owner");
    expect(await accounts.resume("acme", "key-of-admin")).toMatchObject({ suspended_at: null });
    expect(await access.identify(key)).toMatchObject({ account: "acme" });
    expect(await resolvePrincipal(delegation)).toMatchObject({ account: "acme" });
    expect(await hasActiveEntitlement("acme", "pro")).toBe(true);
    expect(await events()).toEqual([
      { account: "acme", market: "all", event: "account_suspended", about: { by: "owner" } },
      { account: "acme", market: "all", event: "account_resumed", about: { by: "key-of-admin" } },
    ]);
  });
});

describe("accounts", () => {
  it("are listed with their keys and last use, oldest first", async () => {
    const { access, accounts, usage, clock } = await testInstallation();
    const { key } = await access.create({ account: "acme", plan: "individual" });
    clock.pass(1_000);
    await access.create({ account: "later" });
    await access.create({ account: "later" });
    await access.identify(key);
    await usage.read({ account: "acme", since: "2026-01-15", by: "day" });
    const other = { terms: null, suspended_at: null };
    expect(await accounts.list()).toEqual([
      {
        ...other,
        id: "acme",
        plan: "individual",
        created_at: AT,
        keys: 1,
        last_used_at: "2026-01-15T15:00:00.000Z",
      },
      {
        ...other,
        id: "later",
        plan: "pro",
        created_at: "2026-01-15T15:00:01.000Z",
        keys: 2,
        last_used_at: null,
      },
    ]);
  });

  it("show keys without hashes, stored rows and open live orders", async () => {
    const opened = await testInstallation();
    const { access, accounts } = opened;
    const { id, last4 } = await access.create({ account: "acme", scopes: ["read"], name: "reader" });
    await addOrder(opened, "acme", "live");
    expect(await accounts.show("acme")).toEqual({
      id: "acme",
      plan: "pro",
      terms: null,
      created_at: AT,
      suspended_at: null,
      last_used_at: null,
      keys: [
        {
          id,
          name: "reader",
          last4,
          state: "active",
          scopes: ["read"],
          expires_at: "2027-01-15T15:00:00.000Z",
          last_used_at: null,
        },
      ],
      stored: { trade_orders: 1, connections: 1, keys: 1, accounts: 1 },
      open_live_orders: ["or_1"],
    });
  });

  it("change their plan at once, after an audit entry", async () => {
    const { access, accounts, events } = await testInstallation();
    const { key } = await access.create({ account: "acme", plan: "member" });
    await access.identify(key);
    const change = { plan: "pro", terms: "Pro" } as const;
    await expect(accounts.setPlan("acme", { terms: "no such row" }, "owner")).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
    expect(await events()).toEqual([]);
    expect(await accounts.setPlan("acme", { plan: change.plan }, "owner")).toMatchObject({ plan: "pro" });
    expect(await access.identify(key)).toMatchObject({ plan: "pro" });
    expect(await events()).toEqual([
      { account: "acme", market: "all", event: "account_plan", about: { by: "owner", plan: "pro" } },
    ]);
  });

  it.each(["setPlan", "suspend", "resume", "delete"] as const)(
    "reject %s of the owner account and of an unknown one",
    async (action) => {
      const { access, accounts, events } = await testInstallation();
      await access.createFirstKey();
      const act = (id: string) =>
        action === "setPlan" ? accounts.setPlan(id, { plan: "pro" }, "owner") : accounts[action](id, "owner");
      await expect(act("owner")).rejects.toMatchObject({ code: "INVALID_INPUT" });
      await expect(act("nobody")).rejects.toMatchObject({ code: "NOT_FOUND" });
      expect(await events()).toEqual([]);
    },
  );

  it("export everything stored for one of them, without secrets, and are audited", async () => {
    const opened = await testInstallation();
    const { access, accounts, store, events } = opened;
    const { key, id } = await access.create({ account: "acme" });
    await access.create({ account: "other" });
    await addOrder(opened, "acme", "paper");
    const notes = Array.from({ length: 45 }, (_, i) => ({
      id: `n${i}`,
      order_id: "or_1",
      note: `note ${i}`,
    }));
    const owned = { account: "acme", market: "live", noted_at: AT };
    await insertRows(
      store.db,
      "trade_notes",
      notes.map((note) => ({ ...owned, ...note })),
    );
    const text = await textOf(await accounts.export("acme", "owner"));
    const { account, exported_at, tables } = JSON.parse(text);
    expect({ account, exported_at }).toEqual({ account: "acme", exported_at: AT });
    expect(Object.keys(tables)).toEqual([
      "trade_notes",
      "trade_orders",
      "connections",
      "keys",
      "accounts",
      "audit_log",
    ]);
    expect(tables.trade_notes).toEqual(notes.map((note) => ({ ...owned, ...note })));
    expect(tables.keys).toMatchObject([{ id, last4: key.slice(-4) }]);
    expect(tables.audit_log).toMatchObject([{ event: "account_exported", account: "acme" }]);
    const hash = (await store.db.selectFrom("keys").select("hash").where("id", "=", id).execute())[0]!.hash;
    for (const secret of [SEALED, hash, key]) expect(text).not.toContain(secret);
    expect((await events()).map(({ event }) => event)).toEqual(["account_exported"]);
  });

  it("are deleted with all that is stored for them, but not their audit entries", async () => {
    const opened = await testInstallation();
    const { access, accounts, audit, store, usage } = opened;
    const { key } = await access.create({ account: "acme" });
    const other = await access.create({ account: "other" });
    await addOrder(opened, "acme", "paper");
    usage.count({ account: "acme", key: null, tool: "get_quote", failed: false, characters: 1 });
    await usage.read({ account: "acme", since: "2026-01-15", by: "day" });
    await access.identify(key);
    expect(await accounts.delete("acme", "owner")).toEqual({
      trade_orders: 1,
      connections: 1,
      usage_days: 1,
      keys: 1,
      accounts: 1,
    });
    await expect(access.identify(key)).rejects.toMatchObject({ data: { reason: "unknown" } });
    expect(await access.identify(other.key)).toMatchObject({ account: "other" });
    expect((await accounts.list()).map(({ id }) => id)).toEqual(["other"]);
    expect(await store.db.selectFrom("trade_orders").selectAll().execute()).toEqual([]);
    expect(await audit.check({})).toMatchObject({ ok: true, entries: 1 });
  });

  it("are not deleted while a live order is open, and nothing is audited", async () => {
    const opened = await testInstallation();
    const { access, accounts, store, events } = opened;
    await access.create({ account: "acme" });
    await addOrder(opened, "acme", "live");
    await expect(accounts.delete("acme", "owner")).rejects.toMatchObject({
      code: "CONFLICT",
      data: { open_live_orders: ["or_1"] },
    });
    expect(await events()).toEqual([]);
    expect((await accounts.show("acme")).stored).toEqual({
      trade_orders: 1,
      connections: 1,
      keys: 1,
      accounts: 1,
    });
    await store.db.updateTable("trade_orders").set({ broker_status: "filled" }).execute();
    expect(await accounts.delete("acme", "owner")).toMatchObject({ accounts: 1 });
  });
});

it("covers every table with a column for the account", async () => {
  const { db } = await testStore();
  const tables = (await db.introspection.getTables()).filter(({ columns }) =>
    columns.some(({ name }) => name === "account"),
  );
  const named = tables.map(({ name }) => name).filter((name) => name !== "audit_log");
  expect(Object.keys(TABLE_RULES)).toEqual(expect.arrayContaining(named));
  expect(named.length).toBeGreaterThan(20);
});
