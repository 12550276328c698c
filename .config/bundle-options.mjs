// What the build and the tests bundle alike.

/** Packages outside of the bundle: native ones, those that load their own files, and an optional one. */
export const external = ["better-sqlite3", "@resvg/resvg-js", "piscina", "dejavu-fonts-ttf", "ccxt"];

/** Workers, which the program loads by these names from beside itself. */
export const workers = {
  "audit-worker": "src/app/audit-worker.ts",
  "compute-worker": "src/compute/compute-worker.ts",
  "files-worker": "src/providers/files/files-worker.ts",
  "upkeep-worker": "src/store/upkeep/upkeep-worker.ts",
};

/** Start of a module with bundled CommonJS packages, which call require for modules of Node. */
export const requireBanner =
  'import { createRequire as createRequireOfBundle } from "node:module"; const require = createRequireOfBundle(import.meta.url);';
