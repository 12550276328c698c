import { readFileSync } from "node:fs";

/**
 * Returns the version in package.json, which is searched relative to the sources and to the build; "unknown" without
 * it.
 */
export function version(): string {
  for (const path of ["../package.json", "../../package.json", "../../../package.json"])
    try {
      return String(JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8")).version);
    } catch {
      // try the next path
    }
  return "unknown";
}
