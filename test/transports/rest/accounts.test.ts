import { describe, expect, it } from "vitest";
import { useInstallation } from "../../support/installation.ts";

const ACCOUNTS = "/api/v1/accounts";

describe("the administration of accounts over REST", () => {
  const site = useInstallation("sample");
  const call = async (key: string | null, verb: string, path: string, body?: object) => {
    const response = await fetch(`${site.url}${path}`, {
      method: verb,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as {
      readonly accounts: unknown;
      readonly token: string;
      readonly rows: unknown;
    };
    return { status: response.status, headers: response.headers, body: answer };
  };
  const admin = async () => (await site.key("member", ["read", "admin"])).key;

  it.each([
    ["GET", ""],
    ["GET", "/acme"],
    ["GET", "/acme/export"],
    ["DELETE", "/acme"],
    ["PUT", "/acme/plan"],
    ["POST", "/acme/suspend"],
    ["POST", "/acme/resume"],
  ])("needs a key with the admin scope: %s %s", async (verb, path) => {
    const { key } = await site.key("enterprise", ["read", "write", "trade:paper"]);
    expect(await call(null, verb, `${ACCOUNTS}${path}`)).toMatchObject({
      status: 401,
      body: { code: "UNAUTHENTICATED" },
    });
    expect(await call(key, verb, `${ACCOUNTS}${path}`)).toMatchObject({
      status: 403,
      body: { code: "SCOPE_REQUIRED", required_scope: "admin" },
    });
  });

  it("lists, shows and exports accounts, which no cache stores", async () => {
    const key = await admin();
    const { account } = await site.key("pro", ["read"]);
    const list = await call(key, "GET", ACCOUNTS);
    expect([list.status, list.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(list.body.accounts).toContainEqual(expect.objectContaining({ id: account, plan: "pro", keys: 1 }));
    expect((await call(key, "GET", `${ACCOUNTS}/${account}`)).body).toMatchObject({
      ok: true,
      id: account,
      stored: { keys: 1, accounts: 1 },
      open_live_orders: [],
    });
    const exported = await call(key, "GET", `${ACCOUNTS}/${account}/export`);
    expect([exported.status, exported.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(exported.body).toMatchObject({
      account,
      tables: { accounts: [{ id: account }], audit_log: [{ event: "account_exported" }] },
    });
  });

  it("changes a plan", async () => {
    const key = await admin();
    const { account } = await site.key("member", ["read"]);
    const path = `${ACCOUNTS}/${account}/plan`;
    expect((await call(key, "PUT", path, { plan: "pro" })).body).toMatchObject({ ok: true, plan: "pro" });
    for (const body of [{}, { plan: "gold" }, { plan: "pro", extra: 1 }])
      expect(await call(key, "PUT", path, body)).toMatchObject({
        status: 400,
        body: { code: "INVALID_INPUT" },
      });
    expect(await call(key, "PUT", `${ACCOUNTS}/nobody/plan`, { plan: "pro" })).toMatchObject({ status: 404 });
    expect((await call(key, "GET", path)).headers.get("allow")).toBe("PUT, OPTIONS");
  });

  it("deletes an account, whose keys then are unknown", async () => {
    const key = await admin();
    const { account, key: other } = await site.key("pro", ["read"]);
    expect(await call(key, "DELETE", `${ACCOUNTS}/${account}`)).toMatchObject({
      status: 200,
      body: { ok: true, account, deleted: { keys: 1, accounts: 1 } },
    });
    expect(await call(other, "GET", "/api/v1/quota")).toMatchObject({
      status: 401,
      body: { reason: "unknown" },
    });
  });

  it("suspends an account over every transport until it is resumed", async () => {
    const key = await admin();
    const { account, key: suspended } = await site.key("pro", ["read"]);
    const { token } = (await call(suspended, "POST", "/api/v1/stream-tokens")).body;
    const mcp = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const requests = [
      ["GET", "/api/v1/quota"],
      ["POST", "/api/mcp", mcp],
      ["GET", "/api/mcp/sse"],
      ["POST", "/api/v1/a2a", { task: "signal_analysis", symbols: ["AAPL"] }],
    ] as const;
    expect((await call(key, "POST", `${ACCOUNTS}/${account}/suspend`)).body).toMatchObject({
      ok: true,
      suspended_at: expect.any(String),
    });
    // another server remembers a key for half a second
    for (const { access } of site.apps)
      await expect
        .poll(() =>
          access.identify(suspended).then(
            () => null,
            ({ data }) => data.reason,
          ),
        )
        .toBe("suspended");
    for (const [verb, path, body] of requests)
      expect([path, await call(suspended, verb, path, body)]).toMatchObject([
        path,
        {
          status: 403,
          body: {
            code: "FORBIDDEN",
            detail: "This account is suspended",
            reason: "suspended",
          },
        },
      ]);
    const stream = `/api/v1/quotes/stream?symbols=AAPL&stream_token=${token}`;
    expect(await call(null, "GET", stream)).toMatchObject({ status: 403, body: { reason: "suspended" } });
    expect((await call(key, "POST", `${ACCOUNTS}/${account}/resume`)).body).toMatchObject({
      suspended_at: null,
    });
    expect((await call(suspended, "GET", "/api/v1/quota")).status).toBe(200);
  });

  it("counts the calls of an account by tool, for an administrator", async () => {
    const key = await admin();
    const { account, key: other } = await site.key("pro", ["read"]);
    for (const path of ["quota", "quote/AAPL", "quote/AAPL"]) await call(other, "GET", `/api/v1/${path}`);
    await site.storeUsage();
    const { body } = await call(key, "GET", `/api/v1/usage?account=${account}&by=tool&days=2`);
    expect(body).toMatchObject({ calls: 3, failed: 0, by: "tool" });
    expect(body.rows).toMatchObject([
      { name: "get_quote", calls: 2 },
      { name: "get_quota", calls: 1 },
    ]);
    expect(await call(other, "GET", `/api/v1/usage?account=owner`)).toMatchObject({ status: 403 });
  });
});
