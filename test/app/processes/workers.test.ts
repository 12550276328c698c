import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Compiled, compile, serveOn } from "../../support/compiled.ts";
import { createDatabase, POSTGRES_URL } from "../../support/postgres.ts";
import { launch } from "../../support/program.ts";
import { suiteDir } from "../../support/temp-dir.ts";

const SLOW_TOOL = "test/proofs/slow-tool.ts";
const { dir, remove } = suiteDir();
let built: Compiled;
let server: Awaited<ReturnType<typeof serveOn>>;
let key = "";
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  built = await compile({ tool: { file: SLOW_TOOL, name: "waitSlowly" } });
  env = {
    DATA_DIR: join(dir, "data"),
    HOME: dir,
    ...(POSTGRES_URL !== null && { DATABASE_URL: await createDatabase(POSTGRES_URL) }),
  };
  server = await serveOn(built.product, env, ["--processes", "2"]);
  key = readFileSync(join(dir, "data/first-key.txt"), "utf8").trim();
});
afterAll(async () => {
  server.child.kill("SIGKILL");
  await server.ended;
  built.remove();
  remove();
});

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Sends a request on a connection of its own; new connections go to the processes in turn. */
async function ask(path: string, init: RequestInit = {}): Promise<Answer> {
  const headers = { authorization: `Bearer ${key}`, connection: "close", ...init.headers };
  const response = await fetch(new URL(path, server.url), { ...init, headers });
  return { status: response.status, body: await response.text() };
}

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  ask(path, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json", ...headers },
    body: JSON.stringify(body),
  });

/** Process ids of the workers. */
const workers = (): readonly string[] =>
  readFileSync(`/proc/${server.child.pid}/task/${server.child.pid}/children`, "utf8").trim().split(" ");

/** Returns the start times that the processes report; each worker has its own. */
async function startTimes(): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (let i = 0; i < 4; i++) {
    const { body } = await ask("/status");
    found.add(JSON.parse(body).started_at);
  }
  return found;
}

it("shares the port among processes", async () => {
  await expect.poll(async () => (await startTimes()).size).toBe(2);
  expect(workers()).toHaveLength(2);
});

/** Sends requests, forty at once, and counts their statuses. */
async function statusesOf(count: number, send: () => Promise<Answer>): Promise<Record<number, number>> {
  const counted: Record<number, number> = {};
  let left = count;
  const sendRemaining = async () => {
    while (left-- > 0) {
      const { status } = await send();
      counted[status] = (counted[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 40 }, sendRemaining));
  return counted;
}

async function createKey(plan: string): Promise<string> {
  const options = ["keys", "create", "--account", plan, "--plan", plan, "--json"];
  const { seen, ended } = launch([...built.product, ...options], env);
  await ended;
  return JSON.parse(seen.out).key;
}

it.each([
  ["member", 10, 30],
  ["pro", 300, 360],
])("counts the calls of a %s key over all processes", async (plan, quota, sent) => {
  const headers = { authorization: `Bearer ${await createKey(plan)}` };
  const counted = await statusesOf(sent, () => ask("/api/v1/quote/AAPL", { headers }));
  expect(counted).toEqual({ 200: quota, 429: sent - quota });
});

it("delivers messages to an event stream of another process", async () => {
  const stream = await fetch(new URL("/api/mcp/sse", server.url), {
    headers: { authorization: `Bearer ${key}` },
  });
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
  let received = "";
  const until = async (pattern: RegExp) => {
    while (!pattern.test(received)) received += (await reader.read()).value ?? "";
  };
  await until(/event: endpoint\ndata: .*\n/);
  const path = /data: (.*)\n/.exec(received)![1]!;
  for (let id = 1; id <= 4; id++)
    expect(await post(path, { jsonrpc: "2.0", id, method: "ping" })).toEqual({
      status: 202,
      body: "Accepted",
    });
  await until(/"id":4/);
  expect([...received.matchAll(/"id":(\d)/g)].map(([, id]) => Number(id)).sort()).toEqual([1, 2, 3, 4]);
  const other = { authorization: `Bearer ${await createKey("enterprise")}` };
  for (let i = 0; i < 2; i++)
    expect((await post(path, { jsonrpc: "2.0", id: 5, method: "ping" }, other)).status).toBe(404);
  await reader.cancel();
});

it("cancels a task of another process", async () => {
  const rpc = async (method: string, params: object) => {
    const body = { jsonrpc: "2.0", id: 1, method, params };
    return JSON.parse((await post("/api/a2a", body, { "a2a-version": "1.0" })).body).result;
  };
  for (let i = 0; i < 2; i++) {
    const { task } = await rpc("SendMessage", {
      message: {
        messageId: `00000000-0000-4000-8000-00000000000${i}`,
        role: "ROLE_USER",
        parts: [{ data: { skill: "wait_slowly", input: { ms: 30_000 } }, mediaType: "application/json" }],
      },
      configuration: { returnImmediately: true },
    });
    // the next connection is that of the other process
    expect((await rpc("CancelTask", { id: task.id })).status.state).toBe("TASK_STATE_CANCELED");
    expect((await rpc("GetTask", { id: task.id })).status.state).toBe("TASK_STATE_CANCELED");
    await ask("/livez");
  }
});

it("adds up the metrics of all processes", async () => {
  const counted = async () => {
    const { body } = await ask("/metrics");
    const line = /^market_signal_http_request_duration_seconds_count\{[^}]*route="\/livez"[^}]*\} (\d+)$/m;
    return Number(line.exec(body)?.[1] ?? 0);
  };
  const before = await counted();
  for (let i = 0; i < 4; i++) await ask("/livez");
  expect(await counted()).toBe(before + 4);
});

it("restarts a worker that has ended, also the one that runs the background work", async () => {
  for (const pid of workers()) {
    process.kill(Number(pid), "SIGKILL");
    await expect.poll(() => workers().includes(pid)).toBe(false);
    await expect.poll(async () => (await ask("/readyz").catch(() => null))?.status).toBe(200);
    await expect.poll(() => workers().length).toBe(2);
    await expect.poll(async () => (await startTimes().catch(() => new Set())).size).toBe(2);
  }
});

it("ends all processes with exit code 0 on SIGTERM", async () => {
  const pids = workers();
  server.child.kill("SIGTERM");
  expect(await server.ended).toBe(0);
  for (const pid of pids) expect(() => process.kill(Number(pid), 0)).toThrow("ESRCH");
});

it("ends with the exit code of a worker that cannot start", async () => {
  const { ended, seen } = launch([...built.product, "serve", "--processes", "2"], {
    ...env,
    HOST: "192.0.2.1",
  });
  expect(await ended).not.toBe(0);
  expect(seen.err).toContain("192.0.2.1");
});

it.each(["0", "65", "two", "1.5"])("rejects %s as a number of processes", async (given) => {
  const { ended, seen } = launch([...built.product, "serve", "--processes", given], {
    DATA_DIR: join(dir, "x"),
  });
  expect(await ended).toBe(2);
  expect(seen.err).toContain("Use a whole number from 1 to 64");
});
