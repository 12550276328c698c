import { createHash } from "node:crypto";
import { realpathSync, statSync } from "node:fs";
import { LRUCache } from "lru-cache";
import { type Adjustment, PROVIDER_TIMEFRAMES, type ProviderTimeframe } from "../../domain/market/bars.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { BarHistory, Clock, Quotes } from "../../domain/ports.ts";
import { SetupError } from "../../lib/setup-error.ts";
import { embeddedListings, type Listings } from "../../market/symbols/listings.ts";
import { type BarFile, inspectBarFiles, readText } from "./bar-file.ts";
import { chooseSeries, type FileSeries, seriesKey } from "./choose.ts";
import { type FileBarStore, fileBars } from "./history.ts";
import { describeFutureRows, type FileNote, type LoadedSeries, loadSeries } from "./load.ts";
import { fileQuotes } from "./quotes.ts";
import { type CandidateFile, printable, type SkippedFile, scanFolder } from "./scan.ts";
import { adjustForSplits, readSplits, SPLITS_FILE, splitsUntil } from "./splits.ts";

/** Maximum size of the bar cache, bytes; the least recently used series are evicted. */
const CACHE_BYTES = 256 * 1024 * 1024;
const EXAMPLE = "Example: AAPL.csv with the header date,open,high,low,close,volume";

export interface FilesOptions {
  readonly dir: string;
  readonly clock: Clock;
  /** Name of the folder in error messages: the setting or the path given by the user. */
  readonly called?: string;
  /** Adjustment of the prices as stated by the operator. Default: "unknown". */
  readonly adjustment?: Adjustment;
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
  /** What each used file is taken for, one sentence a series. */
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
  /** Hash of the folder's path and the adjustment; independent of the files in it. */
  readonly marketId: string;
  /** Hash of the names and contents of the used files, independent of the path. */
  readonly contentId: string;
  report(): FilesReport;
}

/**
 * Opens a folder of OHLCV CSV files. Inspects every file once; reads all rows of a file on the first request for
 * its symbol.
 * @throws SetupError if the folder does not exist or contains no file of bars
 */
export async function openFiles({
  dir,
  clock,
  adjustment = "unknown",
  called = `MARKET_DATA: "${printable(dir)}"`,
}: FilesOptions): Promise<FilesMarket> {
  const root = resolveFolder(dir, called);
  const scan = scanFolder(root);
  const listings = embeddedListings();
  const sources: BarFile[] = [];
  const skipped = [...scan.skipped];
  const splits = openSplits(scan.files, listings);
  for (const file of scan.files.filter(({ path }) => path !== SPLITS_FILE)) {
    const found = inspectBarFiles(file, listings);
    if (typeof found === "string") skipped.push({ file: printable(file.path), reason: found });
    else sources.push(...found);
  }
  const choice = chooseSeries(sources.sort((a, b) => Number(a.bare) - Number(b.bare)));
  skipped.push(...choice.skipped);
  if (choice.series.length === 0) throw noUsableFile(called, skipped);
  const { store, findings } = createBarStore(choice.series, { adjustment, splits: splits.bySymbol, clock });
  const used = choice.series.flatMap((series) => series.sources);
  const bySymbol = new Map(choice.series.map(({ instrument }) => [instrument.symbol, instrument]));
  return {
    quotes: fileQuotes(store, clock),
    bars: fileBars(store, clock, adjustment),
    members: [...bySymbol.values()].sort((a, b) => (a.symbol < b.symbol ? -1 : 1)),
    marketId: hashOf([adjustment, root]),
    contentId: hashOf([
      adjustment,
      ...splits.digests,
      ...used.map(({ path, digest }) => `${path}\n${digest}`).sort(),
    ]),
    report: () => ({
      series: choice.series.map(({ instrument, timeframe, sources: from }) => ({
        symbol: instrument.symbol,
        timeframe,
        files: from.map(({ path }) => printable(path)),
      })),
      readAs: used.map(({ path, readAs }) => ({ file: printable(path), note: readAs })),
      skipped: skipped.toSorted((a, b) => (a.file < b.file ? -1 : 1)),
      notes: [
        ...used.flatMap(({ path, notes }) => notes.map((note) => ({ file: printable(path), note }))),
        ...[...splits.bySymbol.keys()]
          .filter((symbol) => !bySymbol.has(symbol))
          .map((symbol) => ({ file: SPLITS_FILE, note: `${symbol} has no bars in this folder` })),
        ...findings(),
      ],
    }),
  };
}

/** Creates the store of bars by symbol and timeframe, which reads on demand and caches. */
function createBarStore(
  all: readonly FileSeries[],
  {
    adjustment,
    splits,
    clock,
  }: {
    readonly adjustment: Adjustment;
    readonly splits: ReturnType<typeof readSplits>;
    readonly clock: Clock;
  },
) {
  const index = new Map(all.map((series) => [seriesKey(series.instrument.symbol, series.timeframe), series]));
  const findings = new Map<string, FileNote>();
  const cache = new LRUCache<string, LoadedSeries>({ maxSize: CACHE_BYTES });
  const store: FileBarStore = {
    timeframes: (symbol) =>
      PROVIDER_TIMEFRAMES.filter((timeframe) => index.has(seriesKey(symbol, timeframe))),
    isLoaded: (symbol, timeframe) => cache.has(seriesKey(symbol, timeframe)),
    series(symbol, timeframe, until) {
      const key = seriesKey(symbol, timeframe);
      const loaded = remember(key, () => load(index.get(key)!));
      const known = splitsUntil(splits.get(symbol) ?? [], until, loaded.bars.zone);
      if (known.length === 0) return loaded;
      return remember(`${key} ${known.length}`, () => ({
        ...loaded,
        bars: adjustForSplits(loaded.bars, known),
      }));
    },
  };
  function load(series: FileSeries): LoadedSeries {
    const report = (found: FileNote) => findings.set(`${found.file}: ${found.note}`, found);
    const loaded = loadSeries(series, adjustment, report);
    const ahead = describeFutureRows(loaded.bars, clock.now().getTime());
    if (ahead !== null) report({ file: printable(series.sources.at(-1)!.path), note: ahead });
    return loaded;
  }
  function remember(key: string, read: () => LoadedSeries): LoadedSeries {
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const loaded = read();
    cache.set(key, loaded, { size: 1 + 6 * loaded.bars.time.byteLength });
    return loaded;
  }
  return { store, findings: () => [...findings.values()] };
}

/** Reads the known splits of the folder, with the digest of their file. */
function openSplits(
  files: readonly CandidateFile[],
  listings: Listings,
): {
  readonly bySymbol: ReturnType<typeof readSplits>;
  readonly digests: readonly string[];
} {
  const file = files.find(({ path }) => path === SPLITS_FILE);
  if (file === undefined) return { bySymbol: new Map(), digests: [] };
  const read = readText(file);
  if (typeof read === "string") throw new SetupError(`${SPLITS_FILE} cannot be read: ${read}`);
  return { bySymbol: readSplits(read.text, listings), digests: [read.digest] };
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
