import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface, type Interface } from "node:readline";

/** A running program and the lines that it writes to stdout. */
export interface Child {
  readonly process: ChildProcess;
  readonly lines: Interface;
  request(method: string, params: object): Promise<any>;
}

/** Starts a program. */
export async function spawnChild([command, ...args]: readonly string[]): Promise<Child> {
  const child = spawn(command!, args, {
    stdio: ["pipe", "pipe", "ignore"],
    env: { PATH: process.env.PATH },
  });
  const lines = createInterface(child.stdout);
  let id = 0;
  return {
    process: child,
    lines,
    async request(method, params) {
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: id++, method, params })}\n`);
      return JSON.parse(await lineOf({ process: child, lines }));
    },
  };
}

/** Resolves to the next line on stdout; rejects if the program ends first. */
export async function lineOf({ process: child, lines }: Pick<Child, "process" | "lines">): Promise<string> {
  const ended = new AbortController();
  const exit = once(child, "exit", { signal: ended.signal }).then(([code]) => {
    throw new Error(`${child.spawnargs.join(" ")} ended with ${code}`);
  });
  try {
    const [line] = await Promise.race([once(lines, "line"), exit]);
    return line;
  } finally {
    exit.catch(() => {});
    ended.abort();
  }
}

/** Adds the Node options of `npm start` to the command of a server. */
export function withStartOptions([node, ...rest]: readonly string[]): readonly string[] {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  const options = scripts.start.split(" ").filter((word: string) => word.startsWith("--"));
  return [node!, ...options, ...rest];
}

/** Address of a measured server. */
export interface Address {
  readonly url: string;
  readonly key?: string;
  /** Path of the MCP endpoint. Default: `/api/mcp`. */
  readonly path?: string;
}

export const addressOf = (line: string): Address => JSON.parse(line);

/** Ends a program. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1]!;
