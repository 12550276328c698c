import { readFileSync } from "node:fs";

/** The version in package.json, which lies above the sources as above the build. */
export function version(): string {
  for (const path of ["../../package.json", "../../../package.json"])
    try {
      return String(JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8")).version);
    } catch {
      // it is the other one
    }
  return "unknown";
}
