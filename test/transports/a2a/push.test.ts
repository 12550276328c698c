import type { TaskPushNotificationConfig } from "@a2a-js/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { catalogue } from "../../../src/app/catalogue.ts";
import { signingSecretOf } from "../../../src/transports/a2a/push.ts";
import {
  A2A_BINDINGS,
  type A2aBinding,
  a2aClient,
  callSkill,
  messageOf,
  TaskState,
} from "../../support/a2a-clients.ts";
import { install, useInstallation } from "../../support/installation.ts";
import { type ReceivedRequest, receiver, status } from "../../support/receiver.ts";
import { suiteDir } from "../../support/temp-dir.ts";
import { isSigned } from "../../support/webhook.ts";
import { type Speaker, sending, speaker, waitLong } from "./fixture.ts";

const installation = useInstallation(
  "sample",
  { WEBHOOK_ALLOW: "127.0.0.1" },
  { tools: { ...catalogue, waitLong } },
);
let hook: Awaited<ReturnType<typeof receiver>>;
let caller: Speaker;
/** Responds by path: `/busy` fails once, `/gone` always. */
const failed = new Set<string>();
beforeAll(async () => {
  hook = await receiver((response, got) => {
    const first = !failed.has(got.path);
    failed.add(got.path);
    const code = got.path.startsWith("/gone") ? 404 : got.path.startsWith("/busy") && first ? 503 : 204;
    status(code)(response, got, 0);
  });
  caller = await speaker(installation);
});
afterAll(() => hook.close());

const urlOf = (path: string) => `http://127.0.0.1:${hook.port}${path}`;
const gotAt = (path: string) => hook.got.filter((got) => got.path === path);
const wanted = (url: string, more: Partial<TaskPushNotificationConfig> = {}): TaskPushNotificationConfig => ({
  tenant: "",
  id: "",
  taskId: "",
  url,
  token: "",
  authentication: undefined,
  ...more,
});
const QUOTE = { data: { skill: "get_quote", input: { symbol: "AAPL" } } };
const slow = { data: { skill: "wait_long", input: { steps: 20 } } };

async function started(way: A2aBinding, config?: TaskPushNotificationConfig) {
  const client = await a2aClient(installation.url, caller.key, way);
  const request = messageOf(slow);
  const task = await client.sendMessage({
    ...request,
    configuration: {
      acceptedOutputModes: [],
      historyLength: undefined,
      returnImmediately: true,
      taskPushNotificationConfig: config,
    },
  });
  if (!("status" in task)) throw new Error("no task");
  return { client, task };
}
const isSignedBy = (request: ReceivedRequest, token: string) => isSigned(request, signingSecretOf(token));

describe.each(A2A_BINDINGS)("over %s, notifications", (way) => {
  const word = way.replaceAll(/\W/g, "");

  it("are saved, shown, listed and deleted by the official client", async () => {
    const client = await a2aClient(installation.url, caller.key, way);
    const { id: taskId } = await callSkill(client, "get_quote", { symbol: "AAPL" });
    const authentication = { scheme: "Bearer", credentials: "canary-of-receiver" };
    const config = wanted(urlOf("/unused"), { id: "mine", taskId, token: "canary-token", authentication });
    const made = await client.createTaskPushNotificationConfig(config);
    expect(made).toMatchObject({ id: "mine", taskId, url: urlOf("/unused"), token: "canary-token" });
    expect(made.authentication?.credentials ?? "").toBe("");
    const ref = { tenant: "", taskId, id: "mine" };
    expect(await client.getTaskPushNotificationConfig(ref)).toEqual(made);
    const all = await client.listTaskPushNotificationConfig({
      tenant: "",
      taskId,
      pageSize: 0,
      pageToken: "",
    });
    expect(all.configs).toEqual([made]);
    await client.deleteTaskPushNotificationConfig(ref);
    await expect(client.getTaskPushNotificationConfig(ref)).rejects.toThrow(
      "Push notification config not found",
    );
  });

  it("contain the artifact and the final state, signed, with the token and the credentials", async () => {
    const path = `/told${word}`;
    const authentication = { scheme: "Bearer", credentials: "of-the-receiver" };
    const { task } = await started(way, wanted(urlOf(path), { token: "my-token", authentication }));
    await expect.poll(() => gotAt(path).length, { timeout: 5_000 }).toBe(2);
    const [artifact, end] = gotAt(path) as [ReceivedRequest, ReceivedRequest];
    for (const got of [artifact, end]) {
      expect(got.headers).toMatchObject({
        "x-a2a-notification-token": "my-token",
        authorization: "Bearer of-the-receiver",
        "webhook-id": expect.stringMatching(/^pn_[0-9a-f]{20}$/),
      });
      expect([isSignedBy(got, "my-token"), isSignedBy(got, "another")]).toEqual([true, false]);
    }
    expect(artifact.headers["webhook-id"]).not.toBe(end.headers["webhook-id"]);
    const [first, last] = [JSON.parse(artifact.body), JSON.parse(end.body)];
    if (way === "A2A 0.3 JSON-RPC") {
      expect(last).toMatchObject({ kind: "task", id: task.id, status: { state: "completed" } });
      expect(last.artifacts).toHaveLength(1);
    } else {
      expect(first.artifactUpdate).toMatchObject({ taskId: task.id, artifact: { name: "wait_long" } });
      expect(last.statusUpdate).toMatchObject({
        taskId: task.id,
        status: { state: "TASK_STATE_COMPLETED" },
      });
    }
  });
});

describe("a notification", () => {
  it("is sent for each question of a task, and for its end", async () => {
    const message = sending({ data: { skill: "get_quote", input: { symbol: "APPL" } } });
    const configuration = { taskPushNotificationConfig: { url: urlOf("/asked") } };
    const { result } = await caller.rpc("SendMessage", { ...message, configuration });
    const { id } = result.task;
    const states = () =>
      gotAt("/asked").map(({ body }) => {
        const { statusUpdate, artifactUpdate } = JSON.parse(body);
        return statusUpdate?.status.state ?? artifactUpdate.artifact.name;
      });
    await expect.poll(states).toEqual(["TASK_STATE_INPUT_REQUIRED"]);
    const reply = (text: string) =>
      caller.rpc("SendMessage", { message: { ...sending({ text }).message, taskId: id } });
    await reply("ZZZZQ");
    await expect.poll(states).toHaveLength(2);
    await reply("AAPL");
    await expect
      .poll(states)
      .toEqual([
        "TASK_STATE_INPUT_REQUIRED",
        "TASK_STATE_INPUT_REQUIRED",
        "get_quote",
        "TASK_STATE_COMPLETED",
      ]);
  });

  it("is retried with the same id, but not after a permanent rejection", async () => {
    const [busy, gone] = await Promise.all([
      started("A2A 1.0 JSON-RPC", wanted(urlOf("/busy"))),
      started("A2A 1.0 JSON-RPC", wanted(urlOf("/gone"))),
    ]);
    expect([busy.task.id, gone.task.id].every(Boolean)).toBe(true);
    await expect.poll(() => gotAt("/busy").length, { timeout: 8_000 }).toBe(3);
    const [first, again, end] = gotAt("/busy").map(({ headers }) => headers["webhook-id"]);
    expect([again, end === first]).toEqual([first, false]);
    expect(gotAt("/gone")).toHaveLength(2);
  });

  it("that a process left when it ended is sent by the next one, from the stored task", async () => {
    const { task } = await started("A2A 1.0 JSON-RPC", wanted(urlOf("/left"), { id: "x" }));
    await expect.poll(() => gotAt("/left").length, { timeout: 5_000 }).toBe(2);
    const { db } = installation.app.store;
    const waiting = () => db.selectFrom("a2a_pushes").selectAll().where("task", "=", task.id).execute();
    await expect.poll(waiting).toEqual([]);
    const sent = gotAt("/left").map(({ headers, body }) => ({ id: headers["webhook-id"], body }));
    const events = [`artifact ${JSON.parse(sent[0]!.body).artifactUpdate.artifact.artifactId}`];
    events.push(`state ${TaskState.TASK_STATE_COMPLETED}`, "question of a state that it no longer has");
    const { market } = await db.selectFrom("a2a_push").select("market").executeTakeFirstOrThrow();
    const row = {
      account: caller.account,
      market,
      task: task.id,
      config: "x",
      attempts: 1,
      next_at: 0,
    };
    await db
      .insertInto("a2a_pushes")
      .values(events.map((event, n) => ({ ...row, id: `${sent[n]?.id}`, event, created_at: `${n}` })))
      .execute();
    const next = await install(installation.dir, "sample", { WEBHOOK_ALLOW: "127.0.0.1" });
    await expect.poll(waiting).toEqual([]);
    await next.stop();
    const again = gotAt("/left").slice(2);
    expect(again.map(({ headers }) => headers["webhook-id"])).toEqual(sent.map(({ id }) => id));
    expect(again.map(({ body }) => JSON.parse(body))).toEqual(sent.map(({ body }) => JSON.parse(body)));
  });

  it("counts as a call even if its message is rejected", async () => {
    const who = await speaker(installation);
    const left = async () => {
      const { headers } = await who.get("/api/v1/watchlists");
      return Number(/"burst";r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1]);
    };
    const ask = (url: string) =>
      who.rpc("SendMessage", {
        ...sending(QUOTE),
        configuration: { taskPushNotificationConfig: { url } },
      });
    const before = await left();
    for (let i = 0; i < 3; i++) expect((await ask("https://10.0.0.1/")).error).toBeDefined();
    expect(before - (await left())).toBe(4);
    for (let i = before - 4; i > 0; i--) await ask("https://10.0.0.1/");
    expect((await ask("https://10.0.0.1/")).error.message).toMatch(/Retry in \d+ s/);
  });

  it("of a cancelled task is sent once", async () => {
    const { client, task } = await started("A2A 1.0 JSON-RPC", wanted(urlOf("/cancelled")));
    await client.cancelTask({ id: task.id, tenant: "", metadata: {} });
    await expect.poll(() => gotAt("/cancelled").length).toBe(1);
    await new Promise((done) => setTimeout(done, 50));
    expect(gotAt("/cancelled").map(({ body }) => JSON.parse(body).statusUpdate.status.state)).toEqual([
      "TASK_STATE_CANCELED",
    ]);
  });

  it("without a token is signed with a generated one", async () => {
    const { task } = await started("A2A 1.0 JSON-RPC", wanted(urlOf("/own"), { id: "x" }));
    const { result } = await caller.rpc("GetTaskPushNotificationConfig", { taskId: task.id, id: "x" });
    expect(result.token).toMatch(/^whsec_/);
    await expect.poll(() => gotAt("/own").length, { timeout: 5_000 }).toBe(2);
    expect(gotAt("/own").every((got) => isSignedBy(got, result.token))).toBe(true);
  });

  it("of another account's task is not found", async () => {
    const other = await speaker(installation);
    const { task } = await started("A2A 1.0 JSON-RPC", wanted(urlOf("/private"), { id: "x" }));
    const ref = { taskId: task.id, id: "x" };
    for (const [method, params] of [
      ["CreateTaskPushNotificationConfig", { ...ref, url: urlOf("/stolen") }],
      ["GetTaskPushNotificationConfig", ref],
      ["ListTaskPushNotificationConfigs", { taskId: task.id }],
      ["DeleteTaskPushNotificationConfig", ref],
    ] as const)
      expect((await other.rpc(method, params)).error).toMatchObject({
        code: -32001,
        message: "Task not found. ListTasks lists your tasks.",
      });
    expect((await caller.rpc("GetTaskPushNotificationConfig", ref)).result.id).toBe("x");
    await expect.poll(() => gotAt("/private").length, { timeout: 5_000 }).toBe(2);
    expect(gotAt("/stolen")).toEqual([]);
  });

  it("is rejected for private addresses, invalid fields and read-only keys", async () => {
    const { result } = await caller.ask(QUOTE);
    const taskId = result.task.id;
    const create = (more: object, by = caller) =>
      by.rpc("CreateTaskPushNotificationConfig", { taskId, ...more }).then(({ error }) => error);
    expect(await create({ url: "http://169.254.169.254/latest/meta-data" })).toMatchObject({
      code: -32602,
      message:
        /^The address has an IP address, which may be private, instead of a host name\. .* WEBHOOK_ALLOW\.$/,
    });
    expect(await create({})).toMatchObject({ message: "The push notification config has no url." });
    const fields = { token: "a\r\nx: y", authentication: { scheme: "a\nb", credentials: "c" } };
    for (const [field, name] of [
      ["token", "token"],
      ["authentication", "scheme"],
    ] as const)
      expect((await create({ url: urlOf("/x"), [field]: fields[field] })).message).toBe(
        `The ${name} of the push notification config must be plain text of at most 1024 characters.`,
      );
    const reader = await speaker(installation, "pro", ["read"]);
    const own = await reader.ask(QUOTE);
    expect(await create({ taskId: own.result.task.id, url: urlOf("/x") }, reader)).toMatchObject({
      code: -32004,
    });
    for (let i = 0; i < 5; i++) expect(await create({ url: urlOf("/x"), id: `n${i}` })).toBeUndefined();
    expect(await create({ url: urlOf("/x"), id: "n5" })).toMatchObject({
      message:
        "A task may have at most 5 push notification configs. Delete one, or reuse its id to replace it.",
    });
    expect(await create({ url: urlOf("/y"), id: "n4" })).toBeUndefined();
  });

  it("is managed by separate routes over HTTP+JSON", async () => {
    const { result } = await caller.ask(QUOTE);
    const path = `/api/a2a/rest/tasks/${result.task.id}/pushNotificationConfigs`;
    const made = await caller.post(path, { id: "a", url: urlOf("/x") });
    expect([made.status, made.json.id, made.json.taskId]).toEqual([201, "a", result.task.id]);
    expect((await caller.get(path)).json.configs).toEqual([made.json]);
    expect((await caller.get(`${path}/a`)).json).toEqual(made.json);
    expect((await caller.send(`${path}/a`, { method: "DELETE" })).status).toBe(204);
    expect((await caller.get(path)).json).toEqual({ configs: [] });
    expect((await caller.get(`${path}/a`)).status).toBe(404);
    expect((await caller.post(path, "[]")).status).toBe(400);
    expect((await caller.send(path, { method: "DELETE" })).headers.get("allow")).toContain("GET");
  });

  it("is not supported when WEBHOOKS is off", async () => {
    const dir = suiteDir();
    const off = await install(dir.dir, "sample", { WEBHOOKS: "off" });
    try {
      const alone = await speaker(off);
      const refused = { code: -32003, message: /Push notifications are disabled/ };
      const params = {
        ...sending(QUOTE),
        configuration: { taskPushNotificationConfig: { url: urlOf("/") } },
      };
      expect((await alone.rpc("SendMessage", params)).error).toMatchObject(refused);
      const listed = await alone.rpc("ListTaskPushNotificationConfigs", { taskId: "x" });
      expect(listed.error).toMatchObject(refused);
      const card = await fetch(`${off.url}/.well-known/agent-card.json`);
      expect(await card.json()).toMatchObject({ capabilities: { pushNotifications: false } });
    } finally {
      await off.stop();
      dir.remove();
    }
  });
});
