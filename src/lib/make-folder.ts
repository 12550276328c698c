import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Creates a folder and its missing parents with mode 0700. Throws the system's error. Does not use mkdir's `recursive`,
 * which never ends in kernel folders such as /proc.
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above);
  mkdirSync(path, { mode: 0o700 });
}
