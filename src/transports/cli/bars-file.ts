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
import { asToolError, ToolError } from "../../kernel/errors.ts";
import { makeFolder } from "../../lib/make-folder.ts";
import { plainText } from "../../lib/plain-text.ts";

/** The one folder of an installation that is for bars. */
const BARS_FOLDER = `bars${sep}`;

/**
 * Writes bars to a file, whole or not at all: a new one, or in the place of bars. Nothing else is ever overwritten, and
 * nothing is put among what the installation keeps in `dataDir` but bars in its folder of bars. INVALID_INPUT otherwise.
 */
export function writeBarsFile(path: string, text: string, dataDir: string | null): void {
  try {
    const real = resolveRealPath(path);
    if (dataDir !== null && isProtected(real, resolveRealPath(dataDir)))
      throw new ToolError("INVALID_INPUT", `${plainText(path, 500)} is in the data folder of this server`, {
        hint: `Nothing was written. Name a place outside it with --out, or one in ${plainText(join(dataDir, "bars"), 500)}.`,
      });
    makeFolder(dirname(real));
    const there = lstatSync(real, { throwIfNoEntry: false });
    if (there !== undefined && !isBars(real))
      throw new ToolError("INVALID_INPUT", `${plainText(path, 500)} is there and holds no bars`, {
        hint: "It is left as it is. Name another file with --out.",
      });
    replaceFile(real, text, there?.mode);
  } catch (cause) {
    if (cause instanceof ToolError) throw cause;
    const { code = "" } = cause as NodeJS.ErrnoException;
    throw new ToolError("INVALID_INPUT", `The file cannot be written (${code || asToolError(cause).code})`, {
      hint: "Nothing was lost. Name another place with --out, one that this user may write to.",
      cause,
    });
  }
}

/** Where a path leads, links followed, whether or not something is there yet. */
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

/** Whether a file begins as bars that were exported before. */
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

/** What was there stays as it was until all of the new text is written, and lends it its mode. */
function replaceFile(path: string, text: string, mode: number | undefined): void {
  const half = join(dirname(path), `.${process.pid}.half`);
  const file = openSync(half, "wx");
  try {
    writeFileSync(file, text);
    if (mode !== undefined) chmodSync(half, mode & 0o777);
    renameSync(half, path);
  } catch (cause) {
    rmSync(half, { force: true });
    throw cause;
  } finally {
    closeSync(file);
  }
}
