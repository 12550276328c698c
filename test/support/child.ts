import { execFile } from "node:child_process";
import { promisify } from "node:util";

const root = new URL("../..", import.meta.url).pathname;
const flags = (source: string) => ["--import", "tsx", "--input-type=module", "--eval", source];

/**
 * Runs module source (imports relative to the repository root, top-level await) in a separate process and returns its
 * output.
 */
export async function runChild(source: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, flags(source), { cwd: root });
  return stdout.trim();
}
