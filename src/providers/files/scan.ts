import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs";
import { extname, join, sep } from "node:path";
import { plainText } from "../../lib/plain-text.ts";

/** Maximum size of a file, bytes; larger files are skipped. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;
const MAX_FILES = 20_000;
const MAX_FOLDERS = 5_000;
const MAX_DEPTH = 6;
const ENDINGS: ReadonlySet<string> = new Set([".csv", ".tsv"]);
/** Reasons for skipping files that hold tables in another form. */
const OTHER_FORMS: readonly (readonly [RegExp, string])[] = [
  [/\.(csv|tsv|txt)\.(gz|bz2|xz|zst|zip)$|\.zip$/i, "it is compressed; unpack it to a .csv file"],
  [/\.(xlsx?|ods|parquet|feather)$/i, "it is not a text file; save it as .csv"],
];
/** Text files that may hold bars, named only in a folder without other files. */
const TEXT = /^(?!.*(readme|licen[cs]e|notice)).*\.(txt|prn|dat)$/i;

/** A file that may contain bars: its path inside the folder, with `/` as separator, and its real path. */
export interface CandidateFile {
  readonly path: string;
  readonly real: string;
  readonly bytes: number;
  /** Time of the last change, epoch ms. Default: unknown. */
  readonly modified?: number;
}

/** A skipped file with the reason; both are printable. */
export interface SkippedFile {
  readonly file: string;
  readonly reason: string;
}

/** Returns a path that is safe to print: shortened, without control or direction characters. */
export const printable = (path: string): string => plainText(path, 120);

/** Lists the CSV and TSV files under `root` (a real path), by depth, then by name, up to the limits. */
export function scanFolder(
  root: string,
  limits = { files: MAX_FILES, folders: MAX_FOLDERS },
): { files: CandidateFile[]; skipped: SkippedFile[] } {
  const files: CandidateFile[] = [];
  const skipped: SkippedFile[] = [];
  const texts: string[] = [];
  const skip = (path: string, reason: string) => skipped.push({ file: printable(path) || ".", reason });
  let folders = [""];
  let visited = 0;
  for (let depth = 0; folders.length > 0; depth++) {
    const deeper: string[] = [];
    for (const folder of folders) {
      if (++visited > limits.folders) {
        skip(folder, `there are more than ${limits.folders} folders; this and later ones are not read`);
        return { files, skipped };
      }
      const entries = entriesOf(join(root, folder));
      if (entries === null) skip(folder, "the folder cannot be read");
      for (const entry of entries ?? []) {
        const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
        const wanted = ENDINGS.has(extname(entry.name).toLowerCase());
        if (entry.isDirectory()) {
          if (wanted) skip(path, "it is a folder");
          else if (depth < MAX_DEPTH) deeper.push(path);
          else skip(path, `it is more than ${MAX_DEPTH} folders deep`);
        } else if (!wanted && entry.isSymbolicLink() && isFolder(join(root, path))) {
          skip(path, "links to folders are not followed");
        } else if (wanted) {
          if (files.length >= limits.files) {
            skip(path, `there are more than ${limits.files} files; this and later ones are not read`);
            return { files, skipped };
          }
          const found = inspect(root, path);
          if (typeof found === "string") skip(path, found);
          else files.push(found);
        } else {
          const other = OTHER_FORMS.find(([ending]) => ending.test(entry.name));
          if (other !== undefined) skip(path, other[1]);
          else if (TEXT.test(entry.name)) texts.push(path);
        }
      }
    }
    folders = deeper;
  }
  if (files.length === 0)
    for (const path of texts) skip(path, "its name does not end in .csv or .tsv; rename it if it holds bars");
  return { files, skipped };
}

/** Returns the entries of a folder by name, without hidden ones; null if the folder cannot be read. */
function entriesOf(folder: string): Dirent[] | null {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter(({ name }) => !name.startsWith(".")).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return null;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function inspect(root: string, path: string): CandidateFile | string {
  try {
    const real = realpathSync.native(join(root, path));
    if (!real.startsWith(root.endsWith(sep) ? root : root + sep))
      return "it links to a file outside the folder";
    const facts = statSync(real);
    if (!facts.isFile()) return "it is not a regular file";
    if (facts.size === 0) return "it is empty";
    if (facts.size > MAX_FILE_BYTES) return `it is larger than ${MAX_FILE_BYTES / 1024 / 1024} MB`;
    return { path, real, bytes: facts.size, modified: facts.mtimeMs };
  } catch {
    return "it cannot be read, or is a broken link";
  }
}
