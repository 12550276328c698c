import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { Check } from "./judge.ts";

/** Exact version of the suite; it needs a newer Node than the server under test. */
export const SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12";
export const NODE = "node@24";

/** Supported requirement sets. */
export const REVISIONS = ["2025-11-25", "2026-07-28"] as const;
export type Revision = (typeof REVISIONS)[number];

/** Result of running one requirement set. */
export interface Run {
  readonly results: ReadonlyMap<string, readonly Check[]>;
  /** Scenarios that the set requires. */
  readonly scored: readonly string[];
  /** Additional scenarios, and why they do not count. */
  readonly unscored: ReadonlyMap<string, string>;
}

/** Runs one requirement set against a server. Rejects if the suite cannot be loaded or does not finish. */
export async function runSuite(url: string, revision: Revision): Promise<Run> {
  const dir = mkdtempSync(join(tmpdir(), "conformance-"));
  try {
    const said = await npx(["conformance", "server", "--url", url, "--requirements", revision, "-o", dir]);
    const results = new Map(
      readdirSync(dir).flatMap((folder) => {
        const [, scenario] = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(folder) ?? [];
        if (scenario === undefined) return [];
        const checks = JSON.parse(readFileSync(join(dir, folder, "checks.json"), "utf8")) as readonly Check[];
        return [[scenario, checks] as const];
      }),
    );
    return { results, ...scoresIn(said, revision) };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Reads the scored and unscored scenarios from the output of a run. Throws if the run did not finish. */
export function scoresIn(said: string, revision: string): Pick<Run, "scored" | "unscored"> {
  const [, summary] = /=== SUMMARY ===\n([\s\S]*?)\n\nTotal: /.exec(said) ?? [];
  if (summary === undefined) throw new Error(`${SUITE} did not run to its end:\n${said.slice(-2_000)}`);
  const [, beside = ""] =
    new RegExp(`\nNot scored for ${revision}:[^\n]*\n((?: {2}.*\n?)*)`).exec(said) ?? [];
  const unscored = new Map(
    [...beside.matchAll(/^ {2}\S ([a-z0-9-]+) \((.+)\)$/gm)].map(([, name, why]) => [name!, why!] as const),
  );
  const all = [...summary.matchAll(/^\S ([a-z0-9-]+): /gm)].map(([, name]) => name!);
  return { scored: all.filter((name) => !unscored.has(name)), unscored };
}

/** Output of the suite, regardless of its results. Rejects if it cannot be started. */
function npx(argv: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn("npx", ["--yes", "--package", NODE, "--package", SUITE, ...argv], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0" },
    });
    let [out, err] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
    child.once("error", reject);
    child.once("close", (code) => {
      // the suite exits with 1 if any check failed, which the caller evaluates
      if (code === 0 || (code === 1 && out !== "")) resolve(stripVTControlCharacters(out));
      else reject(new Error(`${SUITE} on ${NODE} cannot be run (${code}):\n${err.slice(-2_000)}`));
    });
  });
}
