import { readFileSync } from "node:fs";

/** Returns the version in package.json, which is above the sources and above the build. */
export function version(): string {
  for (const path of ["../../package.json", "../../../package.json"])
    try {
      return String(JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8")).version);
    } catch {
      // try the next path
    }
  return "unknown";
}
