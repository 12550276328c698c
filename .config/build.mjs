import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { buildClient } from "./build-client.mjs";
import { buildDashboard } from "./build-dashboard.mjs";
import { buildRequests, isNewer } from "./build-requests.mjs";
import { external, requireBanner, workers as workerFiles } from "./bundle-options.mjs";
import { bundledFolders, formatNotices, NOTICES_FILE, packagesWithin } from "./notices.mjs";

// Bundles the program into one file, with its compiled code beside it, so that a command starts fast: main.js answers
// --version, and loads the program for everything else. Writes to dist, or to the folder given as argument.
const root = fileURLToPath(new URL("..", import.meta.url));
const [, , dist = join(root, "dist")] = process.argv;
const loader = join(root, ".config/load-program.mjs");
const SOURCES = ["src", "tools", "agents", "skills", ".config", "package.json", "package-lock.json"];
// npm prepares this folder again for the first `npx market-signal` in it, while a server may run from dist
if (process.env.npm_command === "exec" && isNewer(join(dist, NOTICES_FILE), root, SOURCES)) process.exit();
rmSync(dist, { recursive: true, force: true });

const options = {
  absWorkingDir: root,
  outdir: dist,
  bundle: true,
  platform: "node",
  target: "node20",
  sourcemap: true,
  sourcesContent: false,
  external,
  logLevel: "warning",
};

// A script instead of modules, because Node 20 can save the compiled code of scripts only. The file name contains a hash
// of the content, because V8 compares only the length of the source before it uses saved code.
const { metafile } = await build({
  ...options,
  entryPoints: { program: "src/app/program.ts" },
  entryNames: "[name]-[hash]",
  outExtension: { ".js": ".cjs" },
  format: "cjs",
  supported: { "dynamic-import": false }, // Node cannot run import() in a script loaded from saved code
  banner: {
    js: [
      'const { pathToFileURL: urlOf } = require("node:url");',
      'const bundleUrl = urlOf(__dirname + "/main.js").href;',
      "const resolveFromBundle = (name) => urlOf(require.resolve(name)).href;",
    ].join(" "),
  },
  define: { "import.meta.url": "bundleUrl", "import.meta.resolve": "resolveFromBundle" },
  metafile: true,
});
const program = Object.keys(metafile.outputs)
  .map((path) => basename(path))
  .find((name) => name.endsWith(".cjs"));

const module = {
  ...options,
  metafile: true,
  format: "esm",
  banner: { js: requireBanner },
};
/** Makes main.js load the script instead of importing the modules of the program. */
const loadedProgram = {
  name: "loaded-program",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/app\/program\.ts$/ }, () => ({ path: program, namespace: "loaded-program" }));
    onLoad({ filter: /.*/, namespace: "loaded-program" }, () => ({
      contents: `import { loadProgram } from ${JSON.stringify(loader)};
        export const { runProgram } = loadProgram(new URL(${JSON.stringify(program)}, import.meta.url)).exports;`,
      resolveDir: root,
    }));
  },
};
const main = await build({ ...module, splitting: true, entryPoints: { main: "src/main.ts" }, plugins: [loadedProgram] });
chmodSync(join(dist, "main.js"), 0o755);
const workers = await build({ ...module, splitting: true, entryPoints: workerFiles });

cpSync(join(root, "skills"), join(dist, "skills"), { recursive: true });
await buildRequests(join(dist, "requests.model"));
const client = await buildClient(dist);
const dashboard = await buildDashboard(dist, client.routes);
const folders = bundledFolders(root, metafile, main.metafile, workers.metafile, client.metafile, ...dashboard);
const within = packagesWithin(root, dist, folders);
// written after the program, so that its time is that of a whole build
writeFileSync(join(dist, NOTICES_FILE), formatNotices("bundled into its program", folders, within));

// `npm start` replaces its shell by the server with exec, because the shell would keep the signals that npm passes on.
// The shell of Windows has no exec.
if (process.platform === "win32") writeFileSync(join(root, "node_modules/.bin/exec.cmd"), "@%*\r\n");

// V8 accepts compiled code only with the options with which it was saved: none for commands, and those of `npm start`.
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const ofStart = scripts.start.split(" ").filter((word) => word.startsWith("--"));
const dataDir = mkdtempSync(join(tmpdir(), "market-signal-build-"));
for (const nodeOptions of [[], ofStart]) {
  const saver = [...nodeOptions, join(root, ".config/save-code.mjs"), join(dist, program)];
  const { status } = spawnSync(process.execPath, saver, {
    env: { DATA_DIR: dataDir, MARKET_DATA: "sample", LOG_LEVEL: "error" },
    stdio: "ignore",
  });
  if (status !== 0) console.warn("The compiled code could not be saved: the program starts more slowly.");
}
rmSync(dataDir, { recursive: true, force: true });
