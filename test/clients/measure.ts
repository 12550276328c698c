import { type ChildProcess, fork } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type MeasuredClient, OPERATIONS, type Operation } from "./clients.ts";
import { clientNode } from "./libraries.ts";
import type { MeasuredServer } from "./server.ts";

const HERE = fileURLToPath(new URL("./", import.meta.url));
/** The call that is cancelled, as each protocol writes it. */
const LONG_CALL = /run_backtest|\/api\/v1\/backtest/;
const END_OF_LONG_CALL = '"tool":"run_backtest"';

export type Outcomes = Partial<Record<Operation, string>>;
type Message =
  | { readonly operation: Operation; readonly outcome: string }
  | { readonly started: true }
  | { readonly failed: string }
  | { readonly done: true };

/** Measures all operations of one client over one transport, in a separate process and with a separate account. */
export async function measure(
  { driver, notOffered = {} }: MeasuredClient,
  transport: string,
  row: number,
  server: MeasuredServer,
): Promise<Outcomes> {
  const isStdio = transport.startsWith("stdio");
  const { key, account } = await server.newAccount();
  const { hint } = await server.quote(key, "ZZZZ");
  const folder = mkdtempSync(join(server.folder, "client-"));
  const read = (file: string) =>
    existsSync(join(folder, file)) ? readFileSync(join(folder, file), "utf8") : "";
  const requests = () => (isStdio ? read("requests") : server.requests());
  const log = () => (isStdio ? read("log") : linesOf(server.log(), `"account":"${account}"`).join("\n"));
  const { command, env } = server.stdio;
  const stdio = {
    command: process.execPath,
    args: [join(HERE, "stdio-tap.mjs"), folder, ...command],
    env,
  };
  const facts = { url: server.url, key, stdio, hint, notOffered, row };
  const child = fork(join(HERE, "measure.mjs"), [driver, transport], {
    execPath: clientNode(),
    execArgv: [],
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, SERVER: JSON.stringify(facts) },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const printed = outputOf(child);

  // a client whose call has failed may have ended
  const send = (message: string) => child.send(message, () => {});
  let sentBeforeAbort = 0;
  /** Lets the client start the long call, and aborts it when the server has it. */
  const cancelLongCall = async () => {
    const sentBefore = requests().length;
    send("start");
    await until(() => LONG_CALL.test(requests().slice(sentBefore)));
    // takes the same way through the server, behind the long call
    if (!isStdio) await server.quote(key, "AAPL");
    sentBeforeAbort = requests().length;
    send("abort");
  };
  const cancelOutcome = async () => {
    await until(() => log().includes(END_OF_LONG_CALL));
    const { code } = JSON.parse(linesOf(log(), END_OF_LONG_CALL)[0]!) as { code: string };
    if (code === "CANCELLED") return "yes";
    return requests().slice(sentBeforeAbort).includes("notifications/cancelled")
      ? "no: the server goes on after the cancellation"
      : "no: the client sends no cancellation";
  };

  const outcomes: Outcomes = {};
  try {
    await new Promise<void>((resolve, reject) => {
      child.on("close", (code) => {
        reject(new Error(`${driver} over ${transport} ended with ${code}:\n${printed()}`));
      });
      child.on("message", (message: Message) => {
        if ("started" in message) cancelLongCall().catch(reject);
        else if ("done" in message) resolve();
        else if ("operation" in message) outcomes[message.operation] = message.outcome;
        else
          for (const operation of OPERATIONS)
            outcomes[operation] = operation === "list" ? `no: ${message.failed}` : "no: not connected";
      });
    });
    // while the process lives, because its end closes the connections
    if (outcomes.cancel === "aborted") outcomes.cancel = await cancelOutcome();
    return outcomes;
  } finally {
    child.kill("SIGKILL");
  }
}

/** Waits until a condition holds. */
async function until(condition: () => boolean): Promise<void> {
  for (let waited = 0; !condition(); waited += 20) {
    if (waited >= PATIENCE_MS)
      throw new Error("The long call did not reach the server, or did not end there");
    await sleep(20);
  }
}
const PATIENCE_MS = 60_000;

/** Returns the lines of a text that contain a word. */
const linesOf = (text: string, word: string): readonly string[] =>
  text.split("\n").filter((line) => line.includes(word));

/** Collects stdout and stderr of a process. */
function outputOf({ stdout, stderr }: ChildProcess): () => string {
  let text = "";
  for (const stream of [stdout, stderr])
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
  return () => text;
}
