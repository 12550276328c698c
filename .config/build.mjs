import { chmodSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

// Bundles the program, so that a command loads few files: one file for each entry, and shared parts beside them.
const root = fileURLToPath(new URL("..", import.meta.url));
rmSync(join(root, "dist"), { recursive: true, force: true });
await build({
  absWorkingDir: root,
  // Workers are loaded by these names from beside the bundle.
  entryPoints: {
    main: "src/main.ts",
    "audit-worker": "src/app/audit-worker.ts",
    "compute-worker": "src/compute/compute-worker.ts",
    "upkeep-worker": "src/store/upkeep/upkeep-worker.ts",
  },
  outdir: "dist",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  sourcemap: true,
  sourcesContent: false,
  // Native packages, packages that load their own files, and the optional one stay outside.
  external: ["better-sqlite3", "@resvg/resvg-js", "piscina", "pino", "dejavu-fonts-ttf", "ccxt"],
  banner: {
    // bundled CommonJS packages call require for modules of Node
    js: 'import { createRequire as createRequireOfBundle } from "node:module"; const require = createRequireOfBundle(import.meta.url);',
  },
  logLevel: "warning",
});
chmodSync(join(root, "dist/main.js"), 0o755);
