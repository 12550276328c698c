import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { ToolError } from "../../../src/kernel/errors.ts";
import { defineTool, type Effect, type Tool } from "../../../src/kernel/tool.ts";
import { idempotencyUuid } from "../../../src/lib/idempotency-key.ts";
import { install } from "../../support/installation.ts";
import { movingClock } from "../../support/store.ts";
import { suiteDir } from "../../support/temp-dir.ts";

const ran: Record<string, unknown>[] = [];
let work: (input: { readonly text: string }) => Promise<void> = async () => {};

const shape = {
  title: "Thing",
  description: "Does a thing.",
  toolset: "trading",
  plan: "member",
  needs: [],
  output: z.object({ count: z.number().describe("How many calls ran"), text: z.string().describe("Asked") }),
} as const;
const text = z.string().min(1).describe("Any text");
const handler = async (input: { readonly text: string }) => {
  ran.push(input);
  const count = ran.length;
  await work(input);
  return { count, text: input.text };
};
const writeThing = defineTool({
  ...shape,
  name: "write_thing",
  effect: "write",
  route: "POST /api/v1/thing",
  http: { aliases: ["/api/v1/other-thing"] },
  deadlineMs: 5_000,
  input: z.object({ text, size: z.number().default(1).describe("Any") }),
  examples: [{ ask: "Do it", input: { text: "a" } }],
  handler,
});
const thing = (name: string, effect: Effect, route: string, input = z.object({ text }).strict()): Tool =>
  ({ ...writeThing, name, effect, route, http: {}, deadlineMs: 30_000, input }) as unknown as Tool;
const keyed = { text, idempotency_key: z.uuid().optional().describe("Its own") };
const keyedThing = thing("keyed_thing", "trade", "PUT /api/v1/keyed/:text", z.strictObject(keyed));
const removeThing = thing("remove_thing", "write", "DELETE /api/v1/thing/:text");
const readThing = thing("read_thing", "read", "POST /api/v1/read-thing");
const getThing = thing("get_thing", "read", "GET /api/v1/thing/:text");
const tools = Object.fromEntries<Tool>(
  [writeThing, keyedThing, removeThing, readThing, getThing].map((tool) => [tool.name, tool as Tool]),
);

const clock = movingClock();
const { dir, remove } = suiteDir();
const installation = await install(dir, "sample", { PLAN_SCHEDULE: "A" }, { clock, tools });
const { key: bearer, account } = await installation.key("enterprise", ["read", "write", "trade:paper"]);
afterAll(async () => {
  await installation.stop();
  remove();
});
beforeEach(() => {
  ran.length = 0;
  work = async () => {};
  clock.pass(61_000); // the short window of the meters is whole again
});

interface Sent {
  readonly key?: string;
  readonly body?: unknown;
  readonly as?: string;
  readonly signal?: AbortSignal;
}
async function send(route: string, { key, body, as = bearer, signal }: Sent = {}) {
  const [method, path] = route.split(" ") as [string, string];
  const response = await fetch(`${installation.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${as}`,
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(key !== undefined && { "idempotency-key": key }),
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  });
  const text = await response.text();
  return {
    status: response.status,
    text,
    data: JSON.parse(text) as Record<string, unknown>,
    replayed: response.headers.get("idempotency-replayed"),
    headers: response.headers,
  };
}
const POST = "POST /api/v1/thing";
const rows = () => installation.app.store.db.selectFrom("idempotency").selectAll().execute();
const left = (headers: Headers) =>
  [...headers.get("ratelimit")!.matchAll(/r=(\d+)/g)].map(([, number]) => Number(number));

describe("a call with an Idempotency-Key", () => {
  it("runs once; a retry with an equivalent body returns the stored response", async () => {
    const first = await send(POST, { key: "k1", body: { text: "a", size: 1 } });
    expect(first).toMatchObject({ status: 200, data: { count: 1, text: "a" }, replayed: null });
    const again = await send(POST, { key: "k1", body: ' { "size": 1, "text": "a" } ' });
    expect(again).toMatchObject({ status: 200, text: first.text, replayed: "true" });
    expect(again.headers.get("content-type")).toBe("application/json");
    expect(again.headers.get("request-id")).not.toBe(first.headers.get("request-id"));
    expect(ran).toHaveLength(1);
  });

  it("counts each request against the burst quota and one against the daily quota", async () => {
    const first = await send(POST, { key: "k2", body: { text: "a" } });
    const again = await send(POST, { key: "k2", body: { text: "a" } });
    const [burst, day] = left(first.headers);
    expect(left(again.headers)).toEqual([burst! - 1, day]);
  });

  it("is a new call for another key, another account or no key", async () => {
    const other = await installation.key("pro", ["read", "write", "trade:paper"]);
    const body = { text: "a" };
    for (const sent of [{ key: "k3" }, { key: "k4" }, { key: "k3", as: other.key }, {}, {}])
      expect(await send(POST, { ...sent, body })).toMatchObject({ status: 200, replayed: null });
    expect(ran).toHaveLength(5);
  });

  it("is rejected if the key was used with another input or route", async () => {
    await send(POST, { key: "k5", body: { text: "a" } });
    for (const [route, body] of [
      [POST, { text: "b" }],
      [POST, { text: "a", size: 2 }],
      [POST, { text: "a", size: 1 }],
      ["POST /api/v1/other-thing", { text: "a" }],
      ["PUT /api/v1/keyed/a", undefined],
      ["DELETE /api/v1/thing/a", undefined],
    ] as const)
      expect(await send(route, { key: "k5", body })).toMatchObject({
        status: 422,
        replayed: null,
        data: { code: "REFUSED", detail: "This Idempotency-Key was used for another call" },
      });
    expect(ran).toHaveLength(1);
  });

  it("runs once for 20 concurrent requests; the others get 409, then the stored response", async () => {
    let end = () => {};
    work = () => new Promise((done) => (end = done));
    let answered = 0;
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const answer = await send(POST, { key: "k6", body: { text: "a" } });
        if (++answered === 19) end();
        return answer;
      }),
    );
    const waiting = answers.filter(({ status }) => status === 409);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(waiting).toHaveLength(19);
    for (const { headers, data } of waiting) {
      expect(headers.get("retry-after")).toBe("1");
      expect(data).toMatchObject({ code: "CONFLICT", retry_after: 1 });
    }
    expect(await send(POST, { key: "k6", body: { text: "a" } })).toMatchObject({
      status: 200,
      data: { count: 1 },
      replayed: "true",
    });
    expect(ran).toHaveLength(1);
  });

  it("continues after a disconnect, and a retry returns the response", async () => {
    let end = () => {};
    work = () => new Promise((done) => (end = done));
    const leaving = new AbortController();
    const lost = send(POST, { key: "k7", body: { text: "a" }, signal: leaving.signal }).catch(() => "lost");
    while (ran.length === 0) await sleep(5);
    leaving.abort();
    expect(await lost).toBe("lost");
    await sleep(50);
    end();
    let again = await send(POST, { key: "k7", body: { text: "a" } });
    while (again.status === 409) again = await send(POST, { key: "k7", body: { text: "a" } });
    expect(again).toMatchObject({ status: 200, data: { count: 1 }, replayed: "true" });
    expect(ran).toHaveLength(1);
  });

  it("replays an error of the tool unchanged", async () => {
    work = async () => {
      throw new ToolError("NOT_FOUND", "There is no such thing", { hint: "None.", data: { thing: 1 } });
    };
    const first = await send("DELETE /api/v1/thing/a", { key: "k8" });
    work = async () => {};
    const again = await send("DELETE /api/v1/thing/a", { key: "k8" });
    expect(first).toMatchObject({ status: 404, data: { code: "NOT_FOUND", thing: 1 }, replayed: null });
    expect(again).toMatchObject({ status: 404, text: first.text, replayed: "true" });
    expect(again.headers.get("content-type")).toBe("application/problem+json");
  });

  it.each([
    ["CONFLICT", 409],
    ["SCOPE_REQUIRED", 403],
    ["UPSTREAM_UNAVAILABLE", 503],
    ["INTERNAL", 500],
    ["STORAGE_FULL", 507],
  ] as const)("can be retried after %s", async (code, status) => {
    const key = `again-${code}`;
    work = async () => {
      throw new ToolError(code, "Not now");
    };
    expect(await send(POST, { key, body: { text: "a" } })).toMatchObject({ status });
    work = async () => {};
    expect(await send(POST, { key, body: { text: "a" } })).toMatchObject({ status: 200, replayed: null });
    expect(ran).toHaveLength(2);
  });

  it.each([
    ["REFUSED", 422],
    ["NOT_FOUND", 404],
    ["INVALID_INPUT", 400],
  ] as const)("runs a trade again after %s", async (code, status) => {
    const route = "PUT /api/v1/keyed/a";
    const key = `trade-${code}`;
    work = async () => {
      throw new ToolError(code, "Refused", { data: { checks: [] } });
    };
    expect(await send(route, { key })).toMatchObject({ status, replayed: null });
    work = async () => {};
    expect(await send(route, { key })).toMatchObject({ status: 200, replayed: null });
    expect(ran).toHaveLength(2);
    expect(new Set(ran.map(({ idempotency_key }) => idempotency_key))).toEqual(
      new Set([idempotencyUuid(key)]),
    );
  });

  it("stores nothing for a request rejected before the call", async () => {
    const before = (await rows()).length;
    expect((await send(POST, { key: "k9", body: { text: "" } })).status).toBe(400);
    expect((await send(POST, { key: "k9", body: "no JSON" })).status).toBe(400);
    expect((await send(POST, { key: "k9", body: { text: "a" }, as: "ms_no_key" })).status).toBe(401);
    const reader = await installation.key("pro", ["read"]);
    expect((await send(POST, { key: "k9", body: { text: "a" }, as: reader.key })).status).toBe(403);
    expect(await rows()).toHaveLength(before);
    expect((await send(POST, { key: "k9", body: { text: "a" } })).status).toBe(200);
  });

  it("reads the key only for tools with side effects", async () => {
    for (const route of ["GET /api/v1/thing/a", "POST /api/v1/read-thing"])
      for (const _ of [1, 2])
        expect(
          await send(route, { key: "k10", ...(route.startsWith("POST") && { body: { text: "a" } }) }),
        ).toMatchObject({ status: 200, replayed: null });
    expect(ran).toHaveLength(4);
    expect((await rows()).map(({ key }) => key)).not.toContain("k10");
  });

  it.each(["", "x".repeat(256), "caf\u00e9"])("is rejected if the key is %j", async (key) => {
    const answer = await send(POST, { key, body: { text: "a" } });
    expect(answer).toMatchObject({
      status: 400,
      data: { detail: "Idempotency-Key must be 1 to 255 printable ASCII characters" },
    });
    expect(ran).toEqual([]);
  });

  it("passes the key to a tool whose idempotency_key field is omitted", async () => {
    const own = "0190a5e4-7c1b-7def-8abc-0123456789ab";
    await send("PUT /api/v1/keyed/a", { key: own.toUpperCase() });
    await send("PUT /api/v1/keyed/a", { key: "order 7" });
    await send("PUT /api/v1/keyed/a", { key: "order 8", body: { idempotency_key: own } });
    await send("PUT /api/v1/keyed/a");
    expect(ran.map(({ idempotency_key }) => idempotency_key)).toEqual([
      own,
      idempotencyUuid("order 7"),
      own,
      undefined,
    ]);
  });
});

describe("a stored call", () => {
  it("expires after 24 hours, and expired calls are removed in batches", async () => {
    for (let n = 0; n < 30; n++) {
      clock.pass(2_000);
      await send(POST, { key: `old-${n}`, body: { text: "a" } });
    }
    clock.pass(23 * 3_600_000);
    expect(await send(POST, { key: "old-29", body: { text: "a" } })).toMatchObject({ replayed: "true" });
    clock.pass(3_600_001);
    expect(await send(POST, { key: "old-29", body: { text: "b" } })).toMatchObject({
      status: 200,
      replayed: null,
    });
    const old = async () => (await rows()).filter(({ expires_at }) => expires_at <= clock.now().getTime());
    for (let n = 0; n < 4; n++) await send(POST, { key: `new-${n}`, body: { text: "a" } });
    expect(await old()).toEqual([]);
  });

  it("runs again once its first run has exceeded its deadline", async () => {
    const body = { text: "a" };
    await send(POST, { key: "crash", body });
    await installation.app.store.db
      .updateTable("idempotency")
      .set({ status: null, headers: null, body: null, holder: "dead" })
      .where("key", "=", "crash")
      .execute();
    clock.pass(14_000);
    expect((await send(POST, { key: "crash", body })).status).toBe(409);
    expect(await send(POST, { key: "crash", body: { text: "b" } })).toMatchObject({ status: 422 });
    clock.pass(1_000);
    expect(await send(POST, { key: "crash", body })).toMatchObject({ status: 200, data: { count: 2 } });
    expect(await send(POST, { key: "crash", body })).toMatchObject({ replayed: "true", data: { count: 2 } });
  });

  it("stores no input", async () => {
    const canary = "canary-4f1d";
    work = async ({ text }) => {
      if (text === canary) throw new ToolError("REFUSED", "No");
    };
    await send(POST, { key: "secret", body: { text: canary } });
    const row = (await rows()).find(({ key }) => key === "secret")!;
    expect(row).toMatchObject({ account, status: 422 });
    expect(JSON.stringify(row)).not.toContain(canary);
  });
});
