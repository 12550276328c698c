import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { ToolError } from "../../kernel/errors.ts";
import { writeErrorText } from "../../lib/file-error.ts";
import { makeFolder } from "../../lib/make-folder.ts";
import { plainText } from "../../lib/plain-text.ts";

/** Folder for bars within the data folder. */
const BARS_FOLDER = `bars${sep}`;

/**
 * Writes bars to a file atomically. Replaces only files that contain bars, and within `dataDir` writes only to its folder
 * for bars. Throws INVALID_INPUT otherwise.
 */
export function writeBarsFile(path: string, text: string, dataDir: string | null): void {
  try {
    const real = resolveRealPath(path);
    if (dataDir !== null && isProtected(real, resolveRealPath(dataDir)))
      throw new ToolError("INVALID_INPUT", `${plainText(path, 500)} is in the data folder of this server`, {
        hint: `Nothing was written. Choose a path outside it with --out, or one in ${plainText(join(dataDir, "bars"), 500)}.`,
      });
    makeFolder(dirname(real));
    const existing = lstatSync(real, { throwIfNoEntry: false });
    if (existing !== undefined && !isBars(real))
      throw new ToolError("INVALID_INPUT", `${plainText(path, 500)} exists and does not contain bars`, {
        hint: "It was not changed. Choose another file with --out.",
      });
    replaceFile(real, text, existing?.mode);
  } catch (cause) {
    if (cause instanceof ToolError) throw cause;
    throw new ToolError(
      "INVALID_INPUT",
      `The file ${plainText(path, 500)} cannot be written: ${writeErrorText(path, cause)}`,
      {
        hint: "No file was changed. Choose a path with --out that this user can write to.",
        cause,
      },
    );
  }
}

/** Resolves the symbolic links in a path; its last segments need not exist. */
function resolveRealPath(path: string): string {
  if (existsSync(path)) return realpathSync.native(path);
  const above = dirname(path);
  return above === path ? path : join(resolveRealPath(above), basename(path));
}

function isProtected(real: string, dataDir: string): boolean {
  const within = relative(dataDir, real);
  const outside = within === ".." || within.startsWith(`..${sep}`) || isAbsolute(within);
  return !outside && !within.startsWith(BARS_FOLDER);
}

/** Returns true for a file that starts with the header of exported bars. */
function isBars(path: string): boolean {
  if (!statSync(path).isFile()) return false;
  const file = openSync(path, "r");
  try {
    const start = Buffer.alloc(64);
    const [first = ""] = start.toString("utf8", 0, readSync(file, start)).split("\n");
    return /^(date|datetime),open,high,low,close,volume\r?$/.test(first);
  } finally {
    closeSync(file);
  }
}

/** Replaces a file once the new text is completely written; keeps the mode of the old file. */
function replaceFile(path: string, text: string, mode: number | undefined): void {
  const temporary = join(dirname(path), `.${process.pid}.half`);
  const file = openSync(temporary, "wx");
  try {
    writeFileSync(file, text);
    if (mode !== undefined) chmodSync(temporary, mode & 0o777);
    renameSync(temporary, path);
  } catch (cause) {
    rmSync(temporary, { force: true });
    throw cause;
  } finally {
    closeSync(file);
  }
}
