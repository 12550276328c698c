import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { ToolError } from "../../../src/kernel/errors.ts";
import { A2A_BINDINGS, a2aClient, messageOf } from "../../support/a2a-clients.ts";
import { useInstallation } from "../../support/installation.ts";
import { A2A_TOOLS, type Speaker, sending, speaker } from "./fixture.ts";

const installation = useInstallation("sample", {}, { tools: A2A_TOOLS });
let caller: Speaker;
beforeAll(async () => {
  caller = await speaker(installation);
});

const NOWHERE = "00000000-0000-4000-8000-000000000000";
const TASK_NOT_FOUND = { code: -32001, message: "Task not found. ListTasks lists your tasks." };
const url = "https://example.com/hook";

/** Methods that name a task, with their params: of protocol 1.0, then of 0.3. */
const BY_TASK: readonly (readonly [method: string, params: object])[] = [
  ["GetTask", { id: NOWHERE }],
  ["CancelTask", { id: NOWHERE }],
  ["SubscribeToTask", { id: NOWHERE }],
  ["SendMessage", { message: { ...sending({ text: "AAPL" }).message, taskId: NOWHERE } }],
  ["SendStreamingMessage", { message: { ...sending({ text: "AAPL" }).message, taskId: NOWHERE } }],
  ["CreateTaskPushNotificationConfig", { taskId: NOWHERE, url }],
  ["GetTaskPushNotificationConfig", { taskId: NOWHERE, id: "1" }],
  ["ListTaskPushNotificationConfigs", { taskId: NOWHERE }],
  ["DeleteTaskPushNotificationConfig", { taskId: NOWHERE, id: "1" }],
  ["tasks/get", { id: NOWHERE }],
  ["tasks/cancel", { id: NOWHERE }],
  ["tasks/resubscribe", { id: NOWHERE }],
  [
    "message/send",
    {
      message: {
        kind: "message",
        messageId: "m",
        role: "user",
        parts: [{ kind: "text", text: "AAPL" }],
        taskId: NOWHERE,
      },
    },
  ],
  ["tasks/pushNotificationConfig/set", { taskId: NOWHERE, pushNotificationConfig: { url } }],
  ["tasks/pushNotificationConfig/get", { id: NOWHERE, pushNotificationConfigId: "1" }],
  ["tasks/pushNotificationConfig/list", { id: NOWHERE }],
  ["tasks/pushNotificationConfig/delete", { id: NOWHERE, pushNotificationConfigId: "1" }],
];

describe("an unknown task", () => {
  it.each(BY_TASK)("is TaskNotFound for %s, with the id of the request", async (method, params) => {
    const { status, json } = await caller.post(
      "/api/a2a",
      { jsonrpc: "2.0", id: "request-9", method, params },
      { "a2a-version": method.includes("/") ? "0.3" : "1.0" },
    );
    expect([status, json.id]).toEqual([200, "request-9"]);
    expect(json.error).toMatchObject(TASK_NOT_FOUND);
  });

  it.each([
    ["GET", `/tasks/${NOWHERE}`],
    ["POST", `/tasks/${NOWHERE}:cancel`],
    ["POST", `/tasks/${NOWHERE}:subscribe`],
    ["GET", `/tasks/${"x".repeat(500)}`],
    ["GET", `/tasks/${NOWHERE}/pushNotificationConfigs`],
    ["GET", `/tasks/${NOWHERE}/pushNotificationConfigs/1`],
    ["DELETE", `/tasks/${NOWHERE}/pushNotificationConfigs/1`],
  ])("is 404 for %s %s, with the error body of the protocol", async (method, path) => {
    const { status, json, headers } = await caller.send(`/api/a2a/rest${path}`, { method });
    expect([status, headers.get("content-type")]).toEqual([404, "application/a2a+json"]);
    expect(json.error).toEqual({
      code: 404,
      status: "NOT_FOUND",
      message: TASK_NOT_FOUND.message,
      details: [
        {
          "@type": "type.googleapis.com/google.rpc.ErrorInfo",
          reason: "TASK_NOT_FOUND",
          domain: "a2a-protocol.org",
        },
      ],
    });
  });

  it("is 404 for a message and for a push notification config over HTTP+JSON", async () => {
    const message = { ...sending({ text: "AAPL" }).message, taskId: NOWHERE };
    for (const [path, body] of [
      ["/message:send", { message }],
      ["/message:stream", { message }],
      [`/tasks/${NOWHERE}/pushNotificationConfigs`, { url }],
    ] as const) {
      const { status, json } = await caller.post(`/api/a2a/rest${path}`, body);
      expect([path, status, json.error.details[0].reason]).toEqual([path, 404, "TASK_NOT_FOUND"]);
    }
  });

  it.each(A2A_BINDINGS)("is an error of that class for the official client over %s", async (way) => {
    const client = await a2aClient(installation.url, caller.key, way);
    await expect(client.getTask({ id: NOWHERE, tenant: "" })).rejects.toThrow(TASK_NOT_FOUND.message);
    const { message } = messageOf({ text: "AAPL" });
    await expect(
      client.sendMessage({ ...messageOf(), message: { ...message!, taskId: NOWHERE } }),
    ).rejects.toThrow(TASK_NOT_FOUND.message);
  });
});

describe("the id of the request", () => {
  it.each([
    ["invalid params", { method: "SendMessage", params: { message: 5 } }, -32602],
    ["params that are a list", { method: "SendMessage", params: [] }, -32602],
    ["an invalid tenant", { method: "GetTask", params: { id: "x", tenant: {} } }, -32602],
    ["an unknown method", { method: "NoSuchMethod" }, -32601],
    ["no method", {}, -32600],
    ["another version of JSON-RPC", { jsonrpc: "1.0", method: "GetTask" }, -32600],
    ["deep JSON", { method: "GetTask", params: JSON.parse(`${"[".repeat(80)}${"]".repeat(80)}`) }, -32602],
  ])("is echoed with %s", async (_, request, code) => {
    for (const id of ["a", 0, 17]) {
      const { json } = await caller.post("/api/a2a", { jsonrpc: "2.0", id, ...request });
      expect(json).toMatchObject({ jsonrpc: "2.0", id, error: { code } });
    }
  });

  it("is null where the body has no readable one", async () => {
    for (const body of ["{", "[]", '"x"', '{"id": 1.5}', '{"id": {"a": 1}}', '{"id": true}'])
      expect([body, (await caller.post("/api/a2a", body)).json.id]).toEqual([body, null]);
  });
});

describe("a refused JSON-RPC request", () => {
  const request = { jsonrpc: "2.0", id: 31, method: "ListTasks", params: {} };
  const refusal = async (authorization: Record<string, string>, body: unknown = request) => {
    const response = await fetch(`${installation.url}/api/a2a`, {
      method: "POST",
      headers: { "content-type": "application/json", "a2a-version": "1.0", ...authorization },
      body: JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, json: (await response.json()) as any };
  };

  it.each([
    ["no key", {}, ""],
    ["an unknown key", { authorization: `Bearer ms_live_${"a".repeat(38)}` }, ', error="invalid_token"'],
    ["another scheme", { authorization: "Basic abc" }, ""],
  ])("with %s is a JSON-RPC error with its id and status 401", async (_, headers, fault) => {
    const { status, headers: received, json } = await refusal(headers as Record<string, string>);
    expect([status, received.get("content-type"), received.get("www-authenticate")]).toEqual([
      401,
      "application/json",
      `Bearer realm="market-signal"${fault}`,
    ]);
    expect(json).toMatchObject({
      jsonrpc: "2.0",
      id: 31,
      error: { code: -32000, data: [{ code: "UNAUTHENTICATED", status: 401 }] },
    });
    expect(json.error.message).toMatch(/key/);
    expect(JSON.stringify(json)).not.toContain("market-signal ");
  });

  it("with a low plan is a JSON-RPC error with its id and status 403", async () => {
    const low = await speaker(installation, "founding");
    const { status, json } = await low.post("/api/a2a", request);
    expect([status, json.id, json.error.data[0].required_plan]).toEqual([403, 31, "pro"]);
  });

  it("above the quota is a JSON-RPC error with its id, status 429 and Retry-After", async () => {
    const busy = await speaker(installation);
    const answers = await Promise.all(Array.from({ length: 400 }, () => busy.post("/api/a2a", request)));
    const refused = answers.find(({ status }) => status === 429)!;
    expect(refused.json).toMatchObject({ id: 31, error: { data: [{ code: "RATE_LIMITED" }] } });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  it("keeps a problem response for a body that is not JSON-RPC", async () => {
    const { headers, json } = await refusal({}, { task: "scan" });
    expect([headers.get("content-type"), json.code]).toEqual(["application/problem+json", "UNAUTHENTICATED"]);
  });

  it("is thrown with the reason by the official client", async () => {
    const low = await speaker(installation, "founding");
    const client = await a2aClient(installation.url, low.key, "A2A 1.0 JSON-RPC");
    await expect(client.sendMessage(messageOf({ text: "AAPL" }))).rejects.toThrow(/needs the "pro" plan/);
  });
});

it("a database that does not answer meanwhile is named, with what to do, and is no internal failure", async () => {
  const { db } = installation.app.store;
  const select = db.selectFrom.bind(db) as (table: unknown) => never;
  const load = vi.spyOn(db, "selectFrom").mockImplementation((table: unknown) => {
    if (table !== "a2a_tasks") return select(table);
    throw new ToolError("STORAGE_BUSY", "The database does not answer", { hint: "Retry in a moment." });
  });
  onTestFinished(() => load.mockRestore());
  const { error } = await caller.rpc("GetTask", { id: NOWHERE });
  expect(error.message).toBe("The database does not answer. Retry in a moment.");
});
