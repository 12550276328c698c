import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PATIENCE_MS = 60_000;

export interface Program {
  readonly child: ChildProcessWithoutNullStreams;
  readonly seen: { readonly out: string; readonly err: string };
  /** Waits until stdout and stderr together match a pattern; fails with their text otherwise. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  /** The exit code, or the name of the signal that ended it, once both streams are read. */
  ended: Promise<number | string>;
}

/** Starts a command in a separate process with only these settings; it is killed at the end of the test. */
export function start(...given: Parameters<typeof launch>): Program {
  const program = launch(...given);
  onTestFinished(() => void program.child.kill("SIGKILL"));
  return program;
}

/** Starts a command like `start`, but the caller must end it. */
export function launch(
  [command, ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd = ROOT,
): Program {
  const child = spawn(command!, args, { cwd, env: { PATH: process.env.PATH, ...env } });
  const seen = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    seen.out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    seen.err += text;
  });
  child.stdin.on("error", () => {});
  const ended = once(child, "close").then(([code, signal]) => (code ?? signal) as number | string);
  const says = async (pattern: RegExp) => {
    for (let waited = 0; waited < PATIENCE_MS; waited += 20) {
      const found = pattern.exec(seen.out + seen.err);
      if (found !== null) return found;
      if (child.exitCode !== null || child.signalCode !== null) break;
      await sleep(20);
    }
    throw new Error(`It never said ${pattern}:\n${seen.out}${seen.err}`);
  };
  return { child, seen, says, ended };
}

/** Runs one command to its end. */
export async function runProgram(command: readonly string[], env: Readonly<Record<string, string>>) {
  const { seen, ended } = start(command, env);
  return { code: await ended, ...seen };
}

/** The state of a process on Linux: "T" if it is stopped. */
export const processState = (pid: number): string | undefined =>
  /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1];
