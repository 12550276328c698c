import { once } from "node:events";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { MAX_MESSAGE_BYTES } from "../../../src/access/message-size.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { createRegistry } from "../../../src/kernel/registry.ts";
import { defineTool } from "../../../src/kernel/tool.ts";
import { connectLocal } from "../../../src/transports/local/client.ts";
import { serveLocal } from "../../../src/transports/local/server.ts";
import { countingMeters, pro, testPorts } from "../../support/context.ts";
import { getEcho } from "../../support/http-tools.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { TEST_TOOL } from "../../support/test-tool.ts";

const HELLO = { version: "1.0.0", url: "http://127.0.0.1:1", market: "sample", settings: {} } as const;
const QUIET = { signal: new AbortController().signal, progress: () => {} };

function deferred<T>() {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((given) => {
    resolve = given;
  });
  return { promise, resolve };
}

/** Reports its progress, and ends when its call is cancelled. */
function longTool() {
  const started = deferred<void>();
  const cancelled = deferred<void>();
  const tool = defineTool({
    ...TEST_TOOL,
    name: "run_long",
    title: "Long",
    route: "POST /api/v1/long",
    output: z.object({ ok: z.boolean().describe("true") }),
    handler: async (_, { signal, progress }) => {
      progress({ done: 1, total: 2, message: "half" });
      started.resolve();
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      cancelled.resolve();
      return { ok: true };
    },
  });
  return { tool, started: started.promise, cancelled: cancelled.promise };
}

const failing = defineTool({
  ...TEST_TOOL,
  name: "run_failing",
  title: "Failing",
  route: "POST /api/v1/failing",
  output: z.object({ ok: z.boolean().describe("true") }),
  handler: () => {
    throw new ToolError("NOT_ENOUGH_DATA", "Too few bars", { hint: "Ask for less.", data: { bars: 3 } });
  },
});

/** A server at a socket in a new folder, with these tools. */
async function serveTools({ tools = [getEcho], burst = 60, path = join(tempDir(), "server.sock") } = {}) {
  const { meters, debits } = countingMeters({ burst });
  const ports = { ...testPorts(), meters };
  const registry = createRegistry(Object.fromEntries(tools.map((tool) => [tool.name, tool])), ports);
  const listener = await serveLocal({ path, hello: HELLO, registry, ports, principal: pro });
  onTestFinished(() => listener.close());
  return { path, debits, ...listener };
}

async function connected(path: string) {
  const server = await connectLocal(path);
  if (typeof server === "string") throw new Error(`the server is ${server}`);
  return server;
}

describe("serveLocal", () => {
  it("opens a socket for its owner alone, says what it is, and runs a tool as the owner", async () => {
    const { path, debits, close } = await serveTools();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const { hello, call } = await connected(path);
    expect(hello).toEqual(HELLO);
    expect(await call({ tool: "get_echo", input: { symbol: "AAPL", limit: 5 } }, QUIET)).toEqual({
      ok: true,
      got: { symbol: "AAPL", limit: 5, detail: "full" },
    });
    expect(debits).toEqual({ burst: 1, day: 1 });
    await close();
    expect(existsSync(path)).toBe(false);
  });

  it("returns the error of a tool with its hint and data", async () => {
    const { path } = await serveTools({ tools: [failing as never] });
    const { call } = await connected(path);
    await expect(call({ tool: "run_failing", input: {} }, QUIET)).rejects.toMatchObject({
      name: "ToolError",
      code: "NOT_ENOUGH_DATA",
      message: "Too few bars",
      hint: "Ask for less.",
      data: { bars: 3 },
    });
  });

  it("admits a call before it reads it, like every other message", async () => {
    const { path, debits } = await serveTools({ burst: 1 });
    const refusalOf = async (tool: string) => {
      const { call } = await connected(path);
      return call({ tool, input: {} }, QUIET).catch(({ code }: ToolError) => code);
    };
    expect(await refusalOf("get_nothing")).toBe("NOT_FOUND");
    expect(await refusalOf("get_nothing")).toBe("RATE_LIMITED");
    expect(debits).toEqual({ burst: 1, day: 0 });
  });

  it("passes progress on, and cancels a call whose command ends", async () => {
    const { tool, started, cancelled } = longTool();
    const { path } = await serveTools({ tools: [tool as never] });
    const { call } = await connected(path);
    const interrupt = new AbortController();
    const steps = deferred<object>();
    const answer = call(
      { tool: "run_long", input: {} },
      { signal: interrupt.signal, progress: steps.resolve },
    );
    const refused = expect(answer).rejects.toMatchObject({ code: "CANCELLED" });
    expect(await steps.promise).toEqual({ done: 1, total: 2, message: "half" });
    await started;
    interrupt.abort();
    await refused;
    await cancelled;
  });

  it.each([
    ["text", "not JSON", "INVALID_INPUT"],
    ["a number as tool", '{"tool":1}', "INVALID_INPUT"],
    ["deep lists", `{"tool":"get_echo","input":${"[".repeat(200)}${"]".repeat(200)}}`, "BODY_TOO_LARGE"],
    ["a long line", `"${"x".repeat(MAX_MESSAGE_BYTES)}"`, "BODY_TOO_LARGE"],
  ])("refuses a call that is no call: %s", async (_, line, code) => {
    const { path } = await serveTools();
    const socket = connect(path);
    let text = "";
    socket.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    socket.write(`${line}\n`);
    await once(socket, "close");
    expect(JSON.parse(text.trim().split("\n").at(-1)!)).toMatchObject({ kind: "error", error: { code } });
  });

  it("leaves the socket of a running server, and names that server", async () => {
    const first = await serveTools();
    const second = await serveTools({ path: first.path });
    expect([first.otherServer, second.otherServer]).toEqual([null, HELLO.url]);
    await second.close();
    expect((await connected(first.path)).hello).toEqual(HELLO);
  });

  it("replaces what a killed server left", async () => {
    const path = join(tempDir(), "server.sock");
    writeFileSync(path, "");
    expect(await connectLocal(path)).toBe("stale");
    await serveTools({ path });
    expect((await connected(path)).hello).toEqual(HELLO);
  });
});

describe("connectLocal", () => {
  it("finds no server without a socket", async () => {
    expect(await connectLocal(join(tempDir(), "server.sock"))).toBe("absent");
  });

  it("does not wait for a server that does not answer", async () => {
    const path = join(tempDir(), "server.sock");
    const unresponsive = createServer().listen(path);
    await once(unresponsive, "listening");
    onTestFinished(() => void unresponsive.close());
    expect(await connectLocal(path)).toBe("unresponsive");
  });

  it("reports a server that ends during a call", async () => {
    const path = join(tempDir(), "server.sock");
    const ending = createServer((socket) => {
      socket.write(`${JSON.stringify({ kind: "hello", hello: HELLO })}\n`);
      socket.once("data", () => socket.destroy());
    }).listen(path);
    await once(ending, "listening");
    onTestFinished(() => void ending.close());
    const { call } = await connected(path);
    await expect(call({ tool: "get_echo", input: {} }, QUIET)).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
      message: "The server of this data folder ended before it answered",
    });
  });
});
