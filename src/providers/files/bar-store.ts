import {
  type Adjustment,
  barColumns,
  PROVIDER_TIMEFRAMES,
  type ProviderTimeframe,
  TIMEFRAME_MS,
} from "../../domain/market/bars.ts";
import type { Clock } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { createBoundedCache } from "../../lib/bounded-cache.ts";
import { groupBy } from "../../lib/group-by.ts";
import { barCloseMs } from "../../market/calendar/calendar.ts";
import type { BarFile } from "./bar-file.ts";
import { chooseSeries, type FileSeries, namesOf, seriesKey } from "./choose.ts";
import { type ExtendedSeries, loadExtended } from "./earlier-bars.ts";
import type { RunFileTask } from "./file-tasks.ts";
import { withFresherBars } from "./fresher-bars.ts";
import { detectTradingHours, type FileBarStore } from "./history.ts";
import { describeFutureRows, type FileNote, type LoadedSeries } from "./load.ts";
import { longerBars } from "./longer-bars.ts";
import { printable, type SkippedFile } from "./scan.ts";
import { adjustForSplits, type KnownSplits, splitsUntil } from "./splits.ts";

/** Cached in place of bars that cannot be built. */
const NONE: LoadedSeries = {
  bars: barColumns([], { timeframe: "1d", adjustment: "unknown", zone: "UTC" }),
  omitted: [],
};

interface StoreOptions {
  readonly adjustment: Adjustment;
  readonly splits: Pick<KnownSplits, "bySymbol" | "isAdjusted">;
  readonly clock: Clock;
  readonly run: RunFileTask;
}

/** The bars of all files, and the files used and not used. */
export interface BarStore extends Omit<FileBarStore, "look"> {
  /** All files of a symbol, used or not. */
  filesOf(symbol: string): readonly BarFile[];
  /** Replaces a file that has changed; its rows are read again on the next request. */
  replace(file: BarFile): void;
  /** Skips a file whose rows turned out to be of no use. */
  remove(file: BarFile, reason: string): void;
  /** Series in use. */
  all(): readonly FileSeries[];
  /** Files that are not used because others are newer. */
  skipped(): readonly SkippedFile[];
  findings(): readonly FileNote[];
  /** Returns a number that changes whenever a file is replaced. */
  revision(): number;
}

/** Creates the store of bars by symbol and timeframe, which reads on demand and caches. */
export function createBarStore(
  sources: readonly BarFile[],
  { adjustment, splits, clock, run }: StoreOptions,
): BarStore {
  const files = new Map(sources.map((source) => [fileKey(source), source]));
  const findings = new Map<string, FileNote>();
  const removed: SkippedFile[] = [];
  /** Older files that give earlier bars. */
  const joined = new Set<BarFile>();
  const loading = new Map<string, Promise<void>>();
  const cache = createBoundedCache<string, LoadedSeries>({
    name: "bars of files",
    sizeOf: ({ bars }) => 6 * bars.time.byteLength,
  });
  const choose = () => {
    const { series, skipped } = chooseSeries([...files.values()], clock.now().getTime());
    const index = new Map(series.map((one) => [seriesKey(one.instrument.symbol, one.timeframe), one]));
    return { skipped, index, bySymbol: groupBy([...files.values()], ({ instrument }) => instrument.symbol) };
  };
  let choice = choose();
  let revision = 0;
  const seriesOf = (symbol: string, timeframe: ProviderTimeframe) =>
    choice.index.get(seriesKey(symbol, timeframe));
  const adjustmentOf = (symbol: string): Adjustment => (splits.isAdjusted(symbol) ? "split" : adjustment);
  const knownSplits = (symbol: string, until: number, { bars }: LoadedSeries) =>
    splitsUntil(splits.bySymbol.get(symbol) ?? [], until, bars.zone);
  const store: Omit<FileBarStore, "look"> = {
    timeframes: (symbol) =>
      PROVIDER_TIMEFRAMES.filter((timeframe) => seriesOf(symbol, timeframe) !== undefined),
    load(symbol, timeframe) {
      const key = seriesKey(symbol, timeframe);
      const pending = loading.get(key) ?? load(symbol, timeframe).finally(() => loading.delete(key));
      loading.set(key, pending);
      return pending;
    },
    fresher(symbol, timeframe) {
      const end = endOf(seriesOf(symbol, timeframe));
      const newer = store
        .timeframes(symbol)
        .filter((one) => TIMEFRAME_MS[one] < TIMEFRAME_MS[timeframe])
        .map((one) => ({
          one,
          bars: Math.floor((endOf(seriesOf(symbol, one)) - end) / TIMEFRAME_MS[timeframe]),
        }))
        .filter(({ bars }) => bars > 0)
        .sort((a, b) => b.bars - a.bars);
      return newer[0]?.one ?? null;
    },
    series(symbol, timeframe, until) {
      const key = seriesKey(symbol, timeframe);
      const loaded = remember(key, () => {
        const series = seriesOf(symbol, timeframe)!;
        return accept(series, loadExtended({ series, adjustment: adjustmentOf(symbol) }));
      });
      const known = knownSplits(symbol, until, loaded);
      if (known.length === 0) return loaded;
      return remember(`${key} ${known.length}`, () => ({
        ...loaded,
        bars: adjustForSplits(loaded.bars, known),
      }));
    },
    built(symbol, timeframe, { from, until }) {
      const base = store.series(symbol, from, until);
      const { instrument } = seriesOf(symbol, from)!;
      const { length } = knownSplits(symbol, until, base);
      const about = { asset_class: instrument.asset_class, hours: detectTradingHours(base.bars) };
      const key = `${seriesKey(symbol, timeframe)} ${length} of ${from}`;
      const found = remember(key, () => longerBars(base, timeframe, about) ?? NONE);
      return found === NONE ? null : found;
    },
    continued(symbol, timeframe, until) {
      const file = store.series(symbol, timeframe, until);
      const from = store.fresher(symbol, timeframe);
      if (from === null || endsAfter(file, until)) return file;
      const built = store.built(symbol, timeframe, { from, until });
      if (built === null) return file;
      const { length } = knownSplits(symbol, until, file);
      const names = { file: namesOf(seriesOf(symbol, timeframe)!), built: namesOf(seriesOf(symbol, from)!) };
      return remember(`${seriesKey(symbol, timeframe)} ${length} and ${from}`, () =>
        withFresherBars({ file, built, names, from }),
      );
    },
  };
  const endOf = (series: FileSeries | undefined): number =>
    Math.min(clock.now().getTime(), series?.sources.at(-1)?.last ?? -Infinity);
  async function load(symbol: string, timeframe: ProviderTimeframe): Promise<void> {
    const key = seriesKey(symbol, timeframe);
    for (let series = seriesOf(symbol, timeframe); series !== undefined && !cache.has(key); ) {
      const bytes = [...series.sources, ...series.earlier].reduce((sum, file) => sum + file.bytes, 0);
      const found = await run("load", { series, adjustment: adjustmentOf(symbol) }, bytes);
      const current = seriesOf(symbol, timeframe);
      if (current === series) {
        const loaded = accept(series, found);
        remember(key, () => loaded);
        return;
      }
      series = current;
    }
  }
  function accept(series: FileSeries, found: ExtendedSeries | null): LoadedSeries {
    if (found === null) throw changingError(series);
    for (const file of series.earlier) if (found.joined.includes(file.path)) joined.add(file);
    const last = printable(series.sources.at(-1)!.path);
    const ahead = describeFutureRows(found.loaded.bars, clock.now().getTime());
    const notes = ahead === null ? found.findings : [...found.findings, { file: last, note: ahead }];
    for (const note of notes) findings.set(`${note.file}: ${note.note}`, note);
    return found.loaded;
  }
  /** Chooses anew after a change of a file; its bars and the findings on its series' files are read again. */
  function change({ path, instrument: { symbol } }: BarFile, apply: () => void): void {
    apply();
    choice = choose();
    revision++;
    for (const key of cache.keys()) if (key.startsWith(`${symbol} `)) cache.delete(key);
    for (const file of joined) if (file.instrument.symbol === symbol) joined.delete(file);
    for (const [key, found] of findings) if (found.file === printable(path)) findings.delete(key);
  }
  function remember(key: string, read: () => LoadedSeries): LoadedSeries {
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const loaded = read();
    cache.set(key, loaded);
    return loaded;
  }
  return {
    ...store,
    filesOf: (symbol) => choice.bySymbol.get(symbol) ?? [],
    replace: (file) => change(file, () => files.set(fileKey(file), file)),
    remove(file, reason) {
      removed.push({ file: printable(file.path), reason });
      change(file, () => files.delete(fileKey(file)));
    },
    all: () => [...choice.index.values()],
    skipped: () => [
      ...removed,
      ...choice.skipped
        .filter(({ source }) => !joined.has(source))
        .map(({ file, reason }) => ({ file, reason })),
    ],
    findings: () => [...findings.values()],
    revision: () => revision,
  };
}

/** Identifies one series of a file, which may hold several symbols. */
const fileKey = ({ path, instrument }: BarFile): string => `${path}\n${instrument.symbol}`;

const changingError = ({ instrument }: FileSeries): ToolError =>
  new ToolError("NOT_CONNECTED", `The file of ${instrument.symbol} is being changed`, {
    hint: "Retry in a minute: changed files are read again.",
  });

/** Returns true if the last bar closes after an instant, epoch ms. */
function endsAfter({ bars: { time, timeframe, zone } }: LoadedSeries, instant: number): boolean {
  const last = time.at(-1);
  return last !== undefined && barCloseMs(last, timeframe, zone) > instant;
}
