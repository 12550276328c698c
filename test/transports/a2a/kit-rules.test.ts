import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../../../src/kernel/tool.ts";
import { useInstallation } from "../../support/installation.ts";
import { TEST_TOOL } from "../../support/test-tool.ts";
import { A2A_TOOLS, eventsIn, type Speaker, speaker } from "./fixture.ts";

/**
 * The rules of the A2A compatibility kit for protocol 1.0 that this agent can meet, by the kit's ids. The kit itself
 * needs an agent of its own scenarios; docs/conformance.md says which of its tests fail for that reason.
 * @see https://github.com/a2aproject/a2a-tck
 */
/** Ends the calls of `hold_open` that wait. */
let release = () => {};
const holdOpen = defineTool({
  ...TEST_TOOL,
  name: "hold_open",
  title: "Hold",
  route: "GET /api/v1/hold-open",
  output: z.object({ ok: z.boolean() }),
  async handler() {
    await new Promise<void>((done) => {
      release = done;
    });
    return { ok: true };
  },
});

const installation = useInstallation("sample", {}, { tools: { ...A2A_TOOLS, holdOpen } });
let caller: Speaker;
beforeAll(async () => {
  caller = await speaker(installation, "enterprise");
});

interface Answer {
  readonly result: any;
  /** `reason` of the ErrorInfo of an error. */
  readonly reason: string | undefined;
}

/** The operations of one binding. */
interface Binding {
  send(message: object, configuration?: object): Promise<Answer>;
  stream(message: object): Promise<any[]>;
  get(id: string, historyLength?: number): Promise<Answer>;
  list(query: Record<string, string>): Promise<Answer>;
  cancel(id: string): Promise<Answer>;
  /** Opens a stream of a task; resolves once its first event is there. */
  subscribe(id: string): Promise<Response>;
}

const messageOf = (message: object) => ({ messageId: randomUUID(), role: "ROLE_USER", ...message });

const jsonRpc: Binding = {
  send: (message, configuration) => rpc("SendMessage", { message: messageOf(message), configuration }),
  stream: async (message) => {
    const params = { message: messageOf(message) };
    return eventsOf(
      await open("/api/a2a", { jsonrpc: "2.0", id: 1, method: "SendStreamingMessage", params }),
    );
  },
  get: (id, historyLength) => rpc("GetTask", { id, historyLength }),
  list: ({ pageSize, includeArtifacts, ...query }) =>
    rpc("ListTasks", {
      ...query,
      ...(pageSize && { pageSize: Number(pageSize) }),
      ...(includeArtifacts && { includeArtifacts: true }),
    }),
  cancel: (id) => rpc("CancelTask", { id }),
  subscribe: (id) => open("/api/a2a", { jsonrpc: "2.0", id: 1, method: "SubscribeToTask", params: { id } }),
};
async function rpc(method: string, params: object): Promise<Answer> {
  const { result, error } = await caller.rpc(method, params);
  return { result: result?.task ?? result, reason: error?.data?.[0]?.reason };
}
const open = (path: string, body: object): Promise<Response> =>
  fetch(`${installation.url}${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${caller.key}`,
      "content-type": "application/json",
      "a2a-version": "1.0",
    },
    body: JSON.stringify(body),
  });
/** Events of a stream, without the JSON-RPC envelope. */
const eventsOf = async (response: Response): Promise<any[]> =>
  eventsIn(await response.text()).map((event) => event.result ?? event);
/** `reason` of the ErrorInfo of a refused stream. */
async function reasonOf(response: Response): Promise<unknown> {
  const { error } = (await response.json()) as any;
  return (error.data ?? error.details)[0].reason;
}

const REST = "/api/a2a/rest";
const httpJson: Binding = {
  send: async (message, configuration) =>
    restAnswer(await caller.post(`${REST}/message:send`, { message: messageOf(message), configuration })),
  stream: async (message) => eventsOf(await open(`${REST}/message:stream`, { message: messageOf(message) })),
  get: async (id, historyLength) =>
    restAnswer(
      await caller.get(
        `${REST}/tasks/${id}${historyLength === undefined ? "" : `?historyLength=${historyLength}`}`,
      ),
    ),
  list: async (query) => restAnswer(await caller.get(`${REST}/tasks?${new URLSearchParams(query)}`)),
  cancel: async (id) => restAnswer(await caller.post(`${REST}/tasks/${id}:cancel`, {})),
  subscribe: (id) => open(`${REST}/tasks/${id}:subscribe`, {}),
};
const restAnswer = ({ json }: { readonly json: any }): Answer => ({
  result: json?.task ?? json,
  reason: json?.error?.details?.[0]?.reason,
});

const TEXT = { parts: [{ text: "What is the signal on Apple?" }] };
const QUESTION = { parts: [{ data: { skill: "get_quote", input: { symbol: "APPL" } } }] };
const wait = (steps: number) => ({ parts: [{ data: { skill: "wait_long", input: { steps } } }] });
const NOWHERE = "tck-nonexistent";
const BINDINGS: [string, Binding][] = [
  ["JSON-RPC", jsonRpc],
  ["HTTP+JSON", httpJson],
];

describe.each(BINDINGS)("over %s", (_, { send, stream, get, list, cancel, subscribe }) => {
  it("CORE-SEND-001, CORE-MULTI-001a, 003: a message returns a task with its own id and context", async () => {
    const [first, second] = [await send(TEXT), await send(TEXT)];
    expect(first.result.status.state).toBe("TASK_STATE_COMPLETED");
    expect(first.result.contextId).toMatch(/./);
    expect(first.result.id).not.toBe(second.result.id);
  });

  it("CORE-SEND-002: a task that has ended takes no message", async () => {
    const { result } = await send(TEXT);
    expect((await send({ ...TEXT, taskId: result.id })).reason).toBe("UNSUPPORTED_OPERATION");
  });

  it("CORE-SEND-003: a part of another media type is refused", async () => {
    const parts = [{ raw: "dGNr", mediaType: "application/x-unsupported-tck-type" }];
    expect((await send({ parts })).reason).toBe("CONTENT_TYPE_NOT_SUPPORTED");
  });

  it("CORE-STREAM-001, 003, STREAM-ORDER-001: a stream begins with the task and ends with its last state", async () => {
    const events = await stream(wait(20));
    expect(Object.keys(events[0])).toEqual(["task"]);
    const states = events.flatMap(({ statusUpdate }) => statusUpdate?.status.state ?? []);
    expect(states.indexOf("TASK_STATE_COMPLETED")).toBe(states.length - 1);
  });

  it("CORE-GET-001, 002: a task is found by its id, another is TaskNotFound", async () => {
    const { result } = await send(TEXT);
    expect((await get(result.id)).result).toMatchObject({ id: result.id, status: result.status });
    expect((await get(NOWHERE)).reason).toBe("TASK_NOT_FOUND");
  });

  it("CORE-LIST-001 to 005: tasks are listed by context, newest first, by pages, without artifacts", async () => {
    const contextId = randomUUID();
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.unshift((await send({ ...TEXT, contextId })).result.id);
    const all = (await list({ contextId })).result;
    expect(all.tasks.map(({ id }: any) => id)).toEqual(ids);
    expect([all.nextPageToken, all.totalSize]).toEqual(["", 3]);
    expect(all.tasks.some((task: object) => "artifacts" in task)).toBe(false);
    const full = (await list({ contextId, includeArtifacts: "true" })).result;
    expect(full.tasks.every(({ artifacts }: any) => artifacts.length === 1)).toBe(true);
    const first = (await list({ contextId, pageSize: "2" })).result;
    const second = (await list({ contextId, pageSize: "2", pageToken: first.nextPageToken })).result;
    expect([...first.tasks, ...second.tasks].map(({ id }: any) => id)).toEqual(ids);
  });

  it("CORE-CANCEL-001 to 003: an open task is cancelled, an ended or unknown one is not", async () => {
    const { result } = await send(QUESTION);
    expect(result.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    expect((await cancel(result.id)).result.status.state).toBe("TASK_STATE_CANCELED");
    const done = (await send(TEXT)).result;
    expect((await cancel(done.id)).reason).toBe("TASK_NOT_CANCELABLE");
    expect((await cancel(NOWHERE)).reason).toBe("TASK_NOT_FOUND");
  });

  it("CORE-EXECUTION-MODE-001, 002: a call waits for the end or the question, unless it is not to wait", async () => {
    expect((await send(wait(5))).result.status.state).toBe("TASK_STATE_COMPLETED");
    const asked = (await send(QUESTION)).result;
    expect(asked.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    const replied = await send({ parts: [{ text: "AAPL" }], taskId: asked.id });
    expect(replied.result.status.state).toBe("TASK_STATE_COMPLETED");
    const begun = (await send(wait(500), { returnImmediately: true })).result;
    expect(begun.status.state).toBe("TASK_STATE_WORKING");
    expect((await cancel(begun.id)).result.status.state).toBe("TASK_STATE_CANCELED");
  });

  it("CORE-MULTI-002, 004 to 006: contexts and tasks of messages are kept, inferred and checked", async () => {
    const contextId = randomUUID();
    expect((await send({ ...TEXT, contextId })).result.contextId).toBe(contextId);
    expect((await send({ ...TEXT, taskId: NOWHERE })).reason).toBe("TASK_NOT_FOUND");
    const asked = (await send({ ...QUESTION, contextId })).result;
    const other = await send({ parts: [{ text: "AAPL" }], taskId: asked.id, contextId: randomUUID() });
    expect(other.reason).toBe("INVALID_PARAMS");
    const replied = await send({ parts: [{ text: "AAPL" }], taskId: asked.id });
    expect(replied.result).toMatchObject({ id: asked.id, contextId });
  });

  it("CORE-HIST-001 to 006: the history is whole and in order, and never longer than requested", async () => {
    const asked = (await send(QUESTION)).result;
    const { result } = await send({ parts: [{ text: "AAPL" }], taskId: asked.id });
    const roles = (task: any) => (task.history ?? []).map(({ role }: any) => role);
    const whole = (await get(result.id)).result;
    expect(roles(whole)).toEqual(["ROLE_USER", "ROLE_AGENT", "ROLE_USER"]);
    expect([whole.history[0].parts[0].data, whole.history[2].parts[0].text]).toEqual([
      QUESTION.parts[0]!.data,
      "AAPL",
    ]);
    expect(roles((await get(result.id, 2)).result)).toEqual(["ROLE_AGENT", "ROLE_USER"]);
    expect(roles((await get(result.id, 0)).result)).toEqual([]);
    expect(roles((await send(TEXT, { historyLength: 0 })).result)).toEqual([]);
  });

  it("CORE-ERR-002, DM-SERIAL-005: a message without content is refused, unknown fields are ignored", async () => {
    expect((await send({})).reason).toBe("INVALID_PARAMS");
    expect((await send({ ...TEXT, tckUnknown: { a: 1 } })).result.status.state).toBe("TASK_STATE_COMPLETED");
  });

  it("STREAM-SUB-001 to 004, STREAM-ORDER-002, 003: every stream of a task tells the same, to its end", async () => {
    const held = { parts: [{ data: { skill: "hold_open" } }] };
    const { id } = (await send(held, { returnImmediately: true })).result;
    const streams = await Promise.all([subscribe(id), subscribe(id)]);
    release();
    const [one, other] = await Promise.all(streams.map(eventsOf));
    expect(one![0].task.id).toBe(id);
    expect(one!.at(-1).statusUpdate.status.state).toBe("TASK_STATE_COMPLETED");
    expect(other).toEqual(one);
    expect(await reasonOf(await subscribe(id))).toBe("UNSUPPORTED_OPERATION");
    expect(await reasonOf(await subscribe(NOWHERE))).toBe("TASK_NOT_FOUND");
  });
});

describe("versions", () => {
  const ask = (version: string) =>
    caller.post(
      "/api/a2a",
      { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message: messageOf(TEXT) } },
      { "a2a-version": version },
    );

  it("VER-SERVER-001 to 003: 1.0 and no version are answered, an unknown one is refused", async () => {
    for (const version of ["1.0", ""])
      expect((await ask(version)).json.result.task.status.state).toBe("TASK_STATE_COMPLETED");
    expect((await ask("99.0")).json.error).toMatchObject({
      code: -32009,
      data: [{ reason: "VERSION_NOT_SUPPORTED" }],
    });
    const rest = await caller.post(`${REST}/message:send`, {}, { "a2a-version": "99.0" });
    expect([rest.status, rest.json.error.details[0].reason]).toEqual([400, "VERSION_NOT_SUPPORTED"]);
  });
});

describe("the card", () => {
  it("CARD-DISC-001, STRUCT-001, PROTO-001, 002, CACHE-001, 002: has the required fields and headers", async () => {
    const response = await fetch(`${installation.url}/.well-known/agent-card.json`);
    expect(response.headers.get("cache-control")).toBe("public, max-age=300");
    expect(response.headers.get("etag")).toMatch(/^"/);
    const card = (await response.json()) as any;
    for (const name of ["name", "description", "version"]) expect(card[name]).toEqual(expect.any(String));
    for (const name of ["skills", "defaultInputModes", "defaultOutputModes", "supportedInterfaces"])
      expect(card[name].length).toBeGreaterThan(0);
    for (const skill of card.skills)
      expect(skill).toMatchObject({ id: /./, name: /./, description: /./, tags: expect.any(Array) });
    for (const { url, protocolBinding, protocolVersion } of card.supportedInterfaces) {
      expect(url).toMatch(new RegExp(`^${installation.url}/api/a2a`));
      expect([`${protocolBinding} ${protocolVersion}`]).toEqual([
        expect.stringMatching(/^(JSONRPC (1\.0|0\.3)|HTTP\+JSON 1\.0)$/),
      ]);
    }
  });

  it("CARD-EXT-001: the extended card has the fields of protocol 1.0 alone", async () => {
    const { result } = await caller.rpc("GetExtendedAgentCard", {});
    const FIELDS =
      "name description supportedInterfaces version documentationUrl capabilities securitySchemes securityRequirements defaultInputModes defaultOutputModes skills signatures";
    expect(Object.keys(result).sort()).toEqual(FIELDS.split(" ").sort());
    expect(Object.keys(result.capabilities).sort()).toEqual([
      "extendedAgentCard",
      "pushNotifications",
      "streaming",
    ]);
  });
});
