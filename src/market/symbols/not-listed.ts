import type { NotListed } from "../../domain/market/market.ts";
import type { Listings } from "./listings.ts";
import { squeeze } from "./name-letters.ts";

interface Index {
  readonly name: string;
  /** Fund that tracks it; null if there is none here. */
  readonly fund: string | null;
  /** Sentence on a substitute if no fund tracks it. Default: none. */
  readonly instead?: string;
  /** True if providers have its level. Default: false. */
  readonly quoted?: true;
}

/**
 * Indices by symbol, with the fund that tracks each, and its other names separated by bars. The first symbol of a quoted
 * index is its canonical one, without the caret.
 */
const INDICES: readonly (readonly [symbols: string, index: Index, names?: string])[] = [
  [
    "GSPC SPX INX SPXW US500 SP500",
    { name: "the S&P 500 index", fund: "SPY", quoted: true },
    "s&p|s&p 500|s&p 500 index|s and p|s and p 500|standard and poors 500",
  ],
  [
    "NDX US100 NAS100",
    { name: "the Nasdaq-100 index", fund: "QQQ", quoted: true },
    "nasdaq 100|nasdaq 100 index",
  ],
  [
    "DJI DJIA INDU US30",
    { name: "the Dow Jones Industrial Average", fund: "DIA", quoted: true },
    "dow jones|the dow jones|dow jones industrial average|dow industrials|dow 30",
  ],
  [
    "RUT US2000",
    { name: "the Russell 2000 index", fund: "IWM", quoted: true },
    "russell 2000|the russell 2000|the russell|russell 2k|russell 2000 index",
  ],
  [
    "IXIC CCMP COMP COMPX",
    { name: "the Nasdaq Composite index", fund: "ONEQ", quoted: true },
    "nasdaq composite|nasdaq composite index",
  ],
  [
    "VIX",
    {
      name: "the volatility index of the S&P 500",
      fund: null,
      instead: "VIXY is a fund that holds its futures, which move less and lose value over time",
      quoted: true,
    },
    "volatility index",
  ],
  ["OEX", { name: "the S&P 100 index", fund: "OEF", quoted: true }, "s&p 100"],
  ["MID SP400", { name: "the S&P MidCap 400 index", fund: "MDY", quoted: true }, "s&p 400|s&p midcap 400"],
  [
    "SP600 SML",
    { name: "the S&P SmallCap 600 index", fund: "IJR", quoted: true },
    "s&p 600|s&p smallcap 600",
  ],
  ["RUI", { name: "the Russell 1000 index", fund: "IWB", quoted: true }, "russell 1000"],
  ["RUA", { name: "the Russell 3000 index", fund: "IWV", quoted: true }, "russell 3000"],
  [
    "SOX",
    {
      name: "the PHLX Semiconductor index",
      fund: null,
      instead: "SOXX is a fund of a similar index",
      quoted: true,
    },
    "phlx semiconductor index",
  ],
  [
    "DJT",
    { name: "the Dow Jones Transportation Average", fund: "IYT", quoted: true },
    "dow transports|dow jones transportation average",
  ],
  ["DJU", { name: "the Dow Jones Utility Average", fund: null, quoted: true }, "dow jones utility average"],
  ["NYA", { name: "the NYSE Composite index", fund: null, quoted: true }, "nyse composite"],
  ["VXN", { name: "the volatility index of the Nasdaq-100", fund: null, quoted: true }],
  ["TNX", { name: "the ten-year Treasury yield", fund: null }],
  [
    "DXY USDX",
    { name: "the US dollar index", fund: null, instead: "UUP is a fund that holds futures on it" },
  ],
  ["DAX GDAXI", { name: "the DAX index", fund: null }],
  ["FTSE UKX", { name: "the FTSE 100 index", fund: null }, "ftse 100"],
  ["N225 NKY NIKKEI", { name: "the Nikkei 225 index", fund: null }, "nikkei 225"],
  ["HSI", { name: "the Hang Seng index", fund: null }, "hang seng"],
  ["STOXX STOXX50E SX5E", { name: "the Euro Stoxx 50 index", fund: null }, "euro stoxx 50"],
  ["CAC FCHI", { name: "the CAC 40 index", fund: null }, "cac 40"],
  ["KOSPI KS11", { name: "the KOSPI index", fund: null }],
  ["SENSEX BSESN", { name: "the Sensex index", fund: null }],
  ["EURIBOR", { name: "an interest rate between European banks", fund: null }],
  ["NIFTY NSEI", { name: "the Nifty 50 index", fund: null }, "nifty 50"],
];

/** Former tickers of listed companies, after the current ticker. */
const RENAMED: readonly (readonly [now: string, former: string])[] = [
  ["META", "FB"],
  ["XYZ", "SQ"],
  ["ELV", "ANTM WLP"],
  ["PSKY", "PARA VIAC"],
  ["FISV", "FI"],
  ["COR", "ABC"],
  ["EG", "RE"],
  ["DOC", "PEAK"],
  ["WTW", "WLTW"],
  ["LUMN", "CTL"],
  ["TFC", "BBT"],
  ["RTX", "UTX"],
  ["VTRS", "MYL"],
  ["BBWI", "LB"],
  ["CTRA", "COG"],
  ["BKNG", "PCLN"],
  ["WELL", "HCN"],
  ["CPRI", "KORS"],
  ["TPR", "COH"],
  ["GL", "TMK"],
  ["GEN", "NLOK SYMC"],
  ["WBD", "DISCA"],
  ["BALL", "BLL"],
  ["RVTY", "PKI"],
  ["LHX", "HRS"],
  ["SHEL", "RDS.A RDS.B"],
  ["TTE", "TOT"],
  ["STLA", "FCAU"],
  ["DD", "DWDP"],
  ["GAP", "GPS"],
  ["CPAY", "FLT"],
  ["DAY", "CDAY"],
  ["TCOM", "CTRP"],
  ["EXE", "CHK"],
  ["SW", "WRK"],
];

/** Former symbols of tokens that were exchanged one for one, after the current symbol. */
const RENAMED_TOKENS: ReadonlyMap<string, string> = new Map([
  ["RNDR", "RENDER"],
  ["FTM", "S"],
]);

/** Tickers of companies whose stock no longer trades, with the reason and the day. */
const DELISTED: readonly (readonly [ticker: string, company: string, why: string, day: string])[] = [
  ["TWTR", "Twitter", "was taken private", "2022-10-27"],
  ["ATVI", "Activision Blizzard", "was acquired by Microsoft (MSFT)", "2023-10-13"],
  ["VMW", "VMware", "was acquired by Broadcom (AVGO)", "2023-11-22"],
  ["SPLK", "Splunk", "was acquired by Cisco (CSCO)", "2024-03-18"],
  ["PXD", "Pioneer Natural Resources", "was acquired by Exxon Mobil (XOM)", "2024-05-03"],
  ["MRO", "Marathon Oil", "was acquired by ConocoPhillips (COP)", "2024-11-22"],
  ["HES", "Hess", "was acquired by Chevron (CVX)", "2025-07-18"],
  ["ANSS", "Ansys", "was acquired by Synopsys (SNPS)", "2025-07-17"],
  ["JNPR", "Juniper Networks", "was acquired by Hewlett Packard Enterprise (HPE)", "2025-07-02"],
  ["DFS", "Discover Financial", "was acquired by Capital One (COF)", "2025-05-18"],
  ["SGEN", "Seagen", "was acquired by Pfizer (PFE)", "2023-12-14"],
  ["ABMD", "Abiomed", "was acquired by Johnson & Johnson (JNJ)", "2022-12-22"],
  ["CTXS", "Citrix Systems", "was taken private", "2022-09-30"],
  ["CERN", "Cerner", "was acquired by Oracle (ORCL)", "2022-06-08"],
  ["ZNGA", "Zynga", "was acquired by Take-Two (TTWO)", "2022-05-23"],
  ["XLNX", "Xilinx", "was acquired by AMD (AMD)", "2022-02-14"],
  ["MXIM", "Maxim Integrated", "was acquired by Analog Devices (ADI)", "2021-08-26"],
  ["ALXN", "Alexion", "was acquired by AstraZeneca (AZN)", "2021-07-21"],
  ["TIF", "Tiffany", "was acquired by LVMH", "2021-01-07"],
  ["AGN", "Allergan", "was acquired by AbbVie (ABBV)", "2020-05-08"],
  ["CELG", "Celgene", "was acquired by Bristol Myers Squibb (BMY)", "2019-11-20"],
  ["RHT", "Red Hat", "was acquired by IBM (IBM)", "2019-07-09"],
  ["TWX", "Time Warner", "was acquired by AT&T (T)", "2018-06-14"],
  ["WFM", "Whole Foods Market", "was acquired by Amazon (AMZN)", "2017-08-28"],
  ["LNKD", "LinkedIn", "was acquired by Microsoft (MSFT)", "2016-12-08"],
  ["FRC", "First Republic Bank", "failed and was closed by regulators", "2023-05-01"],
  ["SIVB", "SVB Financial", "was delisted after its bank was closed by regulators", "2023-03-10"],
  ["X", "United States Steel", "was acquired by Nippon Steel", "2025-06-18"],
  ["SBNY", "Signature Bank", "was closed by regulators", "2023-03-12"],
];

interface NamedIndex extends Index {
  /** First symbol, with a caret. */
  readonly symbol: string;
}

const index = new Map<string, NamedIndex>(
  INDICES.flatMap(([symbols, of, names = ""]) => {
    const all = symbols.split(" ");
    const named = { ...of, symbol: `^${all[0]}` };
    return [...all, ...names.split("|")]
      .filter((name) => name !== "")
      .map((name) => [squeeze(name), named] as const);
  }),
);
const renamed = new Map(RENAMED.flatMap(([now, former]) => former.split(" ").map((one) => [one, now])));
const delisted = new Map(
  DELISTED.flatMap((row) => [[row[0], row] as const, [row[1].toUpperCase(), row] as const]),
);

/** Returns the index of a name; prefixes and suffixes of providers are ignored: `^GSPC`, `$SPX`, `SPX:IND`. */
const indexOf = (text: string): NamedIndex | undefined =>
  index.get(squeeze(text.trim().replace(/^(?:\^|\.|\$|I:|INDEX[A-Z]*:\.?)|:IND$|\.X$|\.INDX?$/gi, "")));

/** Returns true for an index that no listed fund tracks. */
export const isUntrackedIndex = (text: string): boolean => indexOf(text)?.fund === null;

/**
 * Returns the meaning of a name that is an index, a former ticker or a delisted company; null for any other text. The
 * caller checks first that no instrument is listed under the name.
 */
export function notListedAs(text: string, { us, tokens }: Listings): NotListed | null {
  const listed = (ticker: string | null) =>
    (ticker === null ? undefined : us.get(ticker)?.instrument) ?? null;
  const found = indexOf(text);
  if (found !== undefined) {
    const fund = listed(found.fund);
    const tracks =
      found.fund === null
        ? found.instead
        : `${found.fund}${fund === null ? "" : ` (${fund.name})`} is a fund that tracks it`;
    return {
      kind: "index",
      reason: `is ${found.name}, which ${found.quoted ? "cannot be traded" : "this server does not quote"}`,
      hint: tracks === undefined ? "No tracking fund is available." : `${tracks}.`,
      instrument: fund,
      ...(found.quoted && { index: { symbol: found.symbol, name: found.name } }),
    };
  }
  const ticker = text
    .trim()
    .toUpperCase()
    .replace(/^\$|\.US$/g, "")
    .replace(/[-/]/, ".");
  const token = RENAMED_TOKENS.get(ticker.replace(/\.?USD[TC]?$/, ""));
  const now =
    listed(renamed.get(ticker) ?? null) ??
    (token === undefined ? null : tokens.get(token)?.instrument) ??
    null;
  if (now !== null)
    return {
      kind: "renamed",
      reason: `now trades as ${now.symbol} (${now.name})`,
      hint: `Pass ${now.symbol}.`,
      instrument: now,
    };
  const [, company, why, day] = delisted.get(ticker) ?? [];
  if (company === undefined) return null;
  return {
    kind: "delisted",
    reason: `no longer trades: ${company} ${why} on ${day}`,
    hint: "Its price history is not available.",
    instrument: null,
  };
}
