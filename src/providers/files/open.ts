import { createHash } from "node:crypto";
import { realpathSync, statSync } from "node:fs";
import type { Worker } from "node:worker_threads";
import type { Adjustment, ProviderTimeframe } from "../../domain/market/bars.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { MemberList } from "../../domain/market/memberships.ts";
import type { BarHistory, Clock, Quotes } from "../../domain/ports.ts";
import { SetupError } from "../../lib/setup-error.ts";
import { embeddedListings } from "../../market/symbols/listings.ts";
import { type BarFile, inspectBarFiles, readText } from "./bar-file.ts";
import { createBarStore } from "./bar-store.ts";
import { watchFiles } from "./changed-files.ts";
import { createFileThread } from "./file-thread.ts";
import { folderNotes } from "./folder-notes.ts";
import { fileBars } from "./history.ts";
import type { FileNote } from "./load.ts";
import { MEMBERSHIPS_FILE, readMemberships } from "./memberships.ts";
import { fileQuotes } from "./quotes.ts";
import { type CandidateFile, printable, type SkippedFile, scanFolder } from "./scan.ts";
import { type KnownSplits, readSplits, SPLITS_FILE } from "./splits.ts";

const EXAMPLE = "Example: AAPL.csv with the header date,open,high,low,close,volume";

export interface FilesOptions {
  readonly dir: string;
  readonly clock: Clock;
  /** Name of the folder in error messages: the setting or the path given by the user. */
  readonly called?: string;
  /** Adjustment of the prices as stated by the operator. Default: "unknown". */
  readonly adjustment?: Adjustment;
  /** Starts the thread that reads large files. Default: as in `createFileThread`. */
  readonly spawn?: (() => Worker) | null;
}

/** Result of opening a folder; all texts are printable. */
export interface FilesReport {
  readonly series: readonly {
    readonly symbol: string;
    readonly timeframe: ProviderTimeframe;
    readonly files: readonly string[];
  }[];
  /** Unused files with the reason. */
  readonly skipped: readonly SkippedFile[];
  /** How each used file was read, one sentence per series. */
  readonly readAs: readonly FileNote[];
  /** Remarks on used files; dropped rows are listed once their file has been read. */
  readonly notes: readonly FileNote[];
}

/** A folder of OHLCV files as a market. */
export interface FilesMarket {
  readonly quotes: Quotes;
  readonly bars: BarHistory;
  /** All instruments that have bars in the folder, by symbol. */
  readonly members: readonly Instrument[];
  /** Lists with their members over time, by name in upper case. */
  readonly memberships: ReadonlyMap<string, MemberList>;
  /** Hash of the folder's path and the adjustment; independent of the files in it. */
  readonly marketId: string;
  /** Hash of the names and contents of the used files as last inspected, independent of the path. */
  readonly contentId: string;
  report(): FilesReport;
  /** Returns notes on the folder as a whole: bars that ended long ago, and files that a restart would read. */
  notes(): readonly string[];
}

/**
 * Opens a folder of OHLCV CSV files. Inspects every file, a long one by its first and last rows; reads all rows of
 * a file on the first request for its symbol, and again when it has changed.
 * @throws SetupError if the folder does not exist or contains no file of bars
 */
export async function openFiles({
  dir,
  clock,
  adjustment = "unknown",
  spawn,
  called = `MARKET_DATA: "${printable(dir)}"`,
}: FilesOptions): Promise<FilesMarket> {
  const root = resolveFolder(dir, called);
  const scan = scanFolder(root);
  const listings = embeddedListings();
  const sources: BarFile[] = [];
  const skipped = [...scan.skipped];
  const ownFile = (path: string) => openOwnFile(scan.files, path);
  const [splitsFile, membershipsFile] = [ownFile(SPLITS_FILE), ownFile(MEMBERSHIPS_FILE)];
  const splits = splitsFile === null ? NO_SPLITS : readSplits(splitsFile.text, listings);
  const memberships =
    membershipsFile === null
      ? new Map<string, MemberList>()
      : readMemberships(membershipsFile.text, listings);
  const digests = [splitsFile, membershipsFile].flatMap((file) => file?.digest ?? []);
  for (const file of scan.files.filter(({ path }) => !OWN_FILES.includes(path))) {
    const found = inspectBarFiles(file, listings, { sample: true, until: clock.now().getTime() });
    if (typeof found === "string") skipped.push({ file: printable(file.path), reason: found });
    else sources.push(...found);
  }
  if (sources.length === 0) throw noUsableFile(called, skipped);
  const run = createFileThread(spawn);
  const bars = createBarStore(sources, { adjustment, splits, clock, run });
  const store = { ...bars, look: watchFiles(bars, { clock, run }) };
  const used = () => bars.all().flatMap((series) => series.sources);
  const bySymbol = new Map(bars.all().map(({ instrument }) => [instrument.symbol, instrument]));
  const hashContent = (): string => {
    const contents = bars
      .all()
      .flatMap((series) => [...series.sources, ...series.earlier])
      .map(({ path, digest }) => `${path}\n${digest}`);
    return hashOf([adjustment, ...digests, ...contents.sort()]);
  };
  let content = { revision: bars.revision(), id: hashContent() };
  return {
    quotes: fileQuotes(store, clock),
    bars: fileBars(store, clock, adjustment),
    members: [...bySymbol.values()].sort((a, b) => (a.symbol < b.symbol ? -1 : 1)),
    memberships,
    marketId: hashOf([adjustment, root]),
    get contentId() {
      if (content.revision !== bars.revision()) content = { revision: bars.revision(), id: hashContent() };
      return content.id;
    },
    notes: folderNotes(scan, { root, clock, store: bars }),
    report: () => ({
      series: bars.all().map(({ instrument, timeframe, sources: from }) => ({
        symbol: instrument.symbol,
        timeframe,
        files: from.map(({ path }) => printable(path)),
      })),
      readAs: used().map(({ path, readAs }) => ({ file: printable(path), note: readAs })),
      skipped: [...skipped, ...bars.skipped()].sort((a, b) => (a.file < b.file ? -1 : 1)),
      notes: [
        ...used().flatMap(({ path, notes }) => notes.map((note) => ({ file: printable(path), note }))),
        ...splits.symbols
          .filter((symbol) => !bySymbol.has(symbol))
          .map((symbol) => ({ file: SPLITS_FILE, note: `${symbol} has no bars in this folder` })),
        ...bars.findings(),
      ],
    }),
  };
}

const NO_SPLITS: KnownSplits = { bySymbol: new Map(), isAdjusted: () => false, symbols: [] };

const OWN_FILES: readonly string[] = [SPLITS_FILE, MEMBERSHIPS_FILE];

/** Reads a file at the top of the folder that describes it; null if there is none. */
function openOwnFile(files: readonly CandidateFile[], path: string) {
  const file = files.find((one) => one.path === path);
  if (file === undefined) return null;
  const read = readText(file);
  if (typeof read === "string") throw new SetupError(`${path} cannot be read: ${read}`);
  return read;
}

function resolveFolder(dir: string, called: string): string {
  try {
    const root = realpathSync.native(dir);
    if (statSync(root).isDirectory()) return root;
  } catch {} // reported below
  throw new SetupError(
    `${called} is not a folder. Pass a folder of OHLCV CSV files, one per symbol. ${EXAMPLE}`,
  );
}

function noUsableFile(called: string, skipped: readonly SkippedFile[]): SetupError {
  const first = skipped.find(({ file }) => /\.[ct]sv$/i.test(file)) ?? skipped[0];
  const why =
    first === undefined ? "no .csv or .tsv files" : `no usable file; ${first.file}: ${first.reason}`;
  return new SetupError(`${called} contains ${why}. ${EXAMPLE}`);
}

const hashOf = (facts: readonly string[]): string =>
  createHash("sha256").update(facts.join("\n")).digest("hex").slice(0, 16);
