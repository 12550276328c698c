import { symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { onOneServer, REPLICAS, useInstallation } from "../../support/installation.ts";

const site = useInstallation("sample");
const BASE = "/api/v1/installation";
const READS = ["keys", "providers", "runs", "backups", "log", "settings"];

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly bytes: Buffer;
  readonly body: any;
}

/** Sends a request with exactly this path and these headers. */
const send = (
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
  body?: object,
): Promise<Answer> =>
  new Promise((done, fail) => {
    const { host, hostname, port } = new URL(site.url);
    const json = body === undefined ? {} : { "content-type": "application/json" };
    const options = { hostname, port, path, method, headers: { host, ...json, ...headers } };
    const sent = request(options, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("end", () => {
        const bytes = Buffer.concat(parts);
        const isJson = String(answer.headers["content-type"]).includes("json");
        const parsed = isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : null;
        done({ status: answer.statusCode!, headers: answer.headers, bytes, body: parsed });
      });
    });
    sent.on("error", fail);
    sent.end(body === undefined ? "" : JSON.stringify(body));
  });

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
/** Headers of a page of the server with a session. */
let page: Record<string, string>;
beforeAll(async () => {
  const { token } = await site.app.browserSessions.issueLink();
  const session = (await site.app.browserSessions.begin(token)).token;
  page = { cookie: `market_signal_session=${session}`, origin: site.url };
});
const get = (path: string) => send(`${BASE}/${path}`, page);
const post = (path: string, body: object) => send(`${BASE}/${path}`, page, "POST", body);

describe("the installation over REST", () => {
  it("is open to the owner's browser and to admin keys, and to no other key or caller", async () => {
    const admin = (await site.key("member", ["read", "admin"])).key;
    const plain = (await site.key("enterprise", ["read", "write", "trade:paper"])).key;
    const owner = (await site.app.access.create({ account: "owner", plan: "enterprise" })).key;
    for (const name of READS) {
      const statuses = await Promise.all([
        get(name),
        send(`${BASE}/${name}`, bearer(admin)),
        send(`${BASE}/${name}`, bearer(plain)),
        send(`${BASE}/${name}`, bearer(owner)),
        send(`${BASE}/${name}`),
      ]);
      expect(
        statuses.map(({ status }) => status),
        name,
      ).toEqual([200, 200, 403, 403, 401]);
      expect(statuses[0].headers["cache-control"]).toBe("no-store");
    }
    expect((await send(`${BASE}/keys`, bearer(plain))).body).toMatchObject({
      code: "SCOPE_REQUIRED",
      required_scope: "admin",
    });
  });

  it("answers no page at another origin or port, and no write without an origin", async () => {
    const { cookie } = page as { cookie: string };
    const body = { name: "theirs" };
    const refused = await Promise.all([
      send(`${BASE}/keys`, { cookie, origin: "http://127.0.0.1:3000" }),
      send(`${BASE}/keys`, { cookie, "sec-fetch-site": "same-site" }),
      send(`${BASE}/keys`, { cookie, origin: "https://evil.example" }, "POST", body),
      send(`${BASE}/keys`, { cookie, origin: "http://127.0.0.1:3000" }, "POST", body),
      send(`${BASE}/keys`, { cookie }, "POST", body),
      send(`${BASE}/backups`, { cookie }, "POST", {}),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403]);
    expect((await get("keys")).body.keys.map(({ name }: any) => name)).not.toContain("theirs");
  });

  it("refuses the session of another account, also after that account was deleted", async () => {
    const { app } = site;
    const { account } = await site.key("enterprise", ["read", "write"]);
    const sessions = app.browserSessions;
    const link = await sessions.issueLink({ account, role: "member", name: "Somebody" });
    const { token } = await sessions.begin(link.token);
    const theirs = { cookie: `market_signal_session=${token}` };
    expect((await send(`${BASE}/keys`, theirs)).status).toBe(403);
    await app.accounts.delete(account, "test");
    expect((await send(`${BASE}/keys`, theirs)).status).toBe(401);
  });

  it("makes a key that reads and trades on paper, shows its text once, and revokes it", async () => {
    const made = await post("keys", { name: "my assistant", scopes: ["read", "trade:paper"] });
    expect([made.status, made.body]).toEqual([
      200,
      expect.objectContaining({
        key: expect.stringMatching(/^ms_live_/),
        plan: "enterprise",
        scopes: ["read", "trade:paper"],
      }),
    ]);
    const { key, id } = made.body;
    expect((await send("/api/v1/quote/AAPL", bearer(key))).status).toBe(200);
    await site.storeUsage();
    const { bytes, body } = await get("keys");
    expect(body.keys.find((one: any) => one.id === id)).toMatchObject({
      name: "my assistant",
      last4: key.slice(-4),
      calls_today: 1,
      revocable: true,
    });
    expect(bytes.toString()).not.toContain(key);
    expect((await send(`${BASE}/keys/${id}`, page, "DELETE")).body).toEqual({ ok: true, id, revoked: true });
    await new Promise((done) => setTimeout(done, 600));
    expect((await send("/api/v1/quote/AAPL", bearer(key))).status).toBe(401);
    const events = await site.app.auditRepository.entries(0, 100);
    expect(events.map(({ event }) => event)).toEqual(expect.arrayContaining(["key_created", "key_revoked"]));
  });

  it("makes no key with more, and revokes no such key and none of another account", async () => {
    for (const scopes of [["read", "write"], ["read", "trade:live"], ["admin"], ["trade:paper"], []])
      expect((await post("keys", { name: "x", scopes })).body.code, String(scopes)).toBe("INVALID_INPUT");
    expect((await post("keys", { name: "x", account: "acme" })).status).toBe(400);
    const other = await site.app.access.create({ scopes: ["read"] });
    const admin = await site.app.access.create({ account: "owner", scopes: ["read", "admin"] });
    expect((await send(`${BASE}/keys/${other.id}`, page, "DELETE")).status).toBe(404);
    expect((await send(`${BASE}/keys/${admin.id}`, page, "DELETE")).body.code).toBe("REFUSED");
    expect((await get("keys")).body.keys.map(({ id }: any) => id)).not.toContain(other.id);
  });

  // each server has its own folder of backups, for this test and the next one
  onOneServer.it("writes, lists and downloads backups, each with the command that restores it", async () => {
    const { status, body } = await post("backups", {});
    expect(status).toBe(200);
    const { name, bytes } = body.backup;
    const path = join(site.app.config.DATA_DIR, "backups", name);
    expect(body).toMatchObject({
      backup: { scheduled: false, restore_command: `market-signal restore --replace ${path}` },
      keys: [],
      hook: null,
    });
    expect((await get("backups")).body.backups).toContainEqual(body.backup);
    const file = await get(`backups/${name}`);
    expect(file.headers["content-disposition"]).toBe(`attachment; filename="${name}"`);
    expect([file.bytes.length, file.bytes.subarray(0, 15).toString()]).toEqual([bytes, "SQLite format 3"]);
    expect((await post("backups", { with_keys: true })).body).toMatchObject({
      code: "REFUSED",
      detail: "The keys need a passphrase, and BACKUP_PASSPHRASE is not set",
    });
    expect((await post("backups", { passphrase: "known to the caller" })).status).toBe(400);
  });

  onOneServer.it("returns no file that is not a listed backup, whatever its name", async () => {
    const folder = join(site.app.config.DATA_DIR, "backups");
    writeFileSync(join(folder, "secret.txt"), "secret");
    const link = "market-signal-manual-20260101T000000000Z.db";
    symlinkSync(join(folder, "secret.txt"), join(folder, link));
    const names = ["../master.key", "..%2Fmaster.key", "%2e%2e%2fhash.key", "secret.txt", link, "hook.json"];
    for (const name of [...names, "..%5Cmaster.key", "%00"]) {
      const { status, bytes } = await get(`backups/${name}`);
      expect([400, 404], name).toContain(status);
      expect(bytes.toString(), name).not.toBe("secret");
    }
    expect((await get("backups")).body.backups.map(({ name }: any) => name)).not.toContain(link);
  });

  it("shows providers, runs, log lines and settings without secrets", async () => {
    expect((await get("providers")).body).toMatchObject({ ok: true, market: "sample" });
    expect((await get("runs")).body).toEqual({ ok: true, runs: [] });
    const line = { time: "2026-07-01T14:00:00.000Z", text: "2026-07-01 14:00:00Z info  started" };
    expect((await get("log")).body.lines).toEqual(Array(REPLICAS).fill(line));
    const { settings } = (await get("settings")).body;
    expect(settings).toContainEqual(
      expect.objectContaining({ name: "MARKET_DATA", value: "sample", source: "environment", secret: false }),
    );
  });

  it("saves levels, and an alert at one, as the browser", async () => {
    const path = "/api/v1/symbols/AAPL/levels";
    const saved = await send(path, page, "PUT", { levels: [{ price: 180, label: "last low" }] });
    expect([saved.status, saved.body.levels]).toMatchObject([200, [{ price: 180, label: "last low" }]]);
    expect((await send(path, page)).body.levels).toEqual(saved.body.levels);
    const [{ price }] = saved.body.levels;
    const alert = await send("/api/v1/subscriptions", page, "POST", {
      symbols: ["AAPL"],
      on: "price",
      below: price,
    });
    expect([alert.status, alert.body.subscription.condition.below]).toEqual([200, 180]);
  });
});
