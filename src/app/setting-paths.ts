import { accessSync, constants, existsSync, rmSync, statSync } from "node:fs";
import { assertLogFile } from "../lib/log.ts";
import { SetupError } from "../lib/setup-error.ts";
import type { Config } from "./config.ts";
import type { SettingName } from "./setting-table.ts";

/**
 * Returns why a server could not use the path in the value of a setting; null if it could, or if the value is no path
 * of something that must exist. The server checks the same when it starts.
 */
export async function pathFault(name: SettingName, value: string): Promise<string | null> {
  if (name === "LOG_FILE") return setupFault(() => checkLogFile(value));
  if (name === "BACKUP_HOOK") return hookFault(value);
  if (name === "OPTION_TAPE") return tapeFault(value);
  const [, dir] = (name === "MARKET_DATA" && /^files:(.+)$/s.exec(value)) || [];
  if (dir === undefined) return null;
  const { openFiles } = await import("../providers/files/open.ts");
  return setupFault(() => openFiles({ dir, clock: { now: () => new Date() }, spawn: null }));
}

/** Returns notes for the start of a server on paths that it uses only later. */
export const pathNotes = ({ BACKUP_HOOK, OPTION_TAPE }: Pick<Config, "BACKUP_HOOK" | "OPTION_TAPE">) =>
  [
    BACKUP_HOOK === undefined ? null : hookFault(BACKUP_HOOK),
    OPTION_TAPE === undefined ? null : tapeFault(OPTION_TAPE),
  ].filter((fault) => fault !== null);

const hookFault = (path: string): string | null =>
  isFileWith(path, constants.X_OK)
    ? null
    : `BACKUP_HOOK ${path} is not a program that this user can run; name an executable file`;

const tapeFault = (path: string): string | null =>
  isFileWith(path, constants.R_OK)
    ? null
    : `OPTION_TAPE ${path} is not a file that this user can read; name a CSV file of option trades`;

function isFileWith(path: string, access: number): boolean {
  try {
    accessSync(path, access);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** @throws SetupError if the file cannot be written. A file that did not exist is deleted again. */
function checkLogFile(path: string): void {
  const isNew = !existsSync(path);
  assertLogFile(path);
  if (isNew) rmSync(path, { force: true });
}

/** Returns the message of a check that throws a SetupError; null if it passes. */
async function setupFault(check: () => unknown): Promise<string | null> {
  try {
    await check();
    return null;
  } catch (thrown) {
    if (thrown instanceof SetupError) return thrown.message;
    throw thrown;
  }
}
