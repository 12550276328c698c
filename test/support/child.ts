import { execFile, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

const root = new URL("../..", import.meta.url).pathname;
const flags = (source: string) => ["--import", "tsx", "--input-type=module", "--eval", source];

/** Runs module source (imports relative to the repository root, top-level await) in a process of its own; what it printed. */
export async function runChild(source: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, flags(source), { cwd: root });
  return stdout.trim();
}

/** Runs module source until it printed so many lines, then kills it without warning; every whole line it got out. */
export async function killedAfter(source: string, lines: number): Promise<readonly string[]> {
  const child = spawn(process.execPath, flags(source), { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  const printed: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    printed.push(line);
    if (printed.length === lines) child.kill("SIGKILL");
  }
  return printed;
}
