import type { UsRow } from "../../domain/market/listing-repository-port.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { plainText } from "../../lib/plain-text.ts";
import { displayText } from "../shared/display-text.ts";
import { createHttpClient, type ProviderSetup } from "../shared/http-client.ts";

/** Matches words for a company's ordinary shares at the end of a title. */
const SHARE_CLASS_SUFFIX =
  /(?:\s*[-,]\s*|\s+)(?:class [a-z] )?(?:common (?:stock|shares?)|ordinary shares?|capital stock|(?:sponsored )?american depositary (?:shares?|receipts?)|(?:sponsored )?ad[rs]s?|(?:common )?shares of beneficial interest)$/i;
/** Matches a par value, or what a share represents, in brackets or after a comma. */
const ANNOTATION =
  /\s*\((?:[^()]*\bpar value|(?:\d+ )?(?:each )?represent|each )(?:[^()]|\([^()]*\))*\)$|,? (?:each )?representing .*$/i;

/**
 * Returns a company's name without the words for its shares. Titles of warrants, units, rights, debt and preferred
 * shares, including depositary shares of these, stay unchanged.
 */
export function companyName(title: string): string {
  const plain = title.replace(ANNOTATION, "").trim();
  const name = plain.replace(SHARE_CLASS_SUFFIX, "").trim();
  const isWhole = name === plain || name === "" || /prefer/i.test(title);
  return isWhole ? title : name;
}

const BASE_URL = "https://www.nasdaqtrader.com";
const PATH = "/dynamic/SymDir/nasdaqtraded.txt";
/** Minimum number of rows of a complete list; a complete list has more than 12,000. */
const MIN_ROWS = 5_000;
const MAX_NAME_LENGTH = 80;
const COLUMNS = ["Symbol", "Security Name", "Listing Exchange", "ETF", "Test Issue"] as const;
const EXCHANGES: Readonly<Record<string, string>> = {
  A: "NYSE AMERICAN",
  M: "NYSE TEXAS",
  N: "NYSE",
  P: "NYSE ARCA",
  Q: "NASDAQ",
  V: "IEX",
  Z: "CBOE BZX",
};

interface NasdaqtraderSetup extends ProviderSetup {
  /** Minimum number of rows; a file with fewer counts as incomplete. Default: 5,000. */
  readonly minRows?: number;
}

/**
 * Creates the reader of all instruments of US exchanges, each once, from the symbol directory that Nasdaq Trader
 * publishes every trading day. Rejects only with ProviderFailure; a file without its header or last line, or with too
 * few rows, is "malformed".
 * @see https://www.nasdaqtrader.com/Trader.aspx?id=SymbolDirDefs
 */
export function nasdaqtraderListings({ minRows = MIN_ROWS, ...setup }: NasdaqtraderSetup) {
  const client = createHttpClient({ ...setup, baseUrl: setup.baseUrl ?? BASE_URL });
  return {
    name: "nasdaqtrader",
    async list({ signal }: { readonly signal: AbortSignal }): Promise<readonly UsRow[]> {
      const { body } = await client.text(PATH, { signal });
      const text = body.replace(/^\uFEFF/, "");
      if (text.trimStart().startsWith("<")) throw new ProviderFailure("blocked", "HTML page instead of data");
      return rowsOf(text, minRows);
    },
  };
}

function rowsOf(text: string, minRows: number): readonly UsRow[] {
  const lines = text.trimEnd().split(/\r?\n/);
  const header = lines.shift()?.split("|") ?? [];
  const missing = COLUMNS.filter((column) => header.indexOf(column) === -1);
  if (missing.length > 0) throw new ProviderFailure("malformed", `no column ${missing.join(", ")}`);
  if (!/^File Creation Time: ?\d{8}/.test(lines.pop() ?? ""))
    throw new ProviderFailure("malformed", "a file that was cut off");
  if (lines.length < minRows) throw new ProviderFailure("malformed", `fewer than ${minRows} rows`);
  const at = Object.fromEntries(COLUMNS.map((column) => [column, header.indexOf(column)]));
  const found = new Map<string, Omit<UsRow, "name"> & { readonly title: string }>();
  for (const line of lines) {
    const cells = line.split("|");
    const cell = (column: (typeof COLUMNS)[number]) => cells[at[column]!]!.trim();
    if (cells.length !== header.length || cell("Test Issue") === "Y") continue;
    const ticker = tickerOf(cell("Symbol"));
    const title = displayText(cell("Security Name"), 4 * MAX_NAME_LENGTH);
    if (ticker === null || title === "" || found.has(ticker)) continue;
    const asset_class = cell("ETF") === "Y" ? "etf" : "equity";
    found.set(ticker, { ticker, title, asset_class, exchange: EXCHANGES[cell("Listing Exchange")] ?? "US" });
  }
  return withDisplayNames([...found.values()]);
}

/** Converts a preferred share such as `ABR$D` to `ABR-PD`; other symbols stay unchanged. */
const tickerOf = (symbol: string): string | null => {
  const ticker = symbol.replace(/\$([A-Z]?)$/, "-P$1");
  return /^[A-Z][A-Z0-9]{0,7}(\.[A-Z]|-P[A-Z]?)?$/.test(ticker) ? ticker : null;
};

/** Shortens names, unless two securities would have the same short name. */
function withDisplayNames(
  rows: readonly (Omit<UsRow, "name"> & { readonly title: string })[],
): readonly UsRow[] {
  const short = rows.map(({ title, asset_class }) => (asset_class === "etf" ? title : companyName(title)));
  const counts = new Map<string, number>();
  for (const name of short) counts.set(name.toLowerCase(), (counts.get(name.toLowerCase()) ?? 0) + 1);
  return rows.map(({ title, ...row }, i) => {
    const isUnique = counts.get(short[i]!.toLowerCase()) === 1;
    return { ...row, name: plainText(isUnique ? short[i]! : title, MAX_NAME_LENGTH) };
  });
}
