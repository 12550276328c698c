import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { agentSlots, PLAN_SCHEDULES } from "../../src/access/plans.ts";
import { PLAN_RANK, type Plan } from "../../src/domain/accounts/access.ts";
import { fetchJson, overA2a, overMcp, overRest, sendA2a } from "../support/api-document/clients.ts";
import { routed, task } from "../support/api-document/fields.ts";
import { get, PLANS, post } from "../support/api-document/routes.ts";
import { type DocumentedPlan, SCHEDULES } from "../support/api-document/schedules.ts";
import { useInstallation } from "../support/installation.ts";
import { movingClock } from "../support/store.ts";

const MINUTE_MS = 60_000;
const clock = movingClock();
const installation = useInstallation("sample", {}, { clock });
const scheduleB = useInstallation("sample", { PLAN_SCHEDULE: "B" }, { clock });
const keys = {} as Record<Plan, string>;
beforeAll(async () => {
  for (const plan of PLANS) keys[plan] = (await installation.key(plan)).key;
});
const any = z.unknown();

describe("limits of the API document, lines 243-254", () => {
  const symbols = Array.from({ length: 21 }, (_, i) => `SYM${i}`);
  const AT_MOST = [
    [
      "500 bars (line 247)",
      get("/api/v1/history/AAPL?limit=500", { symbol: "AAPL", limit: 500 }, any),
      "get_history",
    ],
    ["20 symbols (line 248)", post("/api/v1/scan", { symbols: symbols.slice(0, 20) }, any), "scan_symbols"],
    [
      "200 trades (line 249)",
      get("/api/v1/political-trades?limit=200", { limit: 200 }, any),
      "get_political_trades",
    ],
  ] as const;
  const TOO_MUCH = [
    ["501 bars", get("/api/v1/history/AAPL?limit=501", { symbol: "AAPL", limit: 501 }, any), "get_history"],
    ["21 symbols", post("/api/v1/scan", { symbols }, any), "scan_symbols"],
    ["201 trades", get("/api/v1/political-trades?limit=201", { limit: 201 }, any), "get_political_trades"],
    [
      "another chamber",
      get("/api/v1/political-trades?chamber=city", { chamber: "city" }, any),
      "get_political_trades",
    ],
    ["another party", get("/api/v1/political-trades?party=X", { party: "X" }, any), "get_political_trades"],
    [
      "another type",
      get("/api/v1/political-trades?type=hold", { type: "hold" }, any),
      "get_political_trades",
    ],
    ["another tier", post("/api/v1/scan", { symbols: ["AAPL"], tier: "WARM" }, any), "scan_symbols"],
  ] as const;
  const send = { REST: overRest, MCP: overMcp, A2A: overA2a };

  it.each(AT_MOST)("accept %s over every transport", async (_, request, tool) => {
    for (const call of Object.values(send))
      expect((await call(installation.url, keys.enterprise, request, tool)).code).toBeNull();
  });

  it("return 500 bars, newest first", async () => {
    const { data } = await overRest(installation.url, keys.pro, AT_MOST[0][1]);
    expect(data.count).toBe(500);
    expect(data.bars).toHaveLength(500);
  });

  it.each(TOO_MUCH)("refuse %s over every transport", async (_, request, tool) => {
    for (const call of Object.values(send))
      expect((await call(installation.url, keys.enterprise, request, tool)).code).toBe("INVALID_INPUT");
    expect((await overRest(installation.url, keys.enterprise, request)).status).toBe(400);
  });

  it("let the demo widget refresh every 60 seconds (line 254)", async () => {
    const { headers } = await overRest(installation.url, null, get("/api/v1/demo", {}, any));
    expect(headers.get("cache-control")).toBe("public, max-age=60");
  });
});

describe("errors of the API document, lines 237-241", () => {
  it.each(["NOSUCH", "LINK"])("an unknown or unavailable quote of %s has no price", async (symbol) => {
    const request = get(`/api/v1/quote/${symbol}`, { symbol }, any);
    for (const plan of PLANS) {
      const { status, data } = await overRest(installation.url, keys[plan], request);
      expect(status).toBe(422);
      expect(data).toMatchObject({ ok: false, symbol, price: null, data: { price: null } });
    }
    const overTask = await overA2a(installation.url, keys.pro, request, "get_quote");
    expect(overTask.data).toMatchObject({ ok: false, symbol, price: null });
    const { code } = await overMcp(installation.url, keys.pro, request, "get_quote");
    expect(code).toBe(overTask.code);
  });
});

describe("A2A of the API document, lines 143-145 and 181-182", () => {
  const data = { task: "signal_analysis", symbols: ["AAPL"], context: { timeframe: "daily" } };
  const message = (path: string) => ({
    path,
    headers: { "A2A-Version": "1.0" },
    body: {
      jsonrpc: "2.0",
      id: 1,
      method: "SendMessage",
      params: { message: { messageId: "message-1", role: "ROLE_USER", parts: [{ data }] } },
    },
  });

  it.each([
    ["/api/v1/a2a", "pro", task],
    ["/api/v1/a2a/route", "enterprise", routed],
  ] as const)("%s also takes the task as a message over JSON-RPC", async (path, plan, answer) => {
    for (const caller of PLANS) {
      const response = await sendA2a(installation.url, keys[caller], message(path));
      if (PLAN_RANK[caller] < PLAN_RANK[plan])
        expect(response).toMatchObject({ status: 403, code: "PLAN_REQUIRED" });
      else {
        expect(response.code).toBeNull();
        expect(answer.safeParse(response.data).error?.issues).toBeUndefined();
      }
    }
  });
});

describe("the MCP stream of the API document, line 200", () => {
  const open = async (key: string | null) => {
    const stop = new AbortController();
    const response = await fetch(`${installation.url}/api/mcp/sse`, {
      headers: { Accept: "text/event-stream", ...(key !== null && { Authorization: `Bearer ${key}` }) },
      signal: stop.signal,
    });
    const first = await response.body!.getReader().read();
    stop.abort();
    const { status, headers } = response;
    return { status, type: headers.get("content-type"), text: new TextDecoder().decode(first.value) };
  };

  it.each(PLANS)("opens for the professional plans only: %s", async (plan) => {
    const answer = await open(keys[plan]);
    if (PLAN_RANK[plan] < PLAN_RANK.pro) expect(answer.status).toBe(403);
    else {
      expect(answer).toMatchObject({ status: 200, type: expect.stringContaining("text/event-stream") });
      expect(answer.text).toMatch(/^event: endpoint\r?\ndata: \S*\/api\/mcp\/sse\/messages\S+/m);
    }
  });

  it("needs a key", async () => {
    expect((await open(null)).status).toBe(401);
  });
});

describe("the nightly engine, lines 72 and 252", () => {
  const signalOf = async () =>
    (await overRest(installation.url, keys.pro, get("/api/v1/signals/BTC-USD", {}, any))).data.data;

  it("is omitted once its run is older than 1440 minutes", async () => {
    expect(await signalOf()).toMatchObject({ engine_available: false });
    await installation.app.engine.run({ universe: { name: "all" } });
    clock.pass(1_440 * MINUTE_MS);
    const { engine_available, engine } = await signalOf();
    expect([engine_available, engine?.runAt]).toEqual([true, expect.any(String)]);
    clock.pass(MINUTE_MS);
    const later = await signalOf();
    expect(later.engine_available).toBe(false);
    expect(later).not.toHaveProperty("engine");
  });
});

describe.each(["A", "B"] as const)("plan schedule %s", (name) => {
  const server = name === "A" ? installation : scheduleB;
  const app = () => server.app;
  const url = () => server.url;
  async function create({ plan, terms }: DocumentedPlan): Promise<string> {
    const { key, account } = await app().access.create({ plan });
    if (terms !== undefined) await app().access.setAccount(account, { terms });
    return key;
  }
  const quota = get("/api/v1/quota", {}, any);

  it.each(SCHEDULES[name])("line $line: limits the plan $plan", async (row) => {
    const key = await create(row);
    const { headers, data } = await overRest(url(), key, quota);
    const [burst, seconds] = row.burst;
    const windows = [
      { name: "burst", quota: burst, window: seconds },
      { name: "daily", quota: row.daily, window: 86_400 },
      ...(row.assistant === undefined ? [] : [{ name: "assistant", quota: row.assistant, window: 86_400 }]),
    ];
    expect(data.windows).toMatchObject(windows);
    expect(data.windows).toHaveLength(windows.length);
    expect(headers.get("ratelimit-policy")).toBe(
      windows.map((window) => `"${window.name}";q=${window.quota};w=${window.window}`).join(","),
    );
    if (row.agents !== undefined) expect(agentSlots(PLAN_SCHEDULES[name], row).slots).toBe(row.agents);
  });

  it("counts the calls of every transport in the same windows", async () => {
    const key = await create(SCHEDULES[name].find(({ plan }) => plan === "pro")!);
    await overRest(url(), key, get("/api/v1/quote/AAPL", { symbol: "AAPL" }, any));
    const overTools = await overMcp(url(), key, quota, "get_quota");
    const overTask = await overA2a(url(), key, quota, "get_quota");
    const remaining = ({ data }: typeof overTools) => data.windows[0].quota - data.windows[0].remaining;
    expect([remaining(overTools), remaining(overTask)]).toEqual([2, 3]);
  });

  it("refuses the call after the last one of a member's burst window", async () => {
    const key = await create(SCHEDULES[name][0]!);
    const quote = { path: "/api/v1/quote/AAPL" };
    const statuses = [];
    for (let call = 0; call < 10; call++) statuses.push((await fetchJson(url(), key, quote)).status);
    const refused = await fetchJson(url(), key, quote);
    expect([...new Set(statuses), refused.status]).toEqual([200, 429]);
    expect(refused.body).toMatchObject({ ok: false, code: "RATE_LIMITED" });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});
