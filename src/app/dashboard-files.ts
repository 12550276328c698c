import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { DashboardFiles } from "../domain/dashboard-port.ts";
import { lazy } from "../lib/lazy.ts";

/** Folder of the pages and views, which the build writes next to the program. */
const DASHBOARD_FOLDER = "dashboard";

/** Reads the pages and views: from next to the program, or when run from source from the last build. */
export function createDashboardFiles(): DashboardFiles {
  const isBundle = !import.meta.url.endsWith(".ts");
  const folder = fileURLToPath(
    new URL(isBundle ? `./${DASHBOARD_FOLDER}` : `../../dist/${DASHBOARD_FOLDER}`, import.meta.url),
  );
  const paths = lazy((): readonly string[] =>
    existsSync(folder)
      ? readdirSync(folder, { withFileTypes: true, recursive: true })
          .filter((entry) => entry.isFile())
          .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
          .sort()
      : [],
  );
  return {
    paths,
    read(path) {
      if (!paths().includes(path)) throw new Error(`The dashboard has no file ${path.slice(0, 200)}`);
      return readFileSync(join(folder, path));
    },
  };
}
