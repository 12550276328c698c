import { symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import { REQUEST_MODEL_FILE } from "../../src/app/request-model.ts";
import { SKILLS_FOLDER } from "../../src/app/skills.ts";
import { launch, type Program } from "./program.ts";
import { suiteDir } from "./temp-dir.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

/** The current sources bundled as the build bundles them, so that a process starts within half a second. */
export interface Compiled {
  /** The command line of the product. */
  readonly product: readonly string[];
  /** The command line of one of the additional files. */
  script(file: string): readonly string[];
  remove(): void;
}

interface CompileOptions {
  /** Further scripts, as paths in the repository. Default: none. */
  readonly scripts?: readonly string[];
  /** A tool that is added to the catalogue: a file of the repository and its export. Default: none. */
  readonly tool?: { readonly file: string; readonly name: string };
}

/** The parts of the build's options that the tests share; a script of the build, which has no types. */
interface BundleOptions {
  readonly external: string[];
  readonly workers: Readonly<Record<string, string>>;
  readonly requireBanner: string;
}

/**
 * Bundles the product and the given scripts of the repository into a new folder, with its packages if there are no
 * scripts, which may load others.
 */
export async function compile({ scripts = [], tool }: CompileOptions = {}): Promise<Compiled> {
  const { dir, remove } = suiteDir();
  const { external, workers, requireBanner }: BundleOptions = await import(
    new URL("../../.config/bundle-options.mjs", import.meta.url).href
  );
  await build({
    absWorkingDir: ROOT,
    outdir: join(dir, "dist"),
    entryPoints: ["src/main.ts", ...Object.values(workers), ...scripts],
    entryNames: "[name]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: scripts.length === 0 ? "bundle" : "external",
    external,
    banner: { js: requireBanner },
    logLevel: "error",
    plugins: tool === undefined ? [] : [withTool(tool)],
  });
  for (const name of ["node_modules", "package.json"]) symlinkSync(join(ROOT, name), join(dir, name));
  symlinkSync(join(ROOT, "dist", REQUEST_MODEL_FILE), join(dir, "dist", REQUEST_MODEL_FILE));
  symlinkSync(join(ROOT, SKILLS_FOLDER), join(dir, "dist", SKILLS_FOLDER));
  const made = (file: string) => join(dir, "dist", basename(file).replace(/\.tsx?$/, ".js"));
  return {
    product: [process.execPath, made("src/main.ts")],
    script: (file) => [process.execPath, made(file)],
    remove,
  };
}

/** Adds an export of a file to the tools of the product. */
const withTool = ({ file, name }: NonNullable<CompileOptions["tool"]>): Plugin => ({
  name: "with-tool",
  setup({ onResolve, onLoad }) {
    const tools = join(ROOT, "tools/index.ts");
    onResolve({ filter: /\/tools\/index\.ts$/ }, ({ namespace }) =>
      namespace === "with-tool" ? { path: tools } : { path: "tools", namespace: "with-tool" },
    );
    onLoad({ filter: /.*/, namespace: "with-tool" }, () => ({
      contents: `export * from ${JSON.stringify(tools)}; export { ${name} } from ${JSON.stringify(join(ROOT, file))};`,
      resolveDir: ROOT,
    }));
  },
});

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
