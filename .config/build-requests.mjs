import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
/** What the classifier of requests depends on. */
const SOURCES = ["tools", "agents", "src/features/requests", "src/app/train-requests.ts", "src/lib/word-stem.ts"];

/** Trains the classifier of requests and writes it to a file; does nothing if the file is newer than its sources. */
export async function buildRequests(file = join(root, "dist/requests.model")) {
  if (isNewer(file, root, SOURCES)) return;
  mkdirSync(dirname(file), { recursive: true });
  const script = join(root, `node_modules/.train-requests-${process.pid}.mjs`); // where packages are found
  await build({
    absWorkingDir: root,
    entryPoints: ["src/app/train-requests.ts"],
    outfile: script,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    packages: "external",
    logLevel: "warning",
  });
  const { status } = spawnSync(process.execPath, [script, file], { cwd: root, stdio: "inherit" });
  rmSync(script);
  if (status !== 0) throw new Error("The classifier of requests could not be trained.");
}

/** Returns true if a file exists and is newer than everything in these folders and files of `root`. */
export const isNewer = (file, root, sources) =>
  existsSync(file) && statSync(file).mtimeMs > Math.max(...sources.map((path) => newest(join(root, path))));

/** Returns the time of the newest file in a folder, or of one file, epoch ms. */
function newest(path) {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}
