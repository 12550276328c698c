import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Returns an environment whose PATH has the command `market-signal`, which runs the sources; `dir` gets the command. */
export function withMarketSignal(dir: string): Record<string, string | undefined> {
  const program = `exec ${ROOT}node_modules/.bin/tsx ${ROOT}src/main.ts "$@"`;
  writeFileSync(join(dir, "market-signal"), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
  return { ...process.env, PATH: `${dir}:${process.env.PATH}` };
}
