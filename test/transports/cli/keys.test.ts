import { describe, expect, it } from "vitest";
import { ToolError } from "../../../src/kernel/errors.ts";
import { SetupError } from "../../../src/lib/setup-error.ts";
import { NOW } from "../../support/context.ts";
import { testAccess } from "../../support/store.ts";
import { testCli } from "./test-host.ts";

const KEY = /^ms_live_[0-9A-Za-z]{38}$/;

const unavailable = () => Promise.reject(new Error("not available in this test"));
const browserSessions = {
  issueLink: unavailable,
  begin: unavailable,
  isUsable: unavailable,
  person: unavailable,
  recentPerson: unavailable,
  draft: () => {
    throw new Error("not available in this test");
  },
  list: unavailable,
  endOne: unavailable,
  resolve: unavailable,
  end: unavailable,
  endOthers: unavailable,
};

/** The keys commands over a test store. */
async function testKeys() {
  const { access, clock } = await testAccess();
  const opened = { count: 0 };
  const cli = testCli({
    host: {
      openKeys: async () => {
        opened.count++;
        return { access, browserSessions, close: async () => void opened.count-- };
      },
    },
  });
  const json = async (...argv: readonly string[]) => {
    const { out, ...rest } = await cli.run("keys", ...argv, "--json");
    return { ...rest, data: JSON.parse(out) };
  };
  return { ...cli, access, clock, opened, json };
}

describe("keys create", () => {
  it("prints the key with its scopes, and the key works", async () => {
    const { json, access, opened } = await testKeys();
    const { code, err, data } = await json("create", "--plan", "founding", "--name", "my agent");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(data).toEqual({
      key: expect.stringMatching(KEY),
      plan: "founding",
      id: expect.any(String),
      account: expect.any(String),
      name: "my agent",
      kind: "live",
      last4: data.key.slice(-4),
      scopes: ["read", "write", "trade:paper"],
      created_at: NOW.toISOString(),
      expires_at: "2027-01-15T15:00:00.000Z",
      revoked_at: null,
      replaced_by: null,
      grace_until: null,
      last_used_at: null,
      state: "active",
    });
    expect(await access.identify(data.key)).toMatchObject({ account: data.account, plan: "founding" });
    expect(opened.count).toBe(0);
  });

  it("warns that the key is shown only now", async () => {
    const { run } = await testKeys();
    const { code, out } = await run("keys", "create", "--account", "acme", "--scopes", "read, admin");
    expect(code).toBe(0);
    const [key, warning, facts, expiry, end] = out.split("\n");
    expect(key).toMatch(KEY);
    expect(warning).toBe("The key is shown only once; the server stores only its hash.");
    expect(facts).toMatch(/^pro plan, account acme \(new: .*\), scopes read, admin, id \S+$/);
    expect(expiry).toBe("It expires at 2027-01-15T15:00:00.000Z.");
    expect(end).toBe("");
  });

  it("creates a key that does not expire with --expires never", async () => {
    const { json } = await testKeys();
    expect((await json("create", "--expires", "never")).data).toMatchObject({ expires_at: null });
  });

  it("says that a new account shares nothing with others", async () => {
    const { run } = await testKeys();
    const [, , facts] = (await run("keys", "create")).out.split("\n");
    expect(facts).toMatch(
      /^pro plan, account \S+ \(new: it shares no quota, watchlists or trades with others\), scopes /,
    );
    const [, , misspelt] = (await run("keys", "create", "--account", "onwer")).out.split("\n");
    expect(misspelt).toMatch(/^pro plan, account onwer \(new: /);
    const [, , second] = (await run("keys", "create", "--account", "onwer")).out.split("\n");
    expect(second).toMatch(/^pro plan, account onwer, scopes /);
    const [, , owner] = (await run("keys", "create", "--account", "owner")).out.split("\n");
    expect(owner).toMatch(/^pro plan, account owner, scopes /);
  });

  it.each([
    [["--plan", "gold"], /^INVALID_INPUT There is no plan "gold"\nPlans: member, .*enterprise\.\n$/],
    [
      ["--scopes", "read,fly"],
      /^INVALID_INPUT There is no scope "fly"\nScopes, comma-separated: read, .*admin\.\n$/,
    ],
    [["--scopes", ""], /^INVALID_INPUT There is no scope ""/],
    [["--expires", "soon"], /^INVALID_INPUT .*2030-01-31T00:00:00Z\n$/],
    [["--expires", "2020-01-01"], /^INVALID_INPUT The expiry must be a time in the future/],
    [["--account", "A b"], /^INVALID_INPUT An account name has/],
    [["--colour", "red"], /^error: unknown option '--colour'/],
    [["pro"], /^error: too many arguments/],
  ])("rejects %j with exit 2 and creates nothing", async (options, message) => {
    const { run, access } = await testKeys();
    expect(await run("keys", "create", ...options)).toMatchObject({ code: 2, out: "", err: message });
    expect(await access.list()).toEqual([]);
  });

  it("rejects a plan other than the account's with exit 1", async () => {
    const { run } = await testKeys();
    await run("keys", "create", "--account", "acme", "--plan", "pro");
    const { code, err } = await run("keys", "create", "--account", "acme", "--plan", "member");
    expect(code).toBe(1);
    expect(err).toMatch(/^CONFLICT The account "acme" has the "pro" plan/);
  });
});

describe("keys list", () => {
  it("shows the details of every key but not the key itself", async () => {
    const { run, json, access, clock } = await testKeys();
    expect((await run("keys", "list")).out).toBe("No keys.\n");
    const old = await access.create({ account: "acme", name: "old\u001b[31m" });
    clock.pass(1_000);
    const reader = {
      account: "other",
      plan: "member",
      scopes: ["read"],
      expiresAt: "2030-01-31T00:00:00Z",
    } as const;
    const { key, id } = await access.create(reader);
    const { code, out } = await run("keys", "list");
    expect(code).toBe(0);
    expect(out.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
      ["id", "key", "state", "account", "plan", "scopes", "expires", "used", "name"],
      [
        id,
        `...${key.slice(-4)}`,
        "active",
        "other",
        "member",
        "read",
        "2030-01-31T00:00:00.000Z",
        "never",
        "agent",
      ],
      [
        old.id,
        `...${old.last4}`,
        "active",
        "acme",
        "pro",
        "read,write,trade:paper",
        "2027-01-15T15:00:00.000Z",
        "never",
        "old",
      ],
      [""],
    ]);
    expect(out).not.toContain(key);
    const { data } = await json("list", "--account", "acme");
    expect(data.keys).toEqual([expect.objectContaining({ id: old.id, plan: "pro" })]);
    expect(JSON.stringify(data)).not.toMatch(/hash|ms_live_/);
  });
});

describe("keys revoke", () => {
  it("revokes a key", async () => {
    const { run, json, access } = await testKeys();
    const { id, key } = await access.create();
    expect(await run("keys", "revoke", id)).toEqual({ code: 0, out: `Revoked ${id}.\n`, err: "" });
    await expect(access.identify(key)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    expect((await json("revoke", id)).data).toEqual({ id, revoked: true });
  });

  it("rejects an unknown id with exit 1 and a hint", async () => {
    const { run, opened } = await testKeys();
    expect(await run("keys", "revoke", "unknown")).toEqual({
      code: 1,
      out: "",
      err: "NOT_FOUND Key not found\n`market-signal keys list` shows the ids.\n",
    });
    expect(opened.count).toBe(0);
  });

  it("requires the id", async () => {
    const { code, err } = await (await testKeys()).run("keys", "revoke");
    expect(code).toBe(2);
    expect(err).toContain("missing required argument 'id'");
  });
});

describe("keys rotate", () => {
  it("prints the new key; the old one works until the end of the grace period", async () => {
    const { json, access, clock } = await testKeys();
    const old = await access.create({ account: "acme", scopes: ["read"], plan: "individual" });
    const { code, data } = await json("rotate", old.id, "--grace", "1.5");
    expect(code).toBe(0);
    expect(data).toMatchObject({ plan: "individual", account: "acme", scopes: ["read"], state: "active" });
    expect(data.old_works_until).toBe(new Date(NOW.getTime() + 1.5 * 3_600_000).toISOString());
    expect(await access.identify(data.key)).toMatchObject({ account: "acme" });
    clock.pass(1.5 * 3_600_000 - 1);
    await expect(access.identify(old.key)).resolves.toMatchObject({ account: "acme" });
    clock.pass(1);
    await expect(access.identify(old.key)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  });

  it.each([
    [[], null, "The old key works until 2026-01-16T15:00:00.000Z."],
    [["--grace", "1"], null, "The old key works until 2026-01-15T16:00:00.000Z."],
    [["--grace", "1"], "2026-01-15T15:30:00Z", "The old key works until 2026-01-15T15:30:00.000Z."],
    [["--grace", "0"], null, "The old key is no longer valid."],
  ])("prints with %j, for a key that expires %s: %3$s", async (options, expiresAt, sentence) => {
    const { run, access } = await testKeys();
    const { id } = await access.create({ ...(expiresAt !== null && { expiresAt }) });
    const { out } = await run("keys", "rotate", id, ...options);
    expect(out.split("\n").slice(-2)).toEqual([sentence, ""]);
  });

  it.each(["", "-1", "9000", "a day"])("rejects a grace period of '%s' with exit 2", async (grace) => {
    const { run, access } = await testKeys();
    const { id } = await access.create();
    const { code, err } = await run("keys", "rotate", id, "--grace", grace);
    expect(code).toBe(2);
    expect(err).toBe("INVALID_INPUT --grace takes hours, 0 to 8760\n");
    expect(await access.list()).toHaveLength(1);
  });

  it("rejects an unknown id with exit 1", async () => {
    const { code, data } = await (await testKeys()).json("rotate", "unknown");
    expect(code).toBe(1);
    expect(data).toMatchObject({ code: "NOT_FOUND", hint: "`market-signal keys list` shows the ids." });
  });
});

describe("keys", () => {
  it("shows its help and exits 2 without a subcommand", async () => {
    const { code, out, err } = await (await testKeys()).run("keys");
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(/^Examples:\n {2}market-signal keys create --plan pro\n/);
  });

  it.each([
    [new SetupError("DATA_DIR /x is a file; name a folder"), 2, "SETUP"],
    [new ToolError("STORAGE_FULL", "The disk is full"), 1, "STORAGE_FULL"],
  ])("reports why the data folder does not open: %s", async (cause, exit, code) => {
    const openKeys = async () => {
      throw cause;
    };
    const { run } = testCli({ host: { openKeys } });
    const seen = await run("keys", "list", "--json");
    expect(seen.code).toBe(exit);
    expect(JSON.parse(seen.out)).toEqual({ ok: false, code, message: cause.message });
    expect(seen.err).toContain(cause.message);
  });
});
