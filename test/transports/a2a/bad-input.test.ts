import { Message } from "@a2a-js/sdk";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { parseSkillCall } from "../../../src/transports/a2a/skill-call.ts";
import { useInstallation } from "../../support/installation.ts";
import { A2A_TOOLS, type Speaker, sending, speaker } from "./fixture.ts";

const installation = useInstallation("sample", {}, { tools: A2A_TOOLS });
let caller: Speaker;
beforeAll(async () => {
  caller = await speaker(installation, "enterprise");
});

const HOW =
  'Send one data part {"skill": "<id>", "input": {...}} or {"task": "<name>", "symbols": [...]}, or plain text.';
const data = (value: unknown) => ({ data: value });
const quote = data({ skill: "get_quote", input: { symbol: "AAPL" } });

/** Invalid messages: parts, error message, JSON-RPC code (default: -32602). */
const MESSAGES: [string, readonly object[], string, number?][] = [
  ["no parts", [], `The message has no parts. ${HOW}`],
  ["an empty part", [{}], `A part has neither text nor data. ${HOW}`],
  ["two skills", [quote, quote], "A message may have only one data part. Send one message per skill call."],
  ["a file by its bytes", [{ raw: "AAAA" }], `Files are not supported. ${HOW}`, -32005],
  ["a file by its address", [{ url: "file:///etc/passwd" }], `Files are not supported. ${HOW}`, -32005],
  ["a list as data", [data([1])], `The data part must be an object. ${HOW}`],
  ["null as data", [data(null)], `A part has neither text nor data. ${HOW}`],
  ["no skill", [data({ input: {} })], `The data part has no "skill". ${HOW}`],
  ["a number as skill", [data({ skill: 1 })], `The data part has no "skill". ${HOW}`],
  [
    "a field in addition to skill and input",
    [data({ skill: "get_quote", symbol: "AAPL" })],
    `The data part has the unknown field "symbol"; fields of the skill belong in "input". ${HOW}`,
  ],
  ["seventeen parts", Array(17).fill({ text: "a" }), `A message may have at most 16 parts. ${HOW}`],
];

it.each(MESSAGES)(
  "a message with %s is rejected over both bindings, and creates no task",
  async (_, parts, message, code = -32602) => {
    const before = (await caller.rpc("ListTasks", {})).result.totalSize;
    expect((await caller.ask(...parts)).error).toMatchObject({ code, message });
    const rest = await caller.post("/api/a2a/rest/message:send", sending(...parts));
    expect([rest.status, rest.json.error.code, rest.json.error.message]).toEqual([400, 400, message]);
    const reason = code === -32005 ? "CONTENT_TYPE_NOT_SUPPORTED" : "INVALID_PARAMS";
    expect(rest.json.error.details[0].reason).toBe(reason);
    expect((await caller.rpc("ListTasks", {})).result.totalSize).toBe(before);
  },
);

describe("a message", () => {
  it("for an unknown skill is rejected with the nearest names and the URL of the full list", async () => {
    const { error } = await caller.ask(data({ skill: "get_qoute" }));
    expect(error.code).toBe(-32602);
    expect(error.message).toMatch(
      /^Unknown skill "get_qoute"\. Nearest: get_quote, get_quota, .*\. The agent card lists all \d+\.$/,
    );
    const { skills } = (await caller.get("/.well-known/agent-card.json")).json;
    expect(error.message).toContain(` lists all ${skills.length}.`);
  });

  it("is rejected with an equally short error by a server of sixty skills", () => {
    const [tool] = installation.app.registry.tools;
    const tools = Array.from({ length: 60 }, (_, i) => ({ ...tool!, name: `get_${i}_`.padEnd(64, "x") }));
    const refusal = () =>
      parseSkillCall(Message.fromJSON(sending(data({ skill: "x".repeat(64) })).message), tools);
    expect(refusal).toThrow(/ lists all 60\.$/);
    expect(refusal).toThrow(/^.{1,599}$/);
  });

  it("with a hostile skill name gets a short error without control characters", async () => {
    const { error } = await caller.ask(data({ skill: `\u001b[31m\u202e${"x".repeat(10_000)}` }));
    expect(error.message.length).toBeLessThan(600);
    expect(error.message).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  it("cannot be added to a task that has ended", async () => {
    const { result } = await caller.ask(quote);
    const next = sending(quote);
    const { error } = await caller.rpc("SendMessage", {
      message: { ...next.message, taskId: result.task.id },
    });
    expect(error).toMatchObject({ code: -32004, message: /^The task has ended\. / });
  });

  it("requires an id, and ids of limited length", async () => {
    const errorOf = async (over: object) => {
      const message = { ...sending(quote).message, ...over };
      return (await caller.rpc("SendMessage", { message })).error.message;
    };
    expect(await errorOf({ messageId: "" })).toBe("The message has no messageId. Use a UUID.");
    expect(await errorOf({ contextId: "x".repeat(129) })).toBe(
      "contextId has more than 128 characters. Use a shorter one, such as a UUID.",
    );
  });

  it("cannot send notifications to private networks", async () => {
    for (const url of ["http://169.254.169.254/", "https://localhost/", "https://10.0.0.1/", "https://db/"]) {
      const { error } = await caller.rpc("SendMessage", {
        ...sending(quote),
        configuration: { taskPushNotificationConfig: { url } },
      });
      expect(error).toMatchObject({ code: -32602, message: /No message is sent there\./ });
    }
  });

  it("may reference tasks that do not exist; they are not read", async () => {
    const { message } = sending(quote);
    const { result } = await caller.rpc("SendMessage", {
      message: { ...message, referenceTaskIds: ["nope"] },
    });
    expect(result.task.status.state).toBe("TASK_STATE_COMPLETED");
  });
});

describe("JSON-RPC", () => {
  const rpc = async (body: unknown, headers = {}) => {
    const { status, json } = await caller.post("/api/a2a", body, headers);
    return { status, id: json.id, code: json.error?.code, message: json.error?.message };
  };

  it("rejects bodies that are not a JSON-RPC request", async () => {
    const refused = { status: 200, id: null, code: -32600 };
    expect(await rpc([])).toMatchObject({ ...refused, message: /batches/ });
    expect(await rpc("3")).toMatchObject(refused);
    expect(await rpc({ id: 1, method: "GetTask" })).toMatchObject({ ...refused, id: 1 });
    expect(await rpc({ jsonrpc: "2.0", id: {}, method: "GetTask" })).toMatchObject(refused);
    expect(await rpc({ jsonrpc: "2.0", id: 1 })).toMatchObject({
      ...refused,
      id: 1,
      message: 'The request has no "method".',
    });
    expect(await rpc("{")).toMatchObject({ code: -32700 });
    expect(await rpc("")).toMatchObject({ code: -32600 });
  });

  it("lists the methods for an unknown one", async () => {
    const unknown = { jsonrpc: "2.0", id: 1, method: "tools/call", params: {} };
    expect(await rpc(unknown)).toMatchObject({ id: 1, code: -32601, message: /SendMessage/ });
  });

  it("rejects other versions and names the supported ones", async () => {
    expect(
      await rpc({ jsonrpc: "2.0", id: 1, method: "GetTask", params: { id: "x" } }, { "a2a-version": "2.0" }),
    ).toMatchObject({
      code: -32009,
      message: 'Protocol version "2.0" is not supported. Send the header A2A-Version: 1.0 or 0.3.',
    });
    const rest = await caller.get("/api/a2a/rest/tasks", { "a2a-version": "0.3" });
    expect([rest.status, rest.json.error.message]).toEqual([
      400,
      'Protocol version "0.3" is not supported. Send the header A2A-Version: 1.0 for HTTP+JSON.',
    ]);
  });

  it.each([
    ["text/plain", '{"jsonrpc": "2.0", "id": 4, "method": "ListTasks", "params": {}}', 4],
    ["application/xml", "<a/>", null],
    ["", "{}", null],
  ])("answers 415 to the content type %j", async (type, body, id) => {
    expect(await rpc(body, { "content-type": type })).toEqual({
      status: 415,
      id,
      code: -32005,
      message: "The content type is not supported. Send the header Content-Type: application/json.",
    });
    const rest = await caller.post("/api/a2a/rest/message:send", body, { "content-type": type });
    expect([rest.status, rest.json.error]).toMatchObject([
      415,
      { code: 415, details: [{ reason: "CONTENT_TYPE_NOT_SUPPORTED", domain: "a2a-protocol.org" }] },
    ]);
  });

  it("accepts both media types of the protocol", async () => {
    const request = { jsonrpc: "2.0", id: 1, method: "ListTasks", params: {} };
    for (const type of ["application/json; charset=utf-8", "application/a2a+json"])
      expect((await caller.post("/api/a2a", request, { "content-type": type })).json.result.tasks).toEqual(
        expect.any(Array),
      );
  });

  it("ignores the patch number of a version", async () => {
    const { json } = await caller.post(
      "/api/a2a",
      { jsonrpc: "2.0", id: 1, method: "ListTasks", params: {} },
      { "a2a-version": "1.0.1" },
    );
    expect(json.result.tasks).toEqual(expect.any(Array));
  });

  it("rejects bodies that are too large or too deeply nested", async () => {
    expect(await rpc(JSON.stringify({ text: "x".repeat(256 * 1024) }))).toMatchObject({
      status: 413,
      code: -32600,
    });
    const deep = `${'{"a":'.repeat(100_000 / 4)}1${"}".repeat(100_000 / 4)}`;
    expect(await rpc(deep)).toMatchObject({
      code: -32602,
      message: "The JSON is nested more than 64 levels deep.",
    });
  });

  it("returns INVALID_PARAMS without internal text for malformed params", async () => {
    for (const [method, params] of [
      ["GetTask", { id: { toString: 1 } }],
      ["SendMessage", { message: { parts: [{ raw: {} }], messageId: { valueOf: 1, toString: 2 } } }],
      ["message/send", { message: 5 }],
      ["ListTasks", { status: "NOPE", pageSize: -1 }],
      ["CancelTask", { id: "x", tenant: {} }],
      ["GetTask", { id: "x", tenant: [["x"]] }],
    ] as const) {
      const { code, message } = await rpc({ jsonrpc: "2.0", id: 1, method, params });
      expect([method, code]).toEqual([method, -32602]);
      expect(message).not.toMatch(/undefined|primitive|function|TypeError/);
    }
  });

  it("rejects an invalid page token", async () => {
    for (const pageToken of ["%%%", "AAAA", Buffer.from("zzz|a").toString("base64")])
      expect(await rpc({ jsonrpc: "2.0", id: 1, method: "ListTasks", params: { pageToken } })).toMatchObject({
        code: -32602,
        message: "The pageToken is invalid. Omit it to get the first page.",
      });
    const { result } = await caller.rpc("ListTasks", { pageSize: 1 });
    const next = await caller.rpc("ListTasks", { pageSize: 1, pageToken: result.nextPageToken });
    expect(next.result.tasks).toHaveLength(1);
    expect(next.result.tasks[0].id).not.toBe(result.tasks[0].id);
  });

  it("never returns an internal error for any params", async () => {
    const methods = "SendMessage GetTask ListTasks CancelTask SubscribeToTask message/send tasks/get".split(
      " ",
    );
    const anything = fc.jsonValue({ maxDepth: 4 });
    const message = fc.record(
      {
        messageId: anything,
        role: anything,
        parts: fc.array(fc.record({ text: anything, data: anything, raw: anything }, { requiredKeys: [] })),
        taskId: anything,
        contextId: anything,
        metadata: anything,
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...methods),
        fc.oneof(
          anything,
          fc.record({ message, configuration: anything, id: anything }, { requiredKeys: [] }),
        ),
        async (method, params) => {
          const { status, text } = await caller.post("/api/a2a", { jsonrpc: "2.0", id: 1, method, params });
          expect([status, text.includes("-32603")]).toEqual([200, false]);
        },
      ),
      { numRuns: 150 },
    );
  }, 60_000);
});

describe("HTTP+JSON", () => {
  it("rejects invalid messages, unknown tasks and invalid numbers", async () => {
    expect((await caller.post("/api/a2a/rest/message:send", "{")).status).toBe(400);
    expect((await caller.post("/api/a2a/rest/message:send", "[]")).status).toBe(400);
    expect((await caller.get("/api/a2a/rest/tasks/nope")).status).toBe(404);
    expect((await caller.get("/api/a2a/rest/tasks/a:b:c")).status).toBe(404);
    const wrong = await caller.get("/api/a2a/rest/tasks?pageSize=many");
    expect([wrong.status, wrong.json.error.message]).toEqual([400, "pageSize must be a whole number."]);
  });

  it("returns the allowed method for other verbs", async () => {
    expect((await caller.get("/api/a2a/rest/message:send")).headers.get("allow")).toBe("POST, OPTIONS");
    expect((await caller.post("/api/a2a/rest/tasks", {})).headers.get("allow")).toBe("GET, HEAD, OPTIONS");
  });
});
