import type { SessionZone } from "../../domain/market/bars.ts";
import type { NumberFormat } from "../../lib/number-format.ts";
import { splitLine } from "./csv.ts";
import { type DateOrder, isTimeOfDay, parseWrittenTime, yearLastDate } from "./written-time.ts";

/** Layout of a file: the index of each column, from 0, and how its cells are written. */
export interface Layout {
  readonly separator: string;
  /** Number of lines before the first row. */
  readonly headerLines: number;
  readonly time: number;
  /** Column of the time of day; null if it is not separate from the date. */
  readonly timeOfDay: number | null;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  /** Column of the adjusted close; null without one. */
  readonly adjusted: number | null;
  /** Column of the symbol; null without one. */
  readonly symbol: number | null;
  /** Columns in which one value holds for all rows of a usable file: the currency and the bar length; null without one. */
  readonly currency: number | null;
  readonly interval: number | null;
  /** Symbol in the caption lines that pandas writes; null without one. */
  readonly caption: string | null;
  /** Number of cells of the header; 0 without a header. */
  readonly width: number;
  /** Time zone that the header states for times without an offset; null if it states none. */
  readonly zone: SessionZone | null;
  /** True if the header names the time at which a bar ends. */
  readonly isEnd: boolean;
  readonly hasAdjustedClose: boolean;
  /** Default: US numbers in comma-separated files, otherwise unsure. */
  readonly numbers: NumberFormat;
  /** Default: null, as in `parseWrittenTime`. */
  readonly dates: DateOrder | null;
}

/** Number of lines in which the header is searched. */
export const MAX_HEADER_LINES = 20;
const MAX_NAME_LENGTH = 60;
const SEPARATORS = [",", ";", "\t", "|"] as const;
/** Header names of the time column, the most specific first. */
const TIMES = [
  /^(time|date|datetime|timestamp)_utc$/,
  /^(time|date|datetime|timestamp)_ny$/,
  /^(unix|unix[ _]timestamp|epoch|open[_ ]?time|window_start|ts_event)$/,
  /^(datetime|date[_ /]time|timestamp|ts|local time)$/,
  /^(date|trade[_ ]date|trading[_ ]date|dtyyyymmdd)$/,
  /^(time|t|gmt time|begins_at|unnamed: 0|)$/,
  /^(close[_ ]?time|time[_ ]close|end|end[_ ]time)$/,
];
const PRICES = {
  open: /^(o|open|open[ _]?price|opening|opening price)$/,
  high: /^(h|high|high[ _]?price|highest)$/,
  low: /^(l|low|low[ _]?price|lowest)$/,
  close:
    /^(c|close|close[ _]?price|closing|closing price|close\/last|last|last[ _]?price|latest|close ?close price.*)$/,
} as const;
const VOLUME = [
  /^(v|vol\.?|volume|volume traded|shares traded)$/,
  /^volume[ _(]+(?!\W*(usd|currency|quote))/,
  /^volume\b/,
];
const ADJUSTED = /^adj(usted)?[ _.]{0,2}close/;
const SYMBOLS = [
  /^(symbol|ticker|tic|sym|stock[ _]symbol|instrument|security|secid|pair|ric)$/,
  /^(symbols|tickers|stock|code|coin|asset)$/,
  /^(name|stock[ _]name)$/,
];
const CURRENCY = /^(currency|ccy|quote[ _]currency)$/;
const INTERVAL = /^(timeframe|interval|resolution|per)$/;
/** Currencies in the headers of price columns other than US dollars and the stablecoins read as dollars. */
const OTHER_CURRENCY = /[([]\s*(eur|gbp|gbx|chf|jpy|cad|aud|inr|cny|hkd|krw|brl|€|£|¥|₹)\s*[)\]]/;

/** Header names in other languages; three of them make a header. */
const OTHER_LANGUAGE =
  /^(datum|er(ö|oe)ffn(ung|\.)?|erster|hoch|tief|schluss(kurs)?|zuletzt|volumen|fecha|apertura|m[áa]ximo|m[íi]nimo|[úu]ltimo|cierre|ouv(erture|\.)?|(plus )?haut|(plus )?bas|cl[ôo]ture|dernier|data|abertura|m[áa]xima|m[íi]nima|fechamento|massimo|chiusura|koers|laagste?|hoogste?|slot)$/;

/** Finds the columns in a file's first lines. Returns the reason if they are not OHLCV columns. */
export function findLayout(lines: readonly string[]): Layout | string {
  let nearest = "it has no columns open, high, low, close";
  const first = lines.findIndex((line) => line.trim() !== "");
  for (const [index, line] of lines.entries()) {
    for (const separator of SEPARATORS) {
      const cells = splitLine(line, separator);
      if (index === first) {
        const numbers = numbersAfterTime(cells);
        if (numbers >= 5) return withoutHeader(separator, cells, index);
        if (numbers === 4)
          nearest = "it has no header, and its rows have no fifth number: the volume is missing";
      }
      const names = cells.map(plainName);
      if (names.filter((name) => OTHER_LANGUAGE.test(name)).length >= 3)
        nearest =
          "its header is not in English: name its columns date, open, high, low, close and volume; prices are in US dollars";
      const isHeader = Object.values(PRICES)
        .slice(0, 3)
        .every((name) => names.some((cell) => name.test(cell)));
      if (!isHeader) continue;
      const currency = OTHER_CURRENCY.exec(line.toLowerCase())?.[1];
      if (currency !== undefined) return `its prices are in ${currency.toUpperCase()}, not in US dollars`;
      const captions = captionLines(lines.slice(index + 1), separator);
      const layout = fromHeader(separator, cells, index + 1 + captions.length);
      if (typeof layout === "string") nearest = layout;
      else return { ...layout, caption: captionOf([...lines.slice(0, index), ...captions], layout) };
    }
  }
  return nearest;
}

function fromHeader(separator: string, cells: readonly string[], headerLines: number): Layout | string {
  const names = cells.map(plainName);
  const found = (name: RegExp) => names.findIndex((cell) => name.test(cell));
  const optional = (column: number) => (column < 0 ? null : column);
  let time = firstOf(TIMES.map(found));
  let close = found(PRICES.close);
  const price = names.indexOf("price"); // in files written by pandas this is the header above the dates, elsewhere the close
  if (time < 0 && price === 0) time = price;
  else if (close < 0) close = price;
  const columns = {
    open: found(PRICES.open),
    high: found(PRICES.high),
    low: found(PRICES.low),
    close,
    volume: firstOf(VOLUME.map(found)),
  };
  if (time < 0) return "it has no column of dates or times";
  for (const [name, column] of Object.entries(columns)) {
    if (column < 0) return `it has no column ${name}, which is required`;
    if (names.lastIndexOf(names[column]!) !== column) return `it has two columns ${name}`;
  }
  const clock = /date|dtyyyymmdd/.test(names[time]!) ? names.findIndex((cell) => /^time$/.test(cell)) : -1;
  const written = cells[time]!.toLowerCase();
  return {
    separator,
    headerLines,
    time,
    timeOfDay: optional(clock === time ? -1 : clock),
    ...columns,
    adjusted: optional(found(ADJUSTED)),
    symbol: optional(firstOf(SYMBOLS.map(found))),
    currency: optional(found(CURRENCY)),
    interval: optional(found(INTERVAL)),
    caption: null,
    width: cells.length,
    zone: zoneOf(written),
    isEnd: TIMES.at(-1)!.test(names[time]!),
    hasAdjustedClose: found(ADJUSTED) >= 0,
    ...defaultFormats(separator),
  };
}

const firstOf = (columns: readonly number[]): number => columns.find((column) => column >= 0) ?? -1;
const defaultFormats = (separator: string) =>
  ({ numbers: separator === "," ? "us" : "unsure", dates: null }) as const;

function withoutHeader(separator: string, cells: readonly string[], headerLines: number): Layout {
  const apart = isTimeOfDay(cells[1]!) ? 1 : 0;
  const [open, high, low, close, volume] = [1, 2, 3, 4, 5].map((column) => column + apart);
  return {
    separator,
    headerLines,
    time: 0,
    timeOfDay: apart === 1 ? 1 : null,
    open: open!,
    high: high!,
    low: low!,
    close: close!,
    volume: volume!,
    adjusted: null,
    symbol: null,
    currency: null,
    interval: null,
    caption: null,
    width: 0,
    zone: null,
    isEnd: false,
    hasAdjustedClose: false,
    ...defaultFormats(separator),
  };
}

/** Returns how many of the cells after a time are numbers, at most up to the first that is none; 0 without a time. */
function numbersAfterTime(cells: readonly string[]): number {
  const time = cells[0] ?? "";
  if (parseWrittenTime(time) === null && yearLastDate(time) === null) return 0;
  const rest = cells.slice(isTimeOfDay(cells[1] ?? "") ? 2 : 1);
  const end = rest.findIndex((cell) => !/^\$?-?[\d.,]*\d[\d.,]*(e[+-]?\d+)?[kmb]?$/i.test(cell));
  return end < 0 ? rest.length : end;
}

/** Returns the extra header lines below the header, which pandas writes for several tickers. */
function captionLines(lines: readonly string[], separator: string): readonly string[] {
  const row = lines.findIndex(
    (line) => !/^(ticker|tickers|symbol|symbols|date|datetime)$/i.test(splitLine(line, separator)[0] ?? ""),
  );
  return lines.slice(0, Math.max(row, 0));
}

/** Returns the symbol above or below the header of the close; null without a line of symbols. */
function captionOf(lines: readonly string[], { separator, close }: Layout): string | null {
  const captions = lines.map((line) => splitLine(line, separator));
  const found = captions.find(([label = ""]) => /^(tickers?|symbols?)$/i.test(label));
  return found?.[close] || null;
}

/** Returns a header name in lower case without brackets, footnote marks, numbers, units and the ticker before it. */
function plainName(cell: string): string {
  const name = cell
    .slice(0, MAX_NAME_LENGTH)
    .toLowerCase()
    .replace(/^\('([^']*)', ?'[^']*'\)$/, "$1")
    .replace(/^[<\s#]+|[>\s*\u2020\u2021]+$/g, "")
    .replace(/^\d[ab]?\. /, "")
    .replace(/^[a-z0-9^-]{1,8}\.(?=(open|high|low|close|volume|adjusted)$)/, "");
  return name.startsWith("volume")
    ? name.replace(/[ _]*[([]\s*/, " ").replace(/[)\]]$/, "")
    : name.replace(/\s*[([].*$/, "");
}

function zoneOf(name: string): SessionZone | null {
  if (/_ny$|\b(et|est|edt|eastern|new[ _]york)\b|_et$/.test(name)) return "America/New_York";
  return /_utc$|\b(utc|gmt)\b/.test(name) ? "UTC" : null;
}
