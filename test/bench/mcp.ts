import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compile } from "../support/compiled.ts";
import {
  type Address,
  addressOf,
  type Child,
  lineOf,
  spawnChild,
  stop,
  withStartOptions,
} from "./servers/child.ts";
import { type RepeatedRequest, requestsPerSecond } from "./servers/load.ts";
import { compare, type Measure } from "./table/rounds.ts";
import { atLeast, type Row, withoutTarget } from "./table/row.ts";

const CALL = { name: "get_quote", arguments: { symbol: "AAPL" } };
const PROGRAM = "test/bench/servers/program.ts";
const BARE = "test/bench/servers/bare-mcp.ts";
const BARE_V1 = "test/bench/servers/bare-mcp-v1.ts";
const FASTMCP = "test/bench/servers/bare-fastmcp.ts";

/** Prints how many calls per second the program answers, compared with the bare SDK. */
export async function run(): Promise<void> {
  for (const { name, value, target } of await rows())
    console.log(`${name}: ${value}${target === "" ? "" : `, target ${target}`}`);
}

/**
 * Measures calls of one cached quote per second through the entire program, compared with servers of the MCP SDK, of
 * its version 1 and, where it is installed, of fastmcp. These have one tool, which returns the same result. Calls go over
 * HTTP in two revisions, and over stdio one at a time. Each server is compiled as shipped, runs in a separate process and
 * is measured in turn.
 */
export async function rows(): Promise<readonly Row[]> {
  const built = await compile({ scripts: [PROGRAM, BARE, BARE_V1, FASTMCP] });
  const dir = mkdtempSync(join(tmpdir(), "market-signal-bench-"));
  const children: ChildProcess[] = [];
  const start = async (file: string, ...args: string[]) => {
    const command = built.script(file);
    const isServer = file === PROGRAM && args[0] !== "stdio";
    const child = await spawnChild([...(isServer ? withStartOptions(command) : command), ...args]);
    children.push(child.process);
    return child;
  };
  try {
    const program = addressOf(await lineOf(await start(PROGRAM)));
    const modern = modernRequest(program);
    const { content, structuredContent } = (await responseTo(modern)).result;
    const file = join(dir, "result.json");
    writeFileSync(file, JSON.stringify({ content, structuredContent }));
    const bare = addressOf(await lineOf(await start(BARE, "http", file)));
    const bareV1 = addressOf(await lineOf(await start(BARE_V1, "http", file)));
    const fastmcp = await lineOf(await start(FASTMCP, file)).then(addressOf, () => null);
    const [modernOfBare] = await compare(overHttp(modern), [overHttp(modernRequest(bare))]);
    const legacyPeers = fastmcp === null ? [bare, bareV1] : [bare, bareV1, fastmcp];
    const [legacyOfBare, legacyOfV1, legacyOfFastmcp] = await compare(
      overHttp(legacyRequest(program)),
      legacyPeers.map((address) => overHttp(legacyRequest(address))),
    );
    const pipes = [
      await start(PROGRAM, "stdio"),
      await start(BARE, "stdio", file),
      await start(BARE_V1, "stdio", file),
    ] as const;
    for (const pipe of pipes) await initialize(pipe);
    const [ownPipe, ...peerPipes] = pipes;
    const [stdioOfBare, stdioOfV1] = await compare(overStdio(ownPipe), peerPipes.map(overStdio));
    const httpModern = "MCP over HTTP, 2026-07-28";
    const httpLegacy = "MCP over HTTP, 2025-06-18";
    const overPipes = "MCP over stdio, one call at a time";
    return [
      atLeast(`${httpModern}, relative to the bare SDK`, modernOfBare!.ratio, 4, modernOfBare!.text),
      atLeast(`${httpLegacy}, relative to the bare SDK`, legacyOfBare!.ratio, 3, legacyOfBare!.text),
      withoutTarget(`${httpLegacy}, relative to version 1 of the bare SDK`, legacyOfV1!.text),
      withoutTarget(
        `${httpLegacy}, relative to fastmcp`,
        legacyOfFastmcp?.text ?? "fastmcp is not installed",
      ),
      atLeast(`${overPipes}, relative to the bare SDK`, stdioOfBare!.ratio, 0.9, stdioOfBare!.text),
      withoutTarget(`${overPipes}, relative to version 1 of the bare SDK`, stdioOfV1!.text),
    ];
  } finally {
    for (const child of children) await stop(child);
    rmSync(dir, { recursive: true });
    built.remove();
  }
}

const overHttp =
  (request: RepeatedRequest): Measure =>
  (ms) =>
    requestsPerSecond(request, ms);

/** Sends calls one after another. */
const overStdio =
  (child: Child): Measure =>
  async (ms) => {
    const started = performance.now();
    let calls = 0;
    for (; performance.now() - started < ms; calls++) {
      const { result } = await child.request("tools/call", CALL);
      if (result?.structuredContent === undefined) throw new Error(JSON.stringify(result));
    }
    return (calls / (performance.now() - started)) * 1_000;
  };

async function initialize(child: Child): Promise<void> {
  const clientInfo = { name: "bench", version: "1.0.0" };
  await child.request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  child.process.stdin!.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
}

const requestOf = (
  { url, key, path = "/api/mcp" }: Address,
  headers: Record<string, string>,
  params: object,
): RepeatedRequest => ({
  url: url + path,
  headers: {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...headers,
  },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
});

const legacyRequest = (address: Address): RepeatedRequest =>
  requestOf(address, { "mcp-protocol-version": "2025-06-18" }, CALL);

function modernRequest(address: Address): RepeatedRequest {
  const revision = "2026-07-28";
  const headers = { "mcp-protocol-version": revision, "mcp-method": "tools/call", "mcp-name": CALL.name };
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": revision,
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return requestOf(address, headers, { ...CALL, _meta });
}

async function responseTo({ url, headers, body }: RepeatedRequest): Promise<any> {
  const response = await fetch(url, { method: "POST", headers, body });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return await response.json();
}
