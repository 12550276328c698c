import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  mkdtempSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, extname, join } from "node:path";
import { type Bars, barColumns, barRows, type ProviderTimeframe } from "../../domain/market/bars.ts";
import type { Clock } from "../../domain/ports.ts";
import { csvName, csvOf } from "../../domain/rows.ts";
import { fileErrorCode, readErrorText, writeErrorText } from "../../lib/file-error.ts";
import { makeFolder } from "../../lib/make-folder.ts";
import { SetupError } from "../../lib/setup-error.ts";
import { canonicalOf } from "../../market/symbols/directory.ts";
import { openFiles } from "./open.ts";
import { MAX_FILE_BYTES, printable, type SkippedFile } from "./scan.ts";

export interface ImportOptions {
  /** Path of a CSV file, or of a folder of CSV files. */
  readonly from: string;
  /** Target folder; created if it does not exist. */
  readonly into: string;
  /** Symbol of a single file. Default: the symbol in its name. */
  readonly symbol?: string | undefined;
  readonly clock: Clock;
  /** Receives the number of series stored so far. */
  readonly progress?: ImportProgress | undefined;
}

/** Receives how many series of how many were stored, and the symbol that follows. */
export type ImportProgress = (step: { done: number; total: number; message: string }) => void;

export interface ImportedSeries {
  readonly symbol: string;
  readonly timeframe: ProviderTimeframe;
  readonly file: string;
  readonly bars: number;
  /** Number of new bars. */
  readonly added: number;
  readonly first: string;
  readonly last: string;
}

export interface ImportReport {
  readonly series: readonly ImportedSeries[];
  readonly skipped: readonly SkippedFile[];
  /** Remarks on the files read, for example about dropped rows. */
  readonly notes: readonly { readonly file: string; readonly note: string }[];
}

const PATH_HINT = "Pass a CSV file of bars or a folder of such files.";
const ALL = Number.MAX_SAFE_INTEGER;

/**
 * Imports CSV files of any supported layout and writes one file per series. New bars replace stored
 * bars of the same time. Files are replaced atomically.
 * @throws SetupError if there is nothing to read
 */
export async function importFiles({
  from,
  into,
  symbol,
  clock,
  progress,
}: ImportOptions): Promise<ImportReport> {
  const quotedName = `"${printable(from)}"`;
  const isFile = kindOf(from, quotedName) === "file";
  const source = isFile ? copyToTempFolder(from, symbol) : { dir: from, done: () => {} };
  try {
    const market = await openFiles({ dir: source.dir, clock, called: quotedName }).catch((cause: unknown) => {
      if (!(cause instanceof SetupError) || !isFile || symbol !== undefined) throw cause;
      throw new SetupError(`${cause.message}; if the file name is not the symbol, pass it: --symbol AAPL`);
    });
    const existing = await openExistingBars(into, clock);
    ensureFolder(into);
    const series: ImportedSeries[] = [];
    const unreplaced: SkippedFile[] = [];
    const chosen = symbol === undefined ? undefined : canonicalOf(symbol)?.symbol;
    const found = market.report().series.toSorted(bySymbol);
    for (const [done, { symbol: of, timeframe }] of found.entries()) {
      progress?.({ done, total: found.length, message: `${of} ${timeframe}` });
      if (chosen !== undefined && of !== chosen) continue; // a file with a column of symbols
      const instrument = market.members.find((member) => member.symbol === of)!;
      const read = (await market.bars.history(instrument, { timeframe, limit: ALL })).bars;
      if (read.time.length === 0) continue;
      const before = (await existing?.(of, timeframe)) ?? null;
      const bars = before === null ? read : mergeBars(before, read);
      const file = csvName(of, timeframe);
      if (before === null && (statSync(join(into, file), { throwIfNoEntry: false })?.size ?? 0) > 0) {
        unreplaced.push({
          file,
          reason: "the stored file of this name contains no readable bars and is not replaced",
        });
        continue;
      }
      write(into, file, csvOf(bars));
      series.push({
        symbol: of,
        timeframe,
        file,
        bars: bars.time.length,
        added: bars.time.length - (before?.time.length ?? 0),
        first: new Date(bars.time[0]!).toISOString(),
        last: new Date(bars.time.at(-1)!).toISOString(),
      });
    }
    const { skipped, notes } = market.report();
    return { series, skipped: [...skipped, ...unreplaced], notes };
  } finally {
    source.done();
  }
}

/** Returns the kind of a path. @throws SetupError if the path is neither a readable file nor a folder */
function kindOf(path: string, quotedName: string): "file" | "folder" {
  const facts = readableStats(path, quotedName);
  if (facts.isDirectory()) return "folder";
  if (!facts.isFile())
    throw new SetupError(`${quotedName} is neither a file nor a folder of CSV files. ${PATH_HINT}`);
  // an empty file, or a device file, which reports size 0 too and may never end
  if (facts.size === 0) throw new SetupError(`${quotedName} is empty. ${PATH_HINT}`);
  if (facts.size > MAX_FILE_BYTES)
    throw new SetupError(`${quotedName} is larger than ${MAX_FILE_BYTES / 1024 / 1024} MB: split it.`);
  return "file";
}

function readableStats(path: string, quotedName: string): Stats {
  try {
    const facts = statSync(path);
    accessSync(path, facts.isDirectory() ? constants.R_OK | constants.X_OK : constants.R_OK);
    return facts;
  } catch (cause) {
    const code = fileErrorCode(cause);
    if (code === "EACCES" || code === "EPERM")
      throw new SetupError(`${quotedName} cannot be read: ${readErrorText(path, cause)}`, { cause });
    if (code === "ENOENT" || code === "ENOTDIR")
      throw new SetupError(`${quotedName} does not exist. ${PATH_HINT}`, { cause });
    throw new SetupError(`${quotedName} cannot be read (${code}). ${PATH_HINT}`, { cause });
  }
}

function ensureFolder(folder: string): void {
  try {
    makeFolder(folder);
    if (!statSync(folder).isDirectory()) throw Object.assign(new Error("a file"), { code: "ENOTDIR" });
  } catch (cause) {
    throw notWritableError(folder, cause);
  }
}

/** Replaces a file atomically. */
function write(folder: string, file: string, text: string): void {
  const temporary = join(folder, `.${file}.half`);
  try {
    writeFileSync(temporary, text, { mode: 0o600 });
    renameSync(temporary, join(folder, file));
  } catch (cause) {
    rmSync(temporary, { force: true });
    throw notWritableError(folder, cause);
  }
}

const notWritableError = (folder: string, cause: unknown): SetupError =>
  new SetupError(
    `Bars cannot be stored in "${printable(folder)}": ${writeErrorText(join(folder, "bars"), cause)}. Pass another folder with --into.`,
  );

const bySymbol = (a: { readonly symbol: string }, b: { readonly symbol: string }): number =>
  a.symbol < b.symbol ? -1 : Number(a.symbol > b.symbol);

/** Copies a file to a temporary folder under a name that contains the given symbol. */
function copyToTempFolder(
  from: string,
  symbol: string | undefined,
): { readonly dir: string; readonly done: () => void } {
  const ending = extname(from) || ".csv";
  const dir = mkdtempSync(join(tmpdir(), "market-signal-import-"));
  const [, length] = /(_(?:4h|1h|30m|15m|5m|1m|1d))$/i.exec(basename(from, ending)) ?? [];
  const name =
    symbol === undefined ? basename(from) : `${symbol.replaceAll("/", "-")}${length ?? ""}${ending}`;
  const done = () => rmSync(dir, { recursive: true, force: true });
  try {
    copyFileSync(from, join(dir, name));
    return { dir, done };
  } catch (cause) {
    done();
    const { code = "" } = cause as NodeJS.ErrnoException;
    throw new SetupError(
      code === "ENAMETOOLONG"
        ? "--symbol is too long: pass a ticker such as AAPL"
        : `"${printable(from)}" cannot be copied (${code}). Check its permissions and the free space in ${printable(tmpdir())}.`,
      { cause },
    );
  }
}

/** Opens the folder of stored bars; null if it has none. */
async function openExistingBars(
  into: string,
  clock: Clock,
): Promise<((symbol: string, timeframe: ProviderTimeframe) => Promise<Bars | null>) | null> {
  try {
    const { bars, members } = await openFiles({ dir: into, clock });
    return async (symbol, timeframe) => {
      const instrument = members.find((member) => member.symbol === symbol);
      if (instrument === undefined || !existsSync(join(into, csvName(symbol, timeframe)))) return null;
      const stored = await bars.history(instrument, { timeframe, limit: ALL });
      return stored.bars.time.length === 0 ? null : stored.bars;
    };
  } catch (cause) {
    if (cause instanceof SetupError) return null;
    throw cause;
  }
}

/** Merges bars by time; bars of `after` replace those of `before`. */
function mergeBars(before: Bars, after: Bars): Bars {
  const fresh = new Set(after.time);
  const rows = [...barRows(before).filter(({ time }) => !fresh.has(time)), ...barRows(after)];
  return barColumns(
    rows.sort((a, b) => a.time - b.time),
    after,
  );
}
