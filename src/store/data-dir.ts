import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  statSync,
} from "node:fs";
import { SetupError } from "../lib/setup-error.ts";

/** Makes the data folder the owner's alone (0700), creating it inside an existing parent; SetupError where it cannot be used. */
export function prepareDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { mode: 0o700 });
  } catch (cause) {
    if (codeOf(cause) !== "EEXIST") throw unusable(dataDir, cause);
  }
  try {
    if (!statSync(dataDir).isDirectory())
      throw new SetupError(`DATA_DIR ${dataDir} is a file; name a folder`);
    tighten(dataDir, 0o700);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw unusable(dataDir, cause);
  }
}

/** Creates the file empty if it is missing and makes it the owner's alone (0600), with SQLite's files beside it. */
export function privateFile(file: string): void {
  closeSync(openSync(file, "a", 0o600));
  for (const path of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(path)) tighten(path, 0o600);
}

/** Waits until the file, or the names in the folder, would outlive a power cut. */
export function syncPath(path: string): void {
  const handle = openSync(path, "r");
  fsyncSync(handle);
  closeSync(handle);
}

function tighten(path: string, mode: number): void {
  if ((statSync(path).mode & 0o777) === mode) return;
  try {
    chmodSync(path, mode);
  } catch (cause) {
    // A mounted volume may belong to someone else and still be ours to write.
    if (codeOf(cause) !== "EPERM") throw cause;
  }
}

/** Says what the operator can do about a file or database error in the data folder; any other error is handed back. */
export function unusable(dataDir: string, cause: unknown): unknown {
  const code = codeOf(cause);
  if (cause instanceof SetupError || code === null) return cause;
  const why: Record<string, string> = {
    ENOENT: "its parent folder does not exist; create that first",
    ENOTDIR: "its parent is a file; name a folder inside a folder",
    EACCES: "this user may not write there; change its owner or name another folder",
    EPERM: "this user may not write there; change its owner or name another folder",
    EROFS: "it lies on a read-only file system; name another folder",
    ENOSPC: "the disk is full",
    SQLITE_FULL: "the disk is full",
  };
  const reason = why[code] ?? `it cannot be used (${code})`;
  return new SetupError(`DATA_DIR ${dataDir}: ${reason}`, { cause });
}

function codeOf(cause: unknown): string | null {
  const code = cause instanceof Error && "code" in cause ? cause.code : null;
  return typeof code === "string" ? code : null;
}
