import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, dirname, extname } from "node:path";
import { PROVIDER_TIMEFRAMES, type ProviderTimeframe } from "../../domain/market/bars.ts";
import type { Instrument } from "../../domain/market/market.ts";
import { canonicalOf } from "../../market/symbols/directory.ts";
import { type Listings, tickerOf } from "../../market/symbols/listings.ts";
import { commonSpacing, timeframeOf } from "./bars-from-rows.ts";
import { findLayout, type Layout } from "./layout.ts";
import { formatDroppedRows, type RawRows, readRows } from "./rows.ts";
import { type CandidateFile, MAX_FILE_BYTES } from "./scan.ts";

/** Spellings of timeframes in file and folder names. */
const TIMEFRAME_PATTERNS: Readonly<Record<ProviderTimeframe, RegExp>> = {
  "1d": /^(1d|d1|1day|daily|day)$/,
  "4h": /^(4h|h4|4hour|240m)$/,
  "1h": /^(1h|h1|1hour|hourly|60m|60min)$/,
  "30m": /^(30m|m30|30min)$/,
  "15m": /^(15m|m15|15min)$/,
  "5m": /^(5m|m5|5min)$/,
  "1m": /^(1m|m1|1min)$/,
};

/** Words that are not part of the symbol: the origin of a file, and dates. */
const IGNORED_WORDS =
  /^(binance|binanceus|bitfinex|bitstamp|bybit|coinbase|gemini|kraken|kucoin|okx|alpaca|nasdaq|polygon|massive|stooq|tiingo|tradier|yahoo|spot|perp|ohlcv?|bars|history|historical|data|raw|adj|adjusted|split|utc|ny|et|1m|1min|minute|1w|weekly|1mo|monthly|(19|20)\d{2}(-?\d{2}){0,2})$/;

/** Symbol and timeframe stated in the path of a file. */
interface FileName {
  /** The symbol as written, such as `BRK-B` or `BTCUSDT`; empty without one. */
  readonly symbol: string;
  readonly timeframe: ProviderTimeframe | null;
}

/** Parses symbol and bar length from a path inside the data folder: `BTCUSDT_1h_2022_2023.csv`, `daily/BRK-B.csv`. */
export function parseFileName(path: string): FileName {
  const words = basename(path, extname(path))
    .replace(/-((?:19|20)\d{2}(?:-\d{2}){0,2})$/, "_$1")
    .replace(/-(\d+[a-z]+|daily|hourly)(?=_|$)/i, "_$1")
    .split(/[_\s]+/)
    .filter((word) => word !== "");
  const symbolWords = words.filter(
    (word) => timeframeIn(word) === null && !IGNORED_WORDS.test(word.toLowerCase()),
  );
  const symbol = symbolWords.length > 0 ? symbolWords : words.slice(0, 1); // if all words are ignored ones, the first is the symbol: SPOT, DAY and ET are stocks too
  const folders = dirname(path).split("/").reverse();
  const allWords = [...words, ...folders.flatMap((folder) => folder.split(/[_\-\s]+/))];
  return {
    symbol: symbol.join("-"),
    timeframe: allWords.map(timeframeIn).find((length) => length !== null) ?? null,
  };
}

function timeframeIn(word: string): ProviderTimeframe | null {
  if (word === "1M") return null; // may mean a month
  const found = Object.entries(TIMEFRAME_PATTERNS).find(([, spelling]) => spelling.test(word.toLowerCase()));
  return found === undefined ? null : (found[0] as ProviderTimeframe);
}

const HEAD_LINES = 64;
const TAIL_CHARS = 2_000;
const DAY = 86_400_000;

/** Description of a file of bars, from its first and last rows. */
export interface BarFile extends CandidateFile {
  /** SHA-256 of the content, used to detect later changes of the file. */
  readonly digest: string;
  readonly instrument: Instrument;
  readonly timeframe: ProviderTimeframe;
  readonly layout: Layout;
  /** Earliest and latest time seen in the first and last rows, as written (ms). */
  readonly first: number;
  readonly last: number;
  /** True if the name has a token without its pair; a file that names the pair is preferred. */
  readonly bare: boolean;
  /** True if the last line may be half written and is not read. Default: false. */
  readonly partial?: boolean;
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

/** Inspects a file's name, header, first and last rows. Returns its description, or the reason to skip it. */
export function inspectBarFile(file: CandidateFile, listings: Listings): BarFile | string {
  const read = readText(file);
  if (typeof read === "string") return read;
  const lines = read.text.slice(0, 32 * 1024).split("\n", HEAD_LINES);
  const layout = findLayout(lines.slice(0, 5).map((line) => line.trimEnd()));
  if (typeof layout === "string") return layout;
  const head = readRows(lines.join("\n"), layout);
  if (head.dayFirstLine !== null) return dayFirstReason(head.dayFirstLine);
  if (head.length === 0)
    return `it has no valid row in its first ${Math.min(lines.length, HEAD_LINES)} lines${formatUnsoundRows(head)}`;
  if (layout.headerLines === 0 && head.badLines.length > head.length)
    return "it has no header, and its columns are not time, open, high, low, close, volume";
  const spacing = commonSpacing(head);
  const name = parseFileName(file.path);
  const measured = spacing === null ? null : timeframeOf(spacing);
  if (spacing !== null && measured === null)
    return `its bars are ${formatDuration(spacing)} apart; supported are ${PROVIDER_TIMEFRAMES.join(", ")}${formatUnsoundRows(head)}`;
  const timeframe =
    measured ?? name.timeframe ?? (head.wall.subarray(0, head.length).every(isMidnight) ? "1d" : null);
  if (timeframe === null)
    return "its bar length is unknown: it has too few rows, and its name does not state it";
  const instrument = canonicalOf(name.symbol, listings);
  if (instrument === null) return "its name is not a symbol";
  const bare = instrument.asset_class === "crypto" && !/usd/i.test(name.symbol);
  const ends = [
    ...wallTimes(head),
    ...wallTimes(readRows(lastLines(read.text), { ...layout, headerLines: 0 })),
  ];
  return {
    ...file,
    digest: read.digest,
    instrument,
    timeframe,
    layout,
    first: Math.min(...ends),
    last: Math.max(...ends),
    bare,
    notes: [
      ...notesOn(layout, timeframe, name.timeframe),
      ...(bare && listings.us.has(tickerOf(instrument))
        ? [`read as ${instrument.symbol}; a file of the US fund is named ${tickerOf(instrument)}.US`]
        : []),
    ],
  };
}

function contentOf({ real }: CandidateFile): Buffer | null {
  try {
    return readFileSync(real);
  } catch {
    return null;
  }
}

/** Returns the reason to refuse a file whose dates are not in US order (month first). */
export const dayFirstReason = (line: number): string =>
  `line ${line} holds a date whose month is over 12; dates with slashes are read as MM/DD/YYYY, others as YYYY-MM-DD`;

function notesOn(layout: Layout, timeframe: ProviderTimeframe, named: ProviderTimeframe | null): string[] {
  const notes: string[] = [];
  if (named !== null && named !== timeframe)
    notes.push(`named ${named}, but its bars are ${timeframe} apart; read as ${timeframe}`);
  if (layout.hasAdjustedClose) notes.push("adjusted close ignored; prices are open, high, low, close");
  if (layout.headerLines === 0) notes.push("no header; read as time, open, high, low, close, volume");
  return notes;
}

/** Formats the list of lines that could not be read. */
function formatUnsoundRows({ badLines }: RawRows): string {
  const dropped = formatDroppedRows(badLines);
  return dropped === null ? "" : `; ${dropped}: not a valid row (time, open, high, low, close, volume)`;
}

const isMidnight = (wall: number): boolean => wall % DAY === 0;
const wallTimes = ({ wall, length }: RawRows): number[] => [...wall.subarray(0, length)];
const lastLines = (text: string): string => text.slice(-TAIL_CHARS).replace(/^[^\n]*\n/, "");

function formatDuration(ms: number): string {
  if (ms % DAY === 0) return `${ms / DAY} d`;
  return ms % 60_000 === 0 ? `${ms / 60_000} min` : `${ms / 1000} s`;
}
