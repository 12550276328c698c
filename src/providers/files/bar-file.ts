import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { barLabel, PROVIDER_TIMEFRAMES, type ProviderTimeframe } from "../../domain/market/bars.ts";
import type { Instrument } from "../../domain/market/market.ts";
import { type Listings, tickerOf } from "../../market/symbols/listings.ts";
import {
  barsFromRows,
  commonSpacing,
  type ParsedBars,
  timeframeOf,
  withoutLongerRows,
} from "./bars-from-rows.ts";
import { systematicFault } from "./faults.ts";
import { type FileName, parseFileName } from "./file-name.ts";
import { detectFormats } from "./formats.ts";
import { findLayout, type Layout, MAX_HEADER_LINES } from "./layout.ts";
import { sortedRows } from "./row-order.ts";
import { type RawRows, readRows } from "./rows.ts";
import { type CandidateFile, MAX_FILE_BYTES } from "./scan.ts";
import { decideStamps, type Stamps } from "./stamps.ts";
import { type FilePart, findParts } from "./symbol-column.ts";

/** Maximum number of characters in which the header is searched. */
const HEAD_CHARS = 32 * 1024;
/** Number of characters at either end of a long series that are inspected before it is requested; days of minutes. */
const SAMPLE_CHARS = 64 * 1024;
const DAY = 86_400_000;
/** Minimum number and share of the bars whose time has several different rows that refuse a file. */
const MIN_CORRECTED = 3;
const MAX_CORRECTED = 0.05;

/** One series of bars in a file. */
export interface BarFile extends CandidateFile {
  /** SHA-256 of the content, used to detect later changes of the file. */
  readonly digest: string;
  readonly instrument: Instrument;
  readonly timeframe: ProviderTimeframe;
  readonly layout: Layout;
  /** The rows of the series; all of the file if it holds no other. */
  readonly part: FilePart;
  readonly stamps: Pick<Stamps, "clock" | "isEnd" | "day">;
  /** Starts of the first and the last bar, epoch ms. */
  readonly first: number;
  readonly last: number;
  /** True if the name has a token without its pair; a file that names the pair is preferred. */
  readonly bare: boolean;
  /** Sentence that describes how the file was read. */
  readonly readAs: string;
  /** True if the last line may be half written and is not read. Default: false. */
  readonly partial?: boolean;
  /** True if only the first and last rows of the series have been inspected. Default: false. */
  readonly sampled?: boolean;
  readonly notes: readonly string[];
}

/** Returns the text and digest of a file, or the reason why it cannot be read as text. */
export function readText(file: CandidateFile): { text: string; digest: string } | string {
  const content = contentOf(file);
  if (content === null) return "it cannot be read";
  if (content.length > MAX_FILE_BYTES) return "it has grown too large";
  if (content[0] === 0xff && content[1] === 0xfe) return "it is written in UTF-16; save it as UTF-8";
  if (content.subarray(0, 4096).includes(0)) return "it is not a text file";
  const digest = createHash("sha256").update(content).digest("hex");
  return { text: content.toString("utf8").replace(/^\uFEFF/, ""), digest };
}

/**
 * Inspects a file over all its rows, or of long series over the first and last ones, which never refuses a file. Returns
 * a description of each series in it, or the reason to skip it. A file has several series only if it has a column of
 * symbols.
 */
export function inspectBarFiles(
  file: CandidateFile,
  listings: Listings,
  { sample = false, only }: { readonly sample?: boolean; readonly only?: string | undefined } = {},
): readonly BarFile[] | string {
  const read = readText(file);
  if (typeof read === "string") return read;
  const found = inspectText({ ...file, digest: read.digest, sampled: sample }, read.text, { listings, only });
  return sample && typeof found === "string" ? inspectBarFiles(file, listings) : found;
}

function inspectText(
  file: FileFacts["file"],
  full: string,
  { listings, only }: { readonly listings: Listings; readonly only: string | undefined },
): readonly BarFile[] | string {
  const lines = full.slice(0, HEAD_CHARS).split("\n", MAX_HEADER_LINES);
  const layout = findLayout(lines.map((line) => line.trimEnd()));
  if (typeof layout === "string") return layout;
  const text = file.sampled && layout.symbol === null ? excerptOf(full) : full;
  const formats = detectFormats(text, layout);
  if (typeof formats === "string") return formats;
  const name = parseFileName(file.path, (ticker) => listings.us.has(ticker));
  if (name.fault !== null) return name.fault;
  const found = findParts(text, { layout, name, listings });
  if (typeof found === "string") return found;
  const { parts, unknownRows, notes: nameNotes = [] } = found;
  const about: FileFacts = { file, text: full, name, layout: formats.layout };
  const series: BarFile[] = [];
  const skipped: string[] = [];
  const wanted = parts.filter(({ instrument }) => only === undefined || instrument.symbol === only);
  if (wanted.length === 0) return `it has no bars of ${only}`;
  for (const part of wanted) {
    const quick = inspectPart(part, about, listings);
    const inspected =
      typeof quick === "string" && file.sampled
        ? inspectPart(part, { ...about, file: { ...file, sampled: false } }, listings)
        : quick;
    if (typeof inspected === "string")
      skipped.push(parts.length === 1 ? inspected : `${part.instrument.symbol}: ${inspected}`);
    else series.push(inspected);
  }
  const [first, ...others] = series;
  if (first === undefined) return skipped[0]!;
  if (wanted[0] !== parts[0]) return series; // the notes on the file are those of its first series
  const notes = [
    ...first.notes,
    ...formats.notes,
    ...nameNotes,
    ...(parts.length > 1 ? [`its column of symbols holds ${parts.length} symbols; one series each`] : []),
    ...(unknownRows > 0
      ? [`${unknownRows} rows dropped: their symbol is not a US stock, fund or dollar pair of a coin`]
      : []),
    ...skipped.slice(0, MAX_LISTED).map((reason) => `not used: ${reason}`),
  ];
  const isNew = (note: string) => !first.notes.includes(note);
  return [
    { ...first, notes },
    ...others.map((one) => ({
      ...one,
      notes: one.notes.filter(isNew).map((note) => `${one.instrument.symbol}: ${note}`),
    })),
  ];
}

/** Maximum number of unused symbols of a file that are listed. */
const MAX_LISTED = 20;

/** Inspects a file, of several series the one of `symbol`. Default: the first. Returns the reason if it has none. */
export function inspectBarFile(file: CandidateFile, listings: Listings, symbol?: string): BarFile | string {
  const found = inspectBarFiles(file, listings, { only: symbol });
  return typeof found === "string" ? found : found[0]!;
}

interface FileFacts {
  readonly file: CandidateFile & { readonly digest: string; readonly sampled: boolean };
  readonly text: string;
  readonly name: FileName;
  readonly layout: Layout;
}

/** Reads the rows of one series, sorted if they are in no order. */
export const rowsOfPart = (text: string, layout: Layout, { span, choice }: FilePart): RawRows =>
  sortedRows(readRows(text, span === undefined ? layout : { ...layout, headerLines: 0 }, choice));

/** Returns the text of one series. */
export const textOfPart = (text: string, { span }: FilePart): string =>
  span === undefined ? text : text.slice(...span);

/** Returns the first and last lines of a long text, the text itself otherwise. */
function excerptOf(text: string): string {
  if (text.length <= 3 * SAMPLE_CHARS) return text;
  const head = text.slice(0, text.lastIndexOf("\n", SAMPLE_CHARS) + 1);
  const tail = text.slice(text.indexOf("\n", text.length - SAMPLE_CHARS) + 1);
  return head === "" || tail.length > SAMPLE_CHARS ? text : head + tail;
}

function inspectPart(part: FilePart, about: FileFacts, listings: Listings): BarFile | string {
  const { file, name, layout } = about;
  const { instrument } = part;
  const text = textOfPart(about.text, part);
  const excerpt = file.sampled ? excerptOf(text) : text;
  const sampled = excerpt !== text;
  const rows = rowsOfPart(excerpt, layout, part);
  if (sampled && rows.isSorted === true) return "its rows are in no order";
  const fault = systematicFault(rows, layout.width > 0);
  if (fault !== null) return fault;
  const spacing = commonSpacing(rows);
  const measured = spacing === null ? null : timeframeOf(spacing);
  if (spacing !== null && measured === null)
    return `its bars are ${formatDuration(spacing)} apart; supported are ${PROVIDER_TIMEFRAMES.join(", ")}`;
  const isDated = rows.wall.subarray(0, rows.length).every((wall) => wall % DAY === 0);
  const timeframe = measured ?? name.timeframe ?? (isDated ? "1d" : null);
  if (timeframe === null)
    return "its bar length is unknown: it has too few rows, and its name does not state it";
  if (name.suffix !== null && name.timeframe !== timeframe && !name.isVague && layout.symbol === null)
    return `its name ends in ${name.suffix}, which is ${name.timeframe ?? "more than 1d"} in the names of MetaTrader, but its bars are ${timeframe} apart; name it by its symbol alone, such as ${tickerOf(instrument)}.csv`;
  const zone = instrument.asset_class === "crypto" ? "UTC" : "America/New_York";
  const decided = decideStamps(withoutLongerRows(rows, timeframe), {
    timeframe,
    zone,
    stated: layout.zone,
    isEnd: layout.isEnd,
  });
  if (typeof decided === "string") return decided;
  const { notes: stampNotes, ...stamps } = decided;
  const parsed = barsFromRows(rows, { timeframe, zone, adjustment: "unknown", ...stamps });
  const { time, volume } = parsed.bars;
  if (time.length === 0) return "none of its rows is a bar of a trading day";
  const corrected = parsed.leftOut.get("corrected")?.length ?? 0;
  if (corrected >= MIN_CORRECTED && corrected > MAX_CORRECTED * time.length)
    return `${corrected} of its ${time.length} times have two rows with different figures, as in a file of several symbols or adjustments; keep one row of each time`;
  const bare = instrument.asset_class === "crypto" && part.choice === undefined && !/usd/i.test(name.symbol);
  return {
    ...file,
    instrument,
    timeframe,
    layout,
    part,
    stamps,
    first: time[0]!,
    last: time.at(-1)!,
    bare,
    sampled,
    readAs: describeSeries(instrument, parsed, { ...decided, sampled }),
    notes: [
      ...notesOn(layout, timeframe, name.timeframe),
      ...(rows.isSorted === true ? ["its rows are in no order of time; sorted"] : []),
      ...stampNotes,
      ...(!sampled && volume.every((units) => units === 0) ? ["its volume is 0 in every row"] : []),
      ...(bare && listings.us.has(tickerOf(instrument))
        ? [`read as ${instrument.symbol}; a file of the US fund is named ${tickerOf(instrument)}.US`]
        : []),
    ],
  };
}

function describeSeries(
  { symbol }: Instrument,
  { bars, omitted }: ParsedBars,
  { clock, isEnd, sampled }: Stamps & { readonly sampled: boolean },
): string {
  const { time, timeframe } = bars;
  const count = sampled ? "not counted yet" : `${time.length} ${time.length === 1 ? "bar" : "bars"}`;
  const range = `${barLabel(time[0]!, timeframe)} to ${barLabel(time.at(-1)!, timeframe)}`;
  const zone = clock === "UTC" ? "UTC" : "New York";
  const times =
    timeframe === "1d" ? "" : `, times ${isEnd ? "at the end of bars " : ""}in ${zone} unless stated`;
  const left =
    omitted.length === 0 || sampled
      ? ""
      : `; ${omitted.length} ${omitted.length === 1 ? "row" : "rows"} left out`;
  return `${timeframe} bars of ${symbol}: ${count}, ${range}${times}${left}`;
}

function contentOf({ real }: CandidateFile): Buffer | null {
  try {
    return readFileSync(real);
  } catch {
    return null;
  }
}

function notesOn(layout: Layout, timeframe: ProviderTimeframe, named: ProviderTimeframe | null): string[] {
  const notes: string[] = [];
  if (named !== null && named !== timeframe)
    notes.push(`named ${named}, but its bars are ${timeframe} apart; read as ${timeframe}`);
  if (layout.hasAdjustedClose) notes.push("adjusted close ignored; prices are open, high, low, close");
  if (layout.headerLines === 0) notes.push("no header; read as time, open, high, low, close, volume");
  return notes;
}

function formatDuration(ms: number): string {
  if (ms % DAY === 0) return `${ms / DAY} d`;
  return ms % 60_000 === 0 ? `${ms / 60_000} min` : `${ms / 1000} s`;
}
