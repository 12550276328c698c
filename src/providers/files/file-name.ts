import { basename, dirname, extname } from "node:path";
import type { Timeframe } from "../../domain/market/bars.ts";

/** Spellings of bar lengths in file and folder names. */
const TIMEFRAME_PATTERNS: Readonly<Record<Timeframe, RegExp>> = {
  "1d": /^(1d|d1|1day|daily|day)$/,
  "4h": /^(4h|h4|4hour|240m)$/,
  "1h": /^(1h|h1|1hour|hourly|60m|60min)$/,
  "30m": /^(30m|m30|30min)$/,
  "15m": /^(15m|m15|15min)$/,
  "5m": /^(5m|m5|5min)$/,
};

/** Words about the origin of a file, and dates, which are not part of the symbol. */
const IGNORED_WORDS =
  /^(binance|binanceus|bitfinex|bitstamp|bybit|coinbase|gemini|kraken|kucoin|okx|alpaca|nasdaq|polygon|massive|stooq|tiingo|tradier|yahoo|spot|perp|ohlcv?|bars|history|historical|data|raw|adj|adjusted|split|utc|ny|et|1m|1min|minute|1w|weekly|1mo|monthly|(19|20)\d{2}(-?\d{2}){0,2})$/;

/** Facts in the path of a file. */
export interface FileName {
  /** The symbol as written, such as `BRK-B` or `BTCUSDT`; empty without one. */
  readonly symbol: string;
  readonly timeframe: Timeframe | null;
}

/**
 * Parses symbol and bar length from a path inside the data folder: `BTCUSDT_1h_2022_2023.csv`,
 * `daily/BRK-B.csv`.
 */
export function parseFileName(path: string): FileName {
  const words = basename(path, extname(path))
    .replace(/-((?:19|20)\d{2}(?:-\d{2}){0,2})$/, "_$1")
    .replace(/-(\d+[a-z]+|daily|hourly)(?=_|$)/i, "_$1")
    .split(/[_\s]+/)
    .filter((word) => word !== "");
  const symbolWords = words.filter(
    (word) => timeframeIn(word) === null && !IGNORED_WORDS.test(word.toLowerCase()),
  );
  const symbol = symbolWords.length > 0 ? symbolWords : words.slice(0, 1); // SPOT, DAY and ET are stocks too
  const folders = dirname(path).split("/").reverse();
  const allWords = [...words, ...folders.flatMap((folder) => folder.split(/[_\-\s]+/))];
  return {
    symbol: symbol.join("-"),
    timeframe: allWords.map(timeframeIn).find((length) => length !== null) ?? null,
  };
}

function timeframeIn(word: string): Timeframe | null {
  const found = Object.entries(TIMEFRAME_PATTERNS).find(([, spelling]) => spelling.test(word.toLowerCase()));
  return found === undefined ? null : (found[0] as Timeframe);
}
