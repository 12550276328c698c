import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createAccounts } from "../../../src/access/accounts.ts";
import { accountRepository } from "../../../src/store/accounts/account-repository.ts";
import { saveAllowedApp } from "../../support/connected-apps.ts";
import { testPeople } from "../../support/people.ts";
import { testAccess } from "../../support/store.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { testCli } from "./test-host.ts";

/** The accounts commands over a test store; `entries` are those of the audit log. */
async function testAccounts() {
  const { access, clock, store } = await testAccess();
  const entries: unknown[] = [];
  const audit = { write: async (...entry: readonly unknown[]) => void entries.push(entry) };
  const accounts = createAccounts({ repository: accountRepository(store.db), access, audit, clock });
  const folder = tempDir();
  const usage = async () => ({ days: 30, calls: 7, failed: 1, characters: 4_200 });
  const people = testPeople({ access, clock, store, audit });
  const opened = { accounts, people, usage, close: async () => {} };
  const cli = testCli({
    host: {
      folder,
      openAccounts: async () => opened,
      server: async () => ({ version: "0.0.0", url: "http://localhost:8787", market: "sample" }),
    },
  });
  const json = async (...argv: readonly string[]) => {
    const { out, ...rest } = await cli.run("accounts", ...argv, "--json");
    return { ...rest, data: JSON.parse(out) };
  };
  return { ...cli, access, entries, folder, json, db: store.db };
}

const cells = (text: string) => text.split("\n").map((line) => line.split(/ {2,}/));

describe("accounts list", () => {
  it("shows each account with its plan, state, keys and last use", async () => {
    const { run, access } = await testAccounts();
    expect((await run("accounts", "list")).out).toBe("No accounts.\n");
    await access.create({ account: "acme", plan: "member" });
    await run("accounts", "suspend", "acme");
    const { code, out } = await run("accounts", "list");
    expect(code).toBe(0);
    expect(cells(out)).toEqual([
      ["account", "plan", "state", "keys", "used", "created"],
      [
        "acme",
        "member",
        "suspended since 2026-01-15T15:00:00.000Z",
        "1",
        "never",
        "2026-01-15T15:00:00.000Z",
      ],
      [""],
    ]);
  });
});

describe("accounts show", () => {
  it("prints keys, usage and stored rows", async () => {
    const { run, json, access } = await testAccounts();
    const { id, key } = await access.create({ account: "acme", scopes: ["read"], name: "reader" });
    const { out } = await run("accounts", "show", "acme");
    expect(cells(out)).toEqual([
      ["acme: pro plan, active, created 2026-01-15T15:00:00.000Z"],
      ["id", "key", "state", "scopes", "expires", "used", "name"],
      [id, `...${key.slice(-4)}`, "active", "read", "2027-01-15T15:00:00.000Z", "never", "reader"],
      ["last 30 days: 7 calls, 1 failed, 4200 characters"],
      ["by tool, key or day: `market-signal usage --account acme --by tool`"],
      ["stored rows: keys 1, accounts 1"],
      [""],
    ]);
    expect((await json("show", "acme")).data).toMatchObject({ id: "acme", usage: { calls: 7 } });
  });

  it("rejects an unknown account with exit 1, and names the nearest", async () => {
    const { run, access } = await testAccounts();
    const show = () => run("accounts", "show", "acmee");
    const list = "On the server: `market-signal accounts list`.\n";
    expect(await show()).toMatchObject({
      code: 1,
      err: `NOT_FOUND Account not found\nList the accounts first. ${list}`,
    });
    await access.create({ account: "acme" });
    expect(await show()).toMatchObject({ err: `NOT_FOUND Account not found\nDid you mean acme? ${list}` });
  });
});

describe("accounts plan", () => {
  it("changes the plan of an account and its keys", async () => {
    const { json, access, entries } = await testAccounts();
    const { key } = await access.create({ account: "acme", plan: "member" });
    const { code, data } = await json("plan", "acme", "--plan", "pro");
    expect({ code, plan: data.plan }).toEqual({ code: 0, plan: "pro" });
    expect(await access.identify(key)).toMatchObject({ plan: "pro" });
    expect(entries).toEqual([["acme", "account_plan", { by: "owner", plan: "pro" }]]);
  });

  it.each([
    [["acme"], 2, "INVALID_INPUT"],
    [["acme", "--plan", "gold"], 2, "INVALID_INPUT"],
    [["owner", "--plan", "member"], 2, "INVALID_INPUT"],
    [["acme", "--terms", "no such row"], 2, "INVALID_INPUT"],
    [["nobody", "--plan", "pro"], 1, "NOT_FOUND"],
  ])("rejects %j", async (argv, expected, refusal) => {
    const { json, access, entries } = await testAccounts();
    await access.create({ account: "acme" });
    const { code, data } = await json("plan", ...argv);
    expect({ code, refusal: data.code }).toEqual({ code: expected, refusal });
    expect(entries).toEqual([]);
  });
});

describe("accounts suspend and resume", () => {
  it("refuse the keys, and accept them again", async () => {
    const { run, access } = await testAccounts();
    const { key } = await access.create({ account: "acme" });
    expect((await run("accounts", "suspend", "acme")).out).toMatch(/^Suspended acme\. /);
    await expect(access.identify(key)).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect((await run("accounts", "resume", "acme")).out).toBe("Resumed acme.\n");
    expect(await access.identify(key)).toMatchObject({ account: "acme" });
  });
});

describe("accounts export", () => {
  it("writes a file for its owner only, and never replaces one", async () => {
    const { run, access, folder } = await testAccounts();
    await access.create({ account: "acme" });
    const path = join(folder, "acme.json");
    expect((await run("accounts", "export", "acme", "--out", "acme.json")).code).toBe(0);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(path, "utf8")).tables.accounts).toMatchObject([{ id: "acme" }]);
    expect(await run("accounts", "export", "acme", "--out", "acme.json")).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^CONFLICT .*already exists/),
    });
  });

  it("writes the document to stdout without --out", async () => {
    const { run, access } = await testAccounts();
    await access.create({ account: "acme" });
    expect(JSON.parse((await run("accounts", "export", "acme")).out)).toMatchObject({ account: "acme" });
  });
});

describe("accounts delete", () => {
  it("deletes nothing without --yes", async () => {
    const { run, access, entries } = await testAccounts();
    await access.create({ account: "acme" });
    const { code, err } = await run("accounts", "delete", "acme");
    expect({ code, entries }).toEqual({ code: 2, entries: [] });
    expect(err).toContain("Then add --yes.");
    expect(await access.list("acme")).toHaveLength(1);
  });

  it("deletes the account with --yes", async () => {
    const { run, json, access, entries } = await testAccounts();
    await access.create({ account: "acme" });
    expect((await run("accounts", "delete", "acme", "--yes")).out).toBe(
      "Deleted acme: 2 rows. Its audit entries stay.\n",
    );
    expect(entries).toEqual([["acme", "account_deleted", { by: "owner" }]]);
    expect((await json("list")).data).toEqual({ accounts: [], invitations: [] });
  });
});

describe("accounts invite", () => {
  it("creates the account and prints a link, and refuses the account of the owner", async () => {
    const { json, run, access, entries } = await testAccounts();
    const { data } = await json("invite", "ada", "--role", "viewer", "--plan", "member");
    expect(data).toEqual({
      url: expect.stringMatching(/^http:\/\/localhost:8787\/invited\/[\w-]{43}$/),
      expires_at: "2026-01-15T15:30:00.000Z",
    });
    expect(entries).toEqual([["ada", "person_invited", { by: "owner", role: "viewer" }]]);
    expect(cells((await run("accounts", "list")).out).slice(-4)).toEqual([
      ["unused sign-in links:"],
      ["account", "role", "until"],
      ["ada", "viewer", "2026-01-15T15:30:00.000Z"],
      [""],
    ]);
    expect((await access.create({ account: "ada" })).account).toBe("ada");
    expect((await run("accounts", "show", "ada")).out).toContain("ada: member plan, active");
    expect(await run("accounts", "invite", "owner")).toMatchObject({
      code: 2,
      err: expect.stringContaining("The account `owner` takes no other people"),
    });
    expect((await run("accounts", "invite", "ada", "--role", "owner")).err).toContain(
      "The role is member or viewer",
    );
  });
});

describe("accounts reset-sign-in and apps", () => {
  it("say that nobody signs in, and that no app is connected", async () => {
    const { run, access } = await testAccounts();
    await access.create({ account: "ada" });
    expect((await run("accounts", "reset-sign-in", "ada")).err).toContain(
      'No person signs in to the account "ada"',
    );
    expect((await run("accounts", "apps", "ada")).out).toBe("No apps.\n");
    expect((await run("accounts", "apps", "owner")).out).toBe("No apps.\n");
    expect((await run("accounts", "apps", "nobody")).err).toContain("NOT_FOUND Account not found");
    expect((await run("accounts", "apps", "ada", "--disconnect", "made-up")).err).toContain(
      "This app is not connected to the account",
    );
  });
});

describe("accounts apps", () => {
  it("lists the apps of an account, and changes their limits", async () => {
    const { run, json, db, entries, access } = await testAccounts();
    await access.create({ account: "ada" });
    await saveAllowedApp(db, { account: "ada", client: "abc", at: "2026-01-15T15:00:00.000Z" });
    const before = { calls_daily: 1_000, live_usd_daily: "0" };
    expect((await json("apps", "ada")).data.apps).toEqual([
      {
        client_id: "abc",
        name: "Test app",
        uri: null,
        scopes: ["read"],
        connected_at: "2026-01-15T15:00:00.000Z",
        last_used_at: null,
        limits: before,
        calls_today: 0,
        calls_30_days: 0,
        orders_30_days: 0,
        live_usd_24_hours: "0",
      },
    ]);
    expect(
      (await run("accounts", "apps", "ada", "--app", "abc", "--limit-calls", "500", "--limit-usd", "99.5"))
        .out,
    ).toBe("Limits of abc: 500 calls a day, 99.5 USD of live orders a day.\n");
    expect((await run("accounts", "apps", "ada", "--app", "abc", "--limit-calls", "none")).out).toBe(
      "Limits of abc: calls as the account, 99.5 USD of live orders a day.\n",
    );
    const limits = { calls_daily: null, live_usd_daily: "99.5" };
    expect((await json("apps", "ada")).data.apps).toMatchObject([{ limits }]);
    expect(entries).toEqual([
      ["ada", "app_limits", { by: "owner", client: "abc", calls_daily: 500, live_usd_daily: "99.5" }],
      ["ada", "app_limits", { by: "owner", client: "abc", ...limits }],
    ]);
    await saveAllowedApp(db, { account: "ada", client: "def", at: "2026-01-15T15:00:00.000Z" });
    expect((await run("accounts", "apps", "ada", "--disconnect", "Test app")).err).toContain(
      "2 apps of the account are named Test app\nPass the id of the app instead; the list of apps shows it.",
    );
    expect((await run("accounts", "apps", "ada", "--disconnect", "def")).out).toBe("Disconnected def.\n");
    expect((await run("accounts", "apps", "ada", "--disconnect", "Test app")).out).toBe(
      "Disconnected abc.\n",
    );
    expect((await json("apps", "ada")).data.apps).toEqual([]);
  });

  it.each([
    [["--limit-calls", "5"], "Pass --app with a limit, or --disconnect alone"],
    [["--app", "abc"], "Pass --app with a limit, or --disconnect alone"],
    [
      ["--app", "abc", "--limit-calls", "5", "--disconnect", "abc"],
      "Pass --app with a limit, or --disconnect alone",
    ],
    [
      ["--app", "abc", "--limit-calls", "0"],
      "The daily limit of calls is a whole number from 1 to 1,000,000",
    ],
    [["--app", "abc", "--limit-calls", ""], "The daily limit of calls is a whole number from 1 to 1,000,000"],
    [
      ["--app", "abc", "--limit-usd", "ten"],
      "The daily limit of live orders is an amount of US dollars, such as 1000",
    ],
    [["--app", "other", "--limit-usd", "1"], "This app is not connected to the account"],
  ])("refuses %j", async (options, message) => {
    const { run, db } = await testAccounts();
    await saveAllowedApp(db, { account: "ada", client: "abc", at: "2026-01-15T15:00:00.000Z" });
    expect((await run("accounts", "apps", "ada", ...options)).err).toContain(message);
  });
});
