import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { useInstallation } from "../../support/installation.ts";
import { type Speaker, sending, speaker } from "./fixture.ts";

const installation = useInstallation("sample");
const quote = { data: { skill: "get_quote", input: { symbol: "AAPL" } } };
let caller: Speaker;
let id: string;
beforeAll(async () => {
  caller = await speaker(installation);
  id = (await caller.ask(quote)).result.task.id;
}, 60_000);

const legacy = (method: string, params: object) =>
  caller
    .post("/api/a2a", { jsonrpc: "2.0", id: 7, method, params }, { "a2a-version": "0.3" })
    .then(({ json }) => json);
const message03 = {
  kind: "message",
  messageId: randomUUID(),
  role: "user",
  parts: [{ kind: "data", data: quote.data }],
};

describe.each([-1, -5, 1.5, "abc", 1e30])("the number %j", (bad) => {
  const error = (name: string) => ({
    code: -32602,
    message: `${name} must be a whole number of at least 0.`,
  });

  it("is refused as historyLength and pageSize over JSON-RPC", async () => {
    for (const [method, params, name] of [
      ["GetTask", { id, historyLength: bad }, "historyLength"],
      ["ListTasks", { historyLength: bad }, "historyLength"],
      ["ListTasks", { pageSize: bad }, "pageSize"],
      ["SendMessage", { ...sending(quote), configuration: { historyLength: bad } }, "historyLength"],
      ["ListTaskPushNotificationConfigs", { taskId: id, pageSize: bad }, "pageSize"],
    ] as const)
      expect([method, (await caller.rpc(method, params)).error]).toMatchObject([method, error(name)]);
  });

  it("is refused as historyLength in protocol 0.3", async () => {
    for (const [method, params] of [
      ["tasks/get", { id, historyLength: bad }],
      ["message/send", { message: message03, configuration: { historyLength: bad } }],
    ] as const)
      expect([method, (await legacy(method, params)).error]).toMatchObject([method, { code: -32602 }]);
  });

  it("is refused over HTTP+JSON", async () => {
    for (const path of [
      `/tasks/${id}?historyLength=${bad}`,
      `/tasks?pageSize=${bad}`,
      `/tasks?historyLength=${bad}`,
    ])
      expect([path, (await caller.get(`/api/a2a/rest${path}`)).status]).toEqual([path, 400]);
    const sent = await caller.post("/api/a2a/rest/message:send", {
      ...sending(quote),
      configuration: { historyLength: bad },
    });
    expect([sent.status, sent.json.error.message]).toEqual([400, error("historyLength").message]);
  });
});

it.each([undefined, null, 0, 1, "1"])("historyLength %j is accepted", async (historyLength) => {
  expect((await caller.rpc("GetTask", { id, historyLength })).result.id).toBe(id);
  const sent = await caller.rpc("SendMessage", { ...sending(quote), configuration: { historyLength } });
  expect(sent.result.task.status.state).toBe("TASK_STATE_COMPLETED");
});

it.each([0, 101])("pageSize %j of a list of tasks is refused", async (pageSize) => {
  expect((await caller.rpc("ListTasks", { pageSize })).error.code).toBe(-32602);
});

it.each([null, undefined, {}])("params %j are omitted", async (params) => {
  expect((await caller.rpc("ListTasks", params)).result.tasks[0].status.state).toBe("TASK_STATE_COMPLETED");
  expect((await caller.rpc("GetExtendedAgentCard", params)).result.name).toBe("Market Signal");
  expect((await legacy("agent/getAuthenticatedExtendedCard", params as object)).result.name).toBe(
    "Market Signal",
  );
  expect((await caller.rpc("GetTask", params)).error.code).toBe(-32602);
  expect((await caller.rpc("SendMessage", params)).error.code).toBe(-32602);
});
