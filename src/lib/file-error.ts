import { basename, dirname, join } from "node:path";
import { shellQuoted } from "./shell-quote.ts";
import { currentUser, describeUser, fileUser } from "./users.ts";

/** Folder that every user of a machine may use, for a copy of a file. */
const SHARED_FOLDER = "/var/tmp";

/** Returns the code of an error of the operating system; "unknown error" for any other. */
export const fileErrorCode = (cause: unknown): string =>
  cause instanceof Error && "code" in cause ? String(cause.code) : "unknown error";

/** Returns why a file or folder that the operator named cannot be read, and what to do, to follow `cannot be read: `. */
export function readErrorText(path: string, cause: unknown): string {
  const code = fileErrorCode(cause);
  if (code === "ENOENT") return "it does not exist";
  if (code === "ENOTDIR") return "a folder of its path is a file";
  if (code === "EISDIR") return "it is a folder; name a file in it";
  if (code !== "EACCES" && code !== "EPERM") return code;
  const user = currentUser();
  if (user === null) return "this user may not read it; copy it where this user may";
  const copy = join(SHARED_FOLDER, basename(path));
  return `the user ${describeUser(user)} may not read it; copy it where that user may, and name the copy: sudo install -o ${fileUser(user)} -m 600 ${shellQuoted(path)} ${shellQuoted(copy)}`;
}

/** Returns why a file that the operator named cannot be written, and what to do, to follow `cannot be written: `. */
export function writeErrorText(path: string, cause: unknown): string {
  const code = fileErrorCode(cause);
  const folder = dirname(path);
  const user = currentUser();
  const denied = `${user === null ? "this user" : `the user ${describeUser(user)}`} may not write to ${folder}; name a file in a folder of that user`;
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: `the folder ${folder} does not exist; create it, or mount its disk`,
    ENOTDIR: "a folder of its path is a file",
    EISDIR: "it is a folder; name a file in it",
    EACCES: denied,
    EPERM: denied,
    EROFS: `${folder} is on a read-only file system; name a file in another folder`,
    ENOSPC: "the disk is full",
    SQLITE_FULL: "the disk is full",
  };
  return reasons[code] ?? code;
}
