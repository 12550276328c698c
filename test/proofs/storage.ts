import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createApp } from "../../src/app/app.ts";
import { readConfig } from "../../src/app/config.ts";
import type { Tool } from "../../src/kernel/tool.ts";
import { collectingLog } from "../support/context.ts";
import { type Installation, install } from "../support/installation.ts";
import { suiteDir } from "../support/temp-dir.ts";
import { a2aCall, a2aErrorCode } from "./a2a.ts";
import type { Proof } from "./proof.ts";
import { mcpCall, mcpErrorCode, requestOf, responseJson, sendRequest } from "./proof-server.ts";

const DISK_MB = 16;
/** Writes that wait at once for the lock of another process. */
const WAITING_WRITES = 30;
const READS = { quick: 25, full: Number.POSITIVE_INFINITY } as const;
/** Time for which a write waits for the lock of another process, with a margin. */
const MAX_WAIT_MS = 30_000;

/** Tools that change nothing for the account and store what they compute. */
const STORING_READS: ReadonlySet<string> = new Set(["run_backtest"]);

type Call = (
  tool: Tool,
  input: Readonly<Record<string, unknown>>,
) => Promise<Readonly<Record<string, string>>>;

/** Fills the disk of a server, starts it on the full disk, and holds the write lock of its database. */
export const storage: Proof = {
  name: "storage",
  claim:
    "A full disk or a foreign write lock stops writes alone, the same over every transport, and no restart is needed",

  async run({ scale }) {
    const { dir, remove } = suiteDir();
    const broken: string[] = [];
    try {
      const locked = await holdLock(join(dir, "lock"), broken);
      const full = tryMount(join(dir, "disk"))
        ? await fillDisk(join(dir, "disk"), READS[scale], broken)
        : "no full disk was tested, as this user may not mount one";
      return { figure: `${full}; ${locked}`, broken };
    } finally {
      unmount(join(dir, "disk"));
      remove();
    }
  },
};

function tryMount(folder: string): boolean {
  mkdirSync(folder);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_MB}m`, "tmpfs", folder], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

function unmount(folder: string): void {
  try {
    execFileSync("umount", ["-l", folder], { stdio: "ignore" });
  } catch {} // It was not mounted.
}

/** Calls a tool over REST, MCP and A2A as one account; returns the error code of each, or `OK`. */
async function callerOn(server: Installation): Promise<Call> {
  const { key } = await server.key("enterprise", ["read", "write", "trade:paper"]);
  return callerWith(server, key);
}

function callerWith(server: Installation, key: string): Call {
  const send = (request: Parameters<typeof sendRequest>[1]) =>
    sendRequest(server, { ...request, authorization: `Bearer ${key}` });
  return async ({ name, route }, input) => {
    const rest = await send(requestOf(route, input));
    const text = await rest.text();
    return {
      rest: rest.ok ? "OK" : String(JSON.parse(text).code),
      mcp: (await mcpErrorCode(await send(mcpCall(name, input)))) ?? "OK",
      a2a: (await a2aErrorCode(await send(a2aCall(name, input)))) ?? "OK",
    };
  };
}

const readiness = async (server: Installation): Promise<string> =>
  (await responseJson(await sendRequest(server, { method: "GET", path: "/readyz" }))).status;

async function fillDisk(disk: string, most: number, broken: string[]): Promise<string> {
  const filler = join(disk, "filler");
  let server = await install(disk, "sample");
  const { key } = await server.key("enterprise", ["read", "write", "trade:paper"]);
  const reads = server.app.registry.tools.filter(
    ({ name, effect, role }) => effect === "read" && role === undefined && !STORING_READS.has(name),
  );
  const examples = reads.flatMap((tool) => tool.examples.slice(0, 1).map(({ input }) => ({ tool, input })));
  const step = Math.max(1, Math.floor(examples.length / most));
  const chosen = examples.filter((_, i) => i % step === 0);
  const before = new Map<Tool, string>();
  let call = callerWith(server, key);
  for (const { tool, input } of chosen) before.set(tool, JSON.stringify(await call(tool, input)));

  fill(filler);
  let compared = await compareReads("on the full disk");
  await expectRefusedWrites("on the full disk");
  await expectFullBeside("on the full disk");
  await server.stop();
  fill(join(disk, "rest"));
  server = await install(disk, "sample");
  server.app.store.upkeep.start();
  call = callerWith(server, key);
  compared += await compareReads("started on the full disk");
  await expectRefusedWrites("started on the full disk");
  await expectFullBeside("started on the full disk");

  rmSync(filler);
  rmSync(join(disk, "rest"));
  const deadline = Date.now() + MAX_WAIT_MS;
  while ((await readiness(server)) !== "ready" && Date.now() < deadline)
    await new Promise((done) => setTimeout(done, 100));
  const after = await call(watchlistTool(), watchlist(1));
  if (Object.values(after).some((code) => code !== "OK"))
    broken.push(`a write after the disk had room: ${JSON.stringify(after)}`);
  await server.stop();
  return `${compared} reads over REST, MCP and A2A answered on a full disk as before; writes refused, then stored again; a command beside the server reported it`;

  async function compareReads(when: string): Promise<number> {
    for (const { tool, input } of chosen) {
      const codes = JSON.stringify(await call(tool, input));
      if (codes !== before.get(tool))
        broken.push(`${tool.name} ${when}: ${codes}, before ${before.get(tool)}`);
    }
    return 3 * chosen.length;
  }

  /** Opens the folder in addition to the server, as a command does. */
  async function expectFullBeside(when: string): Promise<void> {
    const command = await createApp(readConfig(server.env), { log: collectingLog().log });
    const fault = command.store.health.fault()?.kind ?? "no fault";
    await command.close();
    if (fault !== "full") broken.push(`a command beside the server ${when}: ${fault}`);
  }

  function watchlistTool(): Tool {
    return server.app.registry.tools.find(({ name }) => name === "save_watchlist")!;
  }

  async function expectRefusedWrites(when: string): Promise<void> {
    for (let n = 0; n < 40; n++) await call(watchlistTool(), watchlist(n));
    const codes = await call(watchlistTool(), watchlist(40));
    if (Object.values(codes).some((code) => code !== "STORAGE_FULL"))
      broken.push(`writes ${when}: ${JSON.stringify(codes)}`);
    const state = await readiness(server);
    if (state !== "read_only") broken.push(`/readyz ${when}: ${state}`);
  }
}

const watchlist = (n: number) => ({ name: `list-${n}`, symbols: ["AAPL", "MSFT", "NVDA"] });

/** Writes until nothing fits. */
function fill(file: string): void {
  for (const bytes of [1 << 16, 1 << 12, 1]) {
    try {
      for (;;) writeFileSync(file, Buffer.alloc(bytes), { flag: "a" });
    } catch {} // The disk is full for pieces of this size.
  }
}

/** Holds the write lock in another process, which is then stopped, while this server is used. */
async function holdLock(folder: string, broken: string[]): Promise<string> {
  mkdirSync(folder);
  const server = await install(folder, "sample");
  const call = await callerOn(server);
  const tool = (name: string) => server.app.registry.tools.find((one) => one.name === name)!;
  const [read, write] = [tool("get_signal"), tool("save_watchlist")];
  // a computation under the lock could take longer than writes wait, on a busy machine
  await call(read, { symbol: "AAPL" });
  const holder = await lockHolder(server.app.store.file!);
  try {
    let written = false;
    const writing = Array.from({ length: WAITING_WRITES }, (_, n) =>
      call(write, watchlist(n)).finally(() => {
        written = true;
      }),
    );
    const during = await call(read, { symbol: "AAPL" });
    if (Object.values(during).some((code) => code !== "OK"))
      broken.push(`a read under the lock: ${JSON.stringify(during)}`);
    await sendRequest(server, { method: "GET", path: "/livez" });
    if (written) broken.push("reads waited for the writes that wait for the lock");
    for (const codes of await Promise.all(writing))
      if (Object.values(codes).some((code) => code !== "STORAGE_BUSY"))
        broken.push(`a write under the lock: ${JSON.stringify(codes)}`);
  } finally {
    holder.kill("SIGKILL");
    await once(holder, "exit");
  }
  const after = await call(write, watchlist(1));
  if (Object.values(after).some((code) => code !== "OK"))
    broken.push(`a write after the lock: ${JSON.stringify(after)}`);
  await server.stop();
  return `under the write lock of a stopped process reads went on and ${WAITING_WRITES} writes at once failed with STORAGE_BUSY`;
}

/** A process that has taken the write lock and is stopped. */
async function lockHolder(file: string): Promise<ChildProcess> {
  const script = `new (process.getBuiltinModule("node:sqlite")?.DatabaseSync ?? require("better-sqlite3"))(process.argv[1]).exec("BEGIN IMMEDIATE"); console.log("held"); setInterval(() => {}, 1000)`;
  const child = spawn(process.execPath, ["-e", script, file], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  child.kill("SIGSTOP");
  return child;
}
