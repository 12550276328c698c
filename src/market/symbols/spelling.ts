/**
 * Returns the US tickers that a name (in upper case, and as typed) may mean, most likely first. Accepts `BRK-B` for
 * `BRK.B`, `ABR$D`, `ABR.PRD`, `ABRpD` and `ABR-D` for the preferred share `ABR-PD`, `ACHR.WS` and `ACHR+` for the
 * warrant `ACHR.W`, `AIIA=` and `AIIA-UN` for the unit `AIIA.U`, `AIIA^` and `AIIA-RT` for the right `AIIA.R`.
 * @see https://www.nasdaqtrader.com/Trader.aspx?id=CQSSymbolConvention
 */
export function spellings(name: string, typed: string = name): readonly string[] {
  const found = [name];
  if (/^[A-Z0-9]+$/.test(name)) {
    // a lower-case `p` or `r` among capitals marks a preferred share or a right
    const [, root, mark, series] = /^\$?([A-Z]+)(p|r)([A-Z]?)$/.exec(typed) ?? [];
    if (mark === "p") found.push(`${root}-P${series}`);
    if (mark === "r" && series === "") found.push(`${root}.R`);
    return found;
  }
  for (const [written, ticker] of SPELLING_RULES)
    if (written.test(name)) found.push(name.replace(written, ticker));
  return [...new Set(found)];
}

/**
 * Returns the ticker with the suffix `.US` of a US listing written with its exchange, as TradingView (`NASDAQ:AAPL`),
 * Bloomberg (`AAPL US Equity`), Reuters (`AAPL.OQ`) and Saxo (`AAPL:xnas`) do; any other text unchanged.
 */
export function withoutExchange(text: string): string {
  const ticker = US_LISTINGS.map((written) => written.exec(text)?.[1]).find((one) => one !== undefined);
  return ticker === undefined ? text : `${ticker}.US`;
}

const TICKER = "([A-Z]{1,5}(?:[./][A-Z])?)";
const US_LISTINGS: readonly RegExp[] = [
  new RegExp(`^(?:NASDAQ|NYSE|NYSE ?ARCA|NYSE ?AMERICAN|ARCA|AMEX|BATS|OTC|OTCMKTS|US) ?: ?${TICKER}$`, "i"),
  new RegExp(`^${TICKER}:(?:U[SNWQRAP]|XNAS|XNYS|ARCX|XASE|BATS)$`, "i"),
  // lower-case words may be a sentence, and one letter before a dot an abbreviation: all us, U.N
  new RegExp(`^${TICKER} U[SNWQRAP](?: (?:Equity|EQUITY))?$`),
  /^([A-Z]{2,5})\.(?:O|OQ|N|K)$/,
];

const SPELLING_RULES: readonly (readonly [RegExp, string])[] = [
  // a share class is one letter, so pairs are unchanged
  [/^([A-Z]+)[-/_]([A-Z])$/, "$1.$2"],
  [/^([A-Z]+)(?:\+|[-./_]W[ST])$/, "$1.W"],
  [/^([A-Z]+)(?:=|[-./_]UN)$/, "$1.U"],
  [/^([A-Z]+)(?:\^|[-./_]R[IT])$/, "$1.R"],
  [/^([A-Z]+)(?:\$|[-./_]PR?[-./_]?)([A-Z])$/, "$1-P$2"],
  [/^([A-Z]+)(?:[$-]|[-./_]PR?)$/, "$1-P"],
  [/^([A-Z]+)[-./_]([A-Z])$/, "$1-P$2"],
];
