import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  statfsSync,
  statSync,
} from "node:fs";
import { SetupError } from "../lib/setup-error.ts";
import { shellQuoted } from "../lib/shell-quote.ts";
import { assertOwner } from "./data-owner.ts";

/** File in the data folder with the settings of the installation that are no secrets. */
export const SETTINGS_FILE = "config.toml";

/** File in the data folder with the first key, written by a server that starts without a terminal. */
export const FIRST_KEY_FILE = "first-key.txt";
/** Address that signs a browser in once. */
export const OPEN_LINK_FILE = "open-link.txt";

/**
 * Creates the data folder inside an existing parent and restricts it to the owner (0700). @throws SetupError when it
 * cannot be used, belongs to another user or is writable by others.
 */
export function prepareDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { mode: 0o700 });
  } catch (cause) {
    if (codeOf(cause) !== "EEXIST") throw dataDirError(dataDir, cause);
  }
  try {
    if (!statSync(dataDir).isDirectory())
      throw new SetupError(`DATA_DIR ${dataDir} is a file; name a folder`);
    assertOwner(dataDir);
    refuseShared(dataDir);
    restrict(dataDir, 0o700);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw dataDirError(dataDir, cause);
  }
}

/** @throws SetupError when there is no data folder, for a command that creates none */
export function assertDataDir(dataDir: string): void {
  try {
    statSync(dataDir);
  } catch (cause) {
    if (codeOf(cause) !== "ENOENT") throw dataDirError(dataDir, cause);
    throw new SetupError(
      `There is no data folder at ${dataDir}; set DATA_DIR to that of the server, or start the server`,
      { cause },
    );
  }
}

/** @throws SetupError when others may write to the folder, with the command that mends it */
function refuseShared(dataDir: string): void {
  if ((statSync(dataDir).mode & 0o022) !== 0)
    throw new SetupError(
      `DATA_DIR ${dataDir} can be changed by other users; run: chmod 700 ${shellQuoted(dataDir)}`,
    );
}

/** Free space below which the disk counts as full, bytes. */
const MIN_FREE_BYTES = 1 << 20;

/** Returns whether the disk of the folder has at least 1 MB of free space; true if its file system does not report it. */
export function hasRoom(dataDir: string): boolean {
  return (freeBytes(dataDir) ?? MIN_FREE_BYTES) >= MIN_FREE_BYTES;
}

/** Returns the free space on the disk of the folder; null if its file system does not report it. */
export function freeBytes(dataDir: string): number | null {
  const { blocks, bavail, bsize } = statfsSync(dataDir);
  return blocks === 0 ? null : bavail * bsize;
}

/** Creates the file when missing and restricts it and its SQLite side files to the owner (0600). */
export function privateFile(file: string): void {
  closeSync(openSync(file, "a", 0o600));
  for (const path of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(path)) restrict(path, 0o600);
}

/** Flushes a file or the entries of a folder to disk. */
export function syncPath(path: string): void {
  const handle = openSync(path, "r");
  fsyncSync(handle);
  closeSync(handle);
}

function restrict(path: string, mode: number): void {
  if ((statSync(path).mode & 0o777) === mode) return;
  try {
    chmodSync(path, mode);
  } catch (cause) {
    // A mounted volume may have another owner and still be writable.
    if (codeOf(cause) !== "EPERM") throw cause;
  }
}

/**
 * Converts a file or database error of the data folder to a SetupError with a remedy. Returns any other error
 * unchanged.
 */
export function dataDirError(dataDir: string, cause: unknown): unknown {
  const code = codeOf(cause);
  if (cause instanceof SetupError || code === null) return cause;
  const reasons: Record<string, string> = {
    ENOENT: "its parent folder does not exist; create that first",
    ENOTDIR: "its parent is a file; name a folder inside a folder",
    EACCES: "this user may not write there; change its owner or name another folder",
    EPERM: "this user may not write there; change its owner or name another folder",
    EROFS: "it is on a read-only file system; name another folder",
    ENOSPC: "the disk is full",
    SQLITE_FULL: "the disk is full",
    SQLITE_READONLY: "it can only be read: the disk is full or read-only",
    SQLITE_BUSY: "another process is using it alone, such as a server that started on a full disk",
  };
  const reason = reasons[code] ?? `it cannot be used (${code})`;
  return new SetupError(`DATA_DIR ${dataDir}: ${reason}`, { cause });
}

function codeOf(cause: unknown): string | null {
  const code = cause instanceof Error && "code" in cause ? cause.code : null;
  return typeof code === "string" ? code : null;
}
