import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** Findings of redocly's linter for a document, by rule. */
export async function lintOpenapi(document: unknown): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "openapi-"));
  try {
    const file = join(folder, "openapi.json");
    await writeFile(file, JSON.stringify(document));
    const args = [
      "node_modules/@redocly/cli/bin/cli.js",
      "lint",
      file,
      "--config=.config/redocly.yaml",
      "--format=json",
    ];
    const env = {
      ...process.env,
      REDOCLY_TELEMETRY: "off",
      REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
      CI: "true",
    };
    const run = promisify(execFile)(process.execPath, args, { env, maxBuffer: 1e8 });
    const { stdout } = await run.catch((failed: { stdout: string }) => failed);
    return JSON.parse(stdout).problems.map(
      (each: any) => `${each.ruleId} ${each.location?.[0]?.pointer}: ${each.message}`,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}
