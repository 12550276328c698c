import { setTimeout as sleep } from "node:timers/promises";
import { SendMessageRequest } from "@a2a-js/sdk";
import { beforeAll, describe, expect, it } from "vitest";
import {
  A2A_BINDINGS,
  a2aClient,
  callSkill,
  dataIn,
  messageOf,
  TaskState,
  textIn,
} from "../../support/a2a-clients.ts";
import { install, REPLICAS, useInstallation } from "../../support/installation.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { A2A_TOOLS, eventsIn, type Speaker, sending, speaker } from "./fixture.ts";

const installation = useInstallation("sample", {}, { tools: A2A_TOOLS });
let caller: Speaker;
let other: Speaker;
beforeAll(async () => {
  [caller, other] = await Promise.all([speaker(installation), speaker(installation)]);
});

const WAIT = { data: { skill: "wait_long" } };

const until = async (wanted: () => Promise<boolean>) => {
  for (let i = 0; i < 200 && !(await wanted()); i++) await new Promise((done) => setTimeout(done, 20));
  expect(await wanted()).toBe(true);
};

describe.each(A2A_BINDINGS)("the official client over %s", (way) => {
  it("connects by the server URL alone and calls a skill", async () => {
    const client = await a2aClient(installation.url, caller.key, way);
    const task = await callSkill(client, "get_quote", { symbol: "AAPL" });
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(textIn(task.artifacts[0]?.parts)).toMatch(/^SAMPLE \(simulated\) \| AAPL /);
    expect(dataIn(task.artifacts[0]?.parts)).toMatchObject({ ok: true, symbol: "AAPL" });
  });

  it("streams the task first, then the artifact, then the final state", async () => {
    const client = await a2aClient(installation.url, caller.key, way);
    const kinds: unknown[] = [];
    for await (const { payload } of client.sendMessageStream(
      messageOf({ data: { skill: "wait_long", input: { steps: 30 } } }),
    ))
      kinds.push(payload?.$case === "statusUpdate" ? payload.value.status?.state : payload?.$case);
    expect(kinds[0]).toBe("task");
    expect(kinds.slice(1, -2)).toContain(TaskState.TASK_STATE_WORKING);
    expect(kinds.slice(-2)).toEqual(["artifactUpdate", TaskState.TASK_STATE_COMPLETED]);
  });

  it("cancels a task that it started without waiting", async () => {
    const client = await a2aClient(installation.url, caller.key, way);
    const started = await client.sendMessage(
      SendMessageRequest.fromJSON({ ...sending(WAIT), configuration: { returnImmediately: true } }),
    );
    if (!("status" in started)) throw new Error("no task");
    expect(started.status?.state).toBe(TaskState.TASK_STATE_WORKING);
    const cancelled = await client.cancelTask({ id: started.id, tenant: "", metadata: {} });
    expect(cancelled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    expect((await client.getTask({ id: started.id, tenant: "" })).status?.state).toBe(
      TaskState.TASK_STATE_CANCELED,
    );
  });
});

describe("the endpoints", () => {
  it("require a key for everything except the card", async () => {
    const card = await fetch(`${installation.url}/.well-known/agent-card.json`);
    expect(card.status).toBe(200);
    for (const path of ["/api/a2a", "/api/a2a/", "/api/a2a/rest/message:send", "/api/v1/a2a/route"]) {
      const response = await fetch(`${installation.url}${path}`, { method: "POST", body: "{}" });
      expect([path, response.status, ((await response.json()) as { code: string }).code]).toEqual([
        path,
        401,
        "UNAUTHENTICATED",
      ]);
    }
  });

  it("require the pro plan", async () => {
    const low = await speaker(installation, "founding");
    for (const path of ["/api/a2a", "/api/a2a/rest/message:send"])
      expect((await low.post(path, sending({ text: "AAPL" }))).json).toMatchObject({
        code: "PLAN_REQUIRED",
        required_plan: "pro",
      });
  });

  it("send the market mode and no-store with every response", async () => {
    const { headers } = await caller.post("/api/a2a", {
      jsonrpc: "2.0",
      id: 1,
      method: "ListTasks",
      params: {},
    });
    expect(headers.get("market-data")).toBe("sample");
    expect(headers.get("cache-control")).toBe("no-store");
  });

  it("return the allowed method for other verbs", async () => {
    const { status, headers } = await caller.get("/api/a2a");
    expect([status, headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
  });

  it("send a file as a separate part, without its bytes in the data", async () => {
    const { result } = await caller.ask({ data: { skill: "show_pixel" } });
    expect(result.task.artifacts[0].parts.slice(1)).toEqual([
      {
        data: { ok: true, media: { mime: "image/png", alt: "a pixel" } },
        mediaType: "application/json",
        metadata: {},
      },
      { raw: "iVBORw0KGgo=", mediaType: "image/png", filename: "show-pixel.png", metadata: {} },
    ]);
  });

  it("send only accepted media types", async () => {
    const { result } = await caller.rpc("SendMessage", {
      ...sending({ data: { skill: "show_pixel" } }),
      configuration: { acceptedOutputModes: ["image/*"] },
    });
    expect(result.task.artifacts[0].parts.map(({ mediaType }: any) => mediaType)).toEqual(["image/png"]);
  });
});

describe("tasks", () => {
  it("end as failed or rejected with code, message and next step", async () => {
    const { result } = await caller.ask({ data: { skill: "get_quote", input: { symbol: "ZZZZQ" } } });
    const { state, message } = result.task.status;
    expect(state).toBe("TASK_STATE_REJECTED");
    expect(message.parts[0].text).toMatch(/^UNKNOWN_SYMBOL: .*\nNext: /s);
    expect(message.parts[1].data).toMatchObject({ ok: false, code: "UNKNOWN_SYMBOL", retryable: false });
    const refused = await caller.ask({
      data: { skill: "get_quote", input: { symbol: "AAPL", min_depth: 1 } },
    });
    expect(refused.result.task.status.state).toBe("TASK_STATE_REJECTED");
    expect(refused.result.task.status.message.parts[1].data).toMatchObject({ code: "INVALID_INPUT" });
  });

  it("reveal no details of a crash", async () => {
    const { result } = await caller.ask({ data: { skill: "get_failure", input: { code: "crash" } } });
    expect(JSON.stringify(result)).not.toContain("secret detail");
    expect(result.task.status.message.parts[1].data.code).toBe("INTERNAL");
  });

  it("belong to their account: other accounts cannot find, list, cancel or follow them", async () => {
    const { result } = await caller.ask({ data: { skill: "get_health" } });
    const { id } = result.task;
    expect((await caller.rpc("GetTask", { id })).result.id).toBe(id);
    const listed = await caller.rpc("ListTasks", { pageSize: 100 });
    expect(listed.result.tasks.map((task: any) => task.id)).toContain(id);
    for (const method of ["GetTask", "CancelTask", "SubscribeToTask"])
      expect((await other.rpc(method, { id })).error).toMatchObject({
        code: -32001,
        message: "Task not found. ListTasks lists your tasks.",
      });
    expect((await other.rpc("ListTasks", {})).result.tasks).toEqual([]);
    for (const path of [`/tasks/${id}`, `/tasks/${id}:subscribe`])
      expect((await other.get(`/api/a2a/rest${path}`)).status).toBe(404);
  });

  it("continue after a disconnect, and are stored", async () => {
    const gone = new AbortController();
    const response = await fetch(`${installation.url}/api/a2a`, {
      method: "POST",
      signal: gone.signal,
      headers: {
        authorization: `Bearer ${caller.key}`,
        "content-type": "application/json",
        "a2a-version": "1.0",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "SendStreamingMessage",
        params: sending({ data: { skill: "wait_long", input: { steps: 20 } } }),
      }),
    });
    const { value } = await response.body!.getReader().read();
    const [first] = eventsIn(new TextDecoder().decode(value));
    gone.abort();
    const state = async () => (await caller.rpc("GetTask", { id: first.result.task.id })).result.status.state;
    expect(await state()).toBe("TASK_STATE_WORKING");
    await until(async () => (await state()) === "TASK_STATE_COMPLETED");
  });

  it("can be followed by a second stream", async () => {
    const started = await caller.rpc("SendMessage", {
      ...sending({ data: { skill: "wait_long", input: { steps: 15 } } }),
      configuration: { returnImmediately: true },
    });
    const { id } = started.result.task;
    const request = { jsonrpc: "2.0", id: 2, method: "SubscribeToTask", params: { id } };
    const events = eventsIn((await caller.post("/api/a2a", request)).text);
    expect(events[0].result.task.id).toBe(id);
    expect(events.at(-1).result.statusUpdate.status.state).toBe("TASK_STATE_COMPLETED");
  });

  it("cannot be cancelled after they have ended", async () => {
    const { result } = await caller.ask({ data: { skill: "get_health" } });
    expect((await caller.rpc("CancelTask", { id: result.task.id })).error).toMatchObject({
      code: -32002,
      message: "The task has already ended. GetTask returns its result.",
    });
    expect((await caller.post(`/api/a2a/rest/tasks/${result.task.id}:cancel`, {})).status).toBe(400);
  });

  it("are limited to fifty at a time per account", async () => {
    const crowd = await speaker(installation, "enterprise");
    const request = { ...sending(WAIT), configuration: { returnImmediately: true } };
    const begin = () => crowd.rpc("SendMessage", request);
    const begun = await Promise.all(Array.from({ length: 50 }, begin));
    // a server knows the tasks of another one that have run for a second
    if (REPLICAS > 1) await sleep(1_500);
    const { error } = await begin();
    expect(error).toMatchObject({ code: -32004, message: /This account has 50 running tasks/ });
    expect((await caller.ask({ data: { skill: "get_health" } })).result.task.status.state).toBe(
      "TASK_STATE_COMPLETED",
    );
    await Promise.all(begun.map(({ result }) => crowd.rpc("CancelTask", { id: result.task.id })));
    expect((await begin()).result.task.status.state).toBe("TASK_STATE_WORKING");
  });
});

describe("a shutdown", () => {
  it("cancels and stores running tasks, and rejects new ones", async () => {
    const closing = await install(tempDir(), "sample", {}, { tools: A2A_TOOLS });
    const caller = await speaker(closing);
    const request = { ...sending(WAIT), configuration: { returnImmediately: true } };
    const started = await caller.rpc("SendMessage", request);
    await closing.site.drain();
    expect((await caller.post("/api/a2a", {})).json).toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
    const row = await closing.app.store.db
      .selectFrom("a2a_tasks")
      .select("status_state")
      .where("id", "=", started.result.task.id)
      .executeTakeFirstOrThrow();
    expect(row.status_state).toBe("TASK_STATE_CANCELED");
    await closing.stop();
  });
});
