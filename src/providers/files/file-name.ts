import { basename, dirname, extname } from "node:path";
import type { ProviderTimeframe } from "../../domain/market/bars.ts";

/** Spellings of timeframes in file and folder names; bare numbers are minutes, as in the downloads of Kraken. */
const TIMEFRAME_PATTERNS: Readonly<Record<ProviderTimeframe, RegExp>> = {
  "1d": /^(1d|d1?|1day|daily|day|1440)$/,
  "4h": /^(4h|h4|4hour|240m?)$/,
  "1h": /^(1h|h1|1hour|hourly|60|60m|60min)$/,
  "30m": /^(30|30m|m30|30min)$/,
  "15m": /^(15|15m|m15|15min)$/,
  "5m": /^(5|5m|m5|5min)$/,
  "1m": /^(1|1m|m1|1min)$/,
};

/** Words that are not part of the symbol: the origin of a file, what it holds, and dates. */
const IGNORED_WORDS = new RegExp(
  `^(${[
    "binance|binanceus|bitfinex|bitstamp|bybit|coinbase|gemini|kraken|kucoin|okx|alpaca|nasdaq|nyse|amex|bats|cboe",
    "polygon|massive|stooq|tiingo|tradier|yahoo|barchart|tradingview|firstrate|spot|perp|ohlcv?|ohlcvt|bars|candles?|klines?",
    "history|historical|data|datas?et|prices?|stocks?|quotes?|export|download|intraday|raw|adj|adjusted|unadjusted|split",
    "adjsplit|adjsplitdiv|full|sample|utc|ny|et|1m|1min|minute|1w|w1|10080|weekly|1mo|mn1|43200|monthly",
    "historical-data|historicaldata|historicalprices|price-history",
    String.raw`(19|20)\d{2}(-?\d{2}){0,5}|\(\d+\)|-`,
  ].join("|")})$`,
);

/** Pairs as Kraken names them: `XBTUSD`, `XXBTZUSD`, `XDGUSD`. */
const KRAKEN_PAIR = /^(?:X?(XBT|XDG)|X(ETH|LTC|XRP|XLM|XMR|ZEC|ETC|REP|MLN)(?=.))(?:[-/_]?Z?(USD[TC]?))?$/i;
const KRAKEN_BASES: Readonly<Record<string, string>> = { XBT: "BTC", XDG: "DOGE" };

/** Bar lengths behind a symbol without a separator, as MetaTrader (`AAPL1440`, `AAPLM5`) and Kraken name their exports. */
const LETTERED = /^#?([a-z]+(?:[.-][a-z]+)?)(MN1|W1|D1|H[14]|M(?:1|5|15|30))$/i;
const NUMBERED = /^#?(?!.*-[dhm]\d+$)([a-z]+(?:[.-][a-z]+)?)(43200|10080|1440|240|60|30|15|5|1)$/i;

/** Symbol and timeframe stated in the path of a file. */
export interface FileName {
  /** The symbol as written, such as `BRK-B` or `BTCUSDT`; empty without one. */
  readonly symbol: string;
  readonly timeframe: ProviderTimeframe | null;
  /** Bar length written behind the symbol without a separator, such as `1440` or `M5`; null without one. */
  readonly suffix: string | null;
  /** Reason why the name is not read if it has two meanings, such as `GM5` of GM or of G; null otherwise. */
  readonly fault: string | null;
  /** True if all words are such as `data` or `daily`, which may be a ticker too. */
  readonly isVague: boolean;
}

/**
 * Parses symbol and bar length from a path inside the data folder: `BTCUSDT_1h_2022_2023.csv`, `daily/BRK-B.csv`.
 * `isListed` tells whether a ticker exists, which decides whether a letter belongs to the symbol or to the bar length.
 */
export function parseFileName(path: string, isListed: (ticker: string) => boolean = () => false): FileName {
  const stem = basename(path, extname(path));
  const readings = [LETTERED, NUMBERED].flatMap((pattern) => {
    const [, symbol, length] = pattern.exec(stem) ?? [];
    return symbol === undefined ? [] : [{ symbol, length: length! }];
  });
  const listed = readings.filter(({ symbol }) => isListed(symbol.toUpperCase()));
  const [suffixed] = [...listed, ...readings];
  const words = (suffixed === undefined ? stem : `${suffixed.symbol}_${suffixed.length}`)
    .replace(/, *(\w+)_[0-9a-f]{5}$/, ", $1") // a chart's id in the exports of TradingView
    .replace(/-\d{2}-\d{2}-((?:19|20)\d{2})$/, "")
    .replace(/-((?:19|20)\d{2}(?:-\d{2}){0,2})$/, "_$1")
    .replace(/-(\d+[a-z]+|daily|hourly|[dhm]\d+)(?=_|$)/i, "_$1")
    .split(/[_\s,]+/)
    .filter((word) => word !== "");
  const symbolWords = words.filter(
    (word, at) => !(at > 0 ? timeframeIn(word) : lengthIn(word)) && !IGNORED_WORDS.test(word.toLowerCase()),
  );
  const symbol = symbolWords.length > 0 ? symbolWords : words.slice(0, 1); // if all words are ignored ones, the first is the symbol: SPOT, DAY and ET are stocks too
  const folders = dirname(path).split("/").reverse();
  const folderWords = folders.flatMap((folder) => folder.split(/[_\-\s]+/));
  const lengths = [...words.slice(1).map(timeframeIn), ...[words[0] ?? "", ...folderWords].map(lengthIn)];
  return {
    symbol: krakenPair(symbol.join("-").replace(/-us$/i, ".US")),
    timeframe: lengths.find((length) => length !== null) ?? null,
    suffix: suffixed?.length ?? null,
    fault:
      listed.length < 2
        ? null
        : `its name may mean ${listed.map(({ symbol, length }) => `${symbol.toUpperCase()} with ${length}`).join(" or ")}; write an underscore before the bar length`,
    isVague: symbolWords.length === 0,
  };
}

/** Returns the usual name of a pair in Kraken's own spelling; other names unchanged. */
export function krakenPair(name: string): string {
  const [, bitcoin, base = bitcoin, quote = "USD"] = KRAKEN_PAIR.exec(name) ?? [];
  return base === undefined ? name : `${KRAKEN_BASES[base.toUpperCase()] ?? base}-${quote}`;
}

function timeframeIn(word: string): ProviderTimeframe | null {
  if (word === "1M") return null; // may mean a month
  const found = Object.entries(TIMEFRAME_PATTERNS).find(([, spelling]) => spelling.test(word.toLowerCase()));
  return found === undefined ? null : (found[0] as ProviderTimeframe);
}

/** Returns the bar length of a word that can mean nothing else: not a number, and not the ticker D. */
const lengthIn = (word: string): ProviderTimeframe | null =>
  /^(\d+|d)$/i.test(word) ? null : timeframeIn(word);
