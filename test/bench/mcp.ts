import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compile } from "../support/compiled.ts";
import { type Address, addressOf, asStarted, type Child, childOf, lineOf, stop } from "./servers/child.ts";
import { type RepeatedRequest, requestsPerSecond } from "./servers/load.ts";
import { compare, type Measure } from "./table/rounds.ts";
import { atLeast, only, type Row } from "./table/row.ts";

const CALL = { name: "get_quote", arguments: { symbol: "AAPL" } };
const WHOLE = "test/bench/servers/whole.ts";
const BARE = "test/bench/servers/bare-mcp.ts";
const BARE_V1 = "test/bench/servers/bare-mcp-v1.ts";
const FASTMCP = "test/bench/servers/bare-fastmcp.ts";

/** Prints how many calls the program answers, compared with the bare SDK. */
export async function run(): Promise<void> {
  for (const { measure, value, reach } of await rows())
    console.log(`${measure}: ${value}${reach === "" ? "" : `, to reach ${reach}`}`);
}

/**
 * Measures calls of one cached quote per second through the entire program, compared with servers of the MCP SDK, of
 * its version 1 and, where it is installed, of fastmcp. They have one tool and return the same result. Calls go over HTTP
 * in two revisions, and over stdio one after another. Compiled as shipped, each in a separate process, measured in turn.
 */
export async function rows(): Promise<readonly Row[]> {
  const built = compile(WHOLE, BARE, BARE_V1, FASTMCP);
  const dir = mkdtempSync(join(tmpdir(), "market-signal-bench-"));
  const children: ChildProcess[] = [];
  const start = async (file: string, ...args: string[]) => {
    const command = built.script(file);
    const isServer = file === WHOLE && args[0] !== "stdio";
    const child = await childOf([...(isServer ? asStarted(command) : command), ...args]);
    children.push(child.process);
    return child;
  };
  try {
    const whole = addressOf(await lineOf(await start(WHOLE)));
    const modern = modernRequest(whole);
    const { content, structuredContent } = (await responseTo(modern)).result;
    const file = join(dir, "result.json");
    writeFileSync(file, JSON.stringify({ content, structuredContent }));
    const bare = addressOf(await lineOf(await start(BARE, "http", file)));
    const bareV1 = addressOf(await lineOf(await start(BARE_V1, "http", file)));
    const fastmcp = await lineOf(await start(FASTMCP, file)).then(addressOf, () => null);
    const [modernOfBare] = await compare(overHttp(modern), [overHttp(modernRequest(bare))]);
    const legacyPeers = fastmcp === null ? [bare, bareV1] : [bare, bareV1, fastmcp];
    const [legacyOfBare, legacyOfV1, legacyOfFastmcp] = await compare(
      overHttp(legacyRequest(whole)),
      legacyPeers.map((address) => overHttp(legacyRequest(address))),
    );
    const pipes = [
      await start(WHOLE, "stdio"),
      await start(BARE, "stdio", file),
      await start(BARE_V1, "stdio", file),
    ] as const;
    for (const pipe of pipes) await initialize(pipe);
    const [ownPipe, ...peerPipes] = pipes;
    const [stdioOfBare, stdioOfV1] = await compare(overStdio(ownPipe), peerPipes.map(overStdio));
    const inModern = "MCP over HTTP, 2026-07-28";
    const inLegacy = "MCP over HTTP, 2025-06-18";
    const inPipes = "MCP over stdio, sequential";
    return [
      atLeast(`${inModern}, of the bare SDK`, modernOfBare!.ratio, 4, modernOfBare!.text),
      atLeast(`${inLegacy}, of the bare SDK`, legacyOfBare!.ratio, 3, legacyOfBare!.text),
      only(`${inLegacy}, of the bare SDK of version 1`, legacyOfV1!.text),
      only(`${inLegacy}, of fastmcp`, legacyOfFastmcp?.text ?? "fastmcp is not installed"),
      atLeast(`${inPipes}, of the bare SDK`, stdioOfBare!.ratio, 0.9, stdioOfBare!.text),
      only(`${inPipes}, of the bare SDK of version 1`, stdioOfV1!.text),
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

/** Calls one after another for some time. */
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
