import { execFileSync } from "node:child_process";
import { appendFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { launch, type Program } from "./program.ts";
import { suiteDir } from "./temp-dir.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

/** The current sources as plain JavaScript, so that a process starts within a third of a second. */
export interface Compiled {
  readonly dir: string;
  /** The command line of the product. */
  readonly product: readonly string[];
  /** The command line of one of the additional files. */
  script(file: string): readonly string[];
  /** Adds a tool to the catalogue: an export of one of the additional files. */
  addTool(file: string, name: string): void;
  remove(): void;
}

/** Files that the product loads by name. */
const ENTRIES = [
  "src/main.ts",
  "src/app/audit-worker.ts",
  "src/compute/compute-worker.ts",
  "src/providers/files/files-worker.ts",
  "src/store/upkeep/upkeep-worker.ts",
];

/** Compiles the product and the given files of the repository into a new folder. */
export function compile(...files: readonly string[]): Compiled {
  const { dir, remove } = suiteDir();
  const compilerOptions = { rootDir: ROOT, outDir: dir, noEmit: false, noCheck: true };
  const project = {
    extends: join(ROOT, "tsconfig.json"),
    compilerOptions: { ...compilerOptions, typeRoots: [join(ROOT, "node_modules/@types")] },
    include: [],
    files: [...ENTRIES, ...files].map((file) => join(ROOT, file)),
  };
  writeFileSync(join(dir, "tsconfig.json"), JSON.stringify(project));
  execFileSync(join(ROOT, "node_modules/.bin/tsc"), ["-p", join(dir, "tsconfig.json")]);
  for (const name of ["node_modules", "package.json"]) symlinkSync(join(ROOT, name), join(dir, name));
  const made = (file: string) => join(dir, file.replace(/\.tsx?$/, ".js"));
  return {
    dir,
    product: [process.execPath, made("src/main.ts")],
    script: (file) => [process.execPath, made(file)],
    addTool(file, name) {
      const from = relative(join(dir, "tools"), made(file));
      appendFileSync(join(dir, "tools/index.js"), `export { ${name} } from ${JSON.stringify(from)};\n`);
    },
    remove,
  };
}

/** Starts a server on a free port and returns it with its URL. */
export async function serveOn(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  options: readonly string[] = [],
): Promise<Program & { readonly url: string }> {
  const program = launch([...command, "serve", ...options], { LOG_LEVEL: "error", ...env, PORT: "0" });
  const [, url] = await program.says(/docs\s+(http:\S+)\/docs/);
  return { ...program, url: url! };
}
