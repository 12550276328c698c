import { isCurrencyCode } from "./columns.ts";

/** Kinds of rows that are not imported, each with its name for one and for several rows. */
export const ROW_KINDS = {
  option: ["option", "options"],
  future: ["future", "futures"],
  contract: ["other contract", "other contracts"],
  bond: ["bond", "bonds"],
  fund: ["mutual or money-market fund", "mutual or money-market funds"],
  cash: ["cash row", "cash rows"],
  other_asset: ["asset of another kind", "assets of another kind"],
  lot: ["lot counted in its summary row", "lots counted in their summary rows"],
  closed_lot: ["closed position", "closed positions"],
  trade: ["trade", "trades"],
  pending: ["pending row", "pending rows"],
  watched: ["watched symbol", "watched symbols"],
  currency: ["row in another currency", "rows in another currency"],
  listing: ["listing outside the US", "listings outside the US"],
  multiplier: ["row with a multiplier", "rows with a multiplier"],
  side: ["row with an unclear side", "rows with an unclear side"],
  class_conflict: ["row whose class contradicts its symbol", "rows whose class contradicts their symbol"],
  ambiguous_symbol: ["ambiguous symbol", "ambiguous symbols"],
  unknown_symbol: ["unknown symbol", "unknown symbols"],
  unreadable: ["unreadable row", "unreadable rows"],
} as const satisfies Readonly<Record<string, readonly [string, string]>>;
export type RowKind = keyof typeof ROW_KINDS;
export const ROW_KIND_NAMES = Object.keys(ROW_KINDS) as [RowKind, ...RowKind[]];

/** Kind of a row that is not imported, and the reason. */
export interface Refusal {
  readonly kind: RowKind;
  readonly why: string;
}

/** Class of a row by its cells: a share or fund on an exchange, a coin, or a kind that is not imported. */
export type RowClass = "share" | "etf" | "coin" | "any_fund" | RowKind;

/** Words in class columns, in order: the first match decides. */
const CLASS_WORDS: readonly (readonly [RegExp, RowClass])[] = [
  [/\b(opts?|options?|optn|fop|iopt|calls?|puts?|eqo)\b/i, "option"],
  [/\b(fut|futs|futures?|perp|perps|perpetuals?|swaps?|forwards?)\b/i, "future"],
  [
    /\b(cfds?|war|warrants?|rights?|structured|certificates?(?! of deposit)|knock.?outs?|turbos?|derivatives?)\b/i,
    "contract",
  ],
  [/\b(crypto\w*|coins?|tokens?|digital (assets?|currenc(y|ies))|virtual currenc(y|ies))\b/i, "coin"],
  [/\b(etfs?|etps?|etns?|etcs?|cefs?|exchange.?traded\w*|closed.?end)\b/i, "etf"],
  [/money.?market|\b(mmf|sweep|core position)\b/i, "fund"],
  [/mutual ?funds?|\b(mf|oeic|sicav|ucits|unit trusts?|annuit(y|ies)|index funds?|529)\b/i, "fund"],
  [
    /\b(bonds?|fixed.?income|treasur(y|ies)|t-?bills?|bills?|notes?|cds?|certificates? of deposit|munis?|municipals?|debt|debentures?|gilts?)\b/i,
    "bond",
  ],
  [/^funds?$/i, "any_fund"],
  [/\bfunds?\b/i, "fund"],
  [/\b(cash|currenc(y|ies)|forex|fx|fiat|deposits?)\b/i, "cash"],
  [/\b(preferred|pfd|prefs?)\b/i, "other_asset"],
  [/\b(stk|stocks?|equit(y|ies)|shares?|common|cs|adrs?|ads|reits?|mlps?)\b/i, "share"],
  [
    /\b(cmdty|commodit(y|ies)|(precious )?metals?|gold|silver|real estate|private equity|collectibles?|alternatives?( investments?)?|index|indices|insurance|royalt(y|ies))\b/i,
    "other_asset",
  ],
];

/** Returns the class that a cell of a class column names; null if its words are not known. */
export function classOf(text: string): RowClass | null {
  const plain = text.replace(/[_/]+/g, " ").slice(0, 80);
  return CLASS_WORDS.find(([words]) => words.test(plain))?.[1] ?? null;
}

/** Words of class columns that say nothing about what a row is. */
export const NEUTRAL_CLASS =
  /^[-\s]*$|^(n\/a|none|null|unknown|other|long|short|liquidity|individual|margin)$|\b(cap|growth|value|blend|domestic|international|foreign|emerging|developed|us|usa|global)\b/i;

const MONTH = "(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)[A-Z]*";
const DATE = String.raw`(?:\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}|20\d{2}[/.-]?\d{2}[/.-]?\d{2}|\d{1,2}[ -]?${MONTH}[ -]?'?\d{2,4}|${MONTH}[ -]?\d{1,2},?(?:[ -]?'?\d{2,4})?|${MONTH} ?'?\d{2,4})`;
const STRIKE = String.raw`\$?\d+(?:\.\d+)?`;

/** Ways in which brokers write an option, in upper case. */
const OPTION_PATTERNS: readonly RegExp[] = [
  // OCC symbol, and its short form: AAPL  261218C00200000, -AAPL261218C200
  /^[-.+ ]*[A-Z]{1,6}\d?[ _]*\d{6}[CP]\d{1,8}(\.\d+)?$/,
  // AAPL 18DEC26 200 C, AAPL 12/18/2026 200.00 C, AAPL DEC 18 '26 $200 CALL
  new RegExp(`^[A-Z.]{1,6} +${DATE} +${STRIKE} *(?:C|P|CALL|PUT)$`),
  new RegExp(`^[A-Z.]{1,6} +${DATE} +(?:C|P|CALL|PUT) +${STRIKE}$`),
  // BTC-27JUN26-50000-C
  new RegExp(`^[A-Z]+[-_]${DATE}[-_]${STRIKE}[-_][CP]$`),
];
/** Option in a description: call or put, with a date and a strike. */
const OPTION_TEXT = new RegExp(
  String.raw`${DATE} +(?:[CP] ?${STRIKE}|${STRIKE} ?[CP])\b|\$ ?\d+(?:\.\d+)? *(?:CALL|PUT)S?\b|\b(?:IRON (?:CONDOR|BUTTERFLY)|STRADDLE|STRANGLE|(?:CALL|PUT|CREDIT|DEBIT|CALENDAR|VERTICAL|DIAGONAL) SPREAD|(?:CALL|PUT) (?:BUTTERFLY|CONDOR|OPTION)S?|(?:CASH[ -]SECURED|PROTECTIVE|NAKED|WRITTEN) (?:CALL|PUT)S?)\b|\b(?:LONG|SHORT) (?:CALL|PUT)S?$|^[A-Z.]{1,5} (?:COVERED CALL|COLLAR|BUTTERFLY|CONDOR)S?$|\bLEAPS?$|\b[A-Z]{1,6} *\d{6}[CP]\d{8}\b|\b(?:CALL|PUT)S?\b.*\$ ?\d.*${DATE}|\b(?:CALL|PUT)S?\b.*${DATE}.*\d|${DATE}.*${STRIKE} *(?:CALL|PUT)S?\b|${DATE} +(?:CALL|PUT)S? +${STRIKE}`,
);
const FUTURE_PATTERNS: readonly RegExp[] = [
  /^\/[A-Z]/,
  /=F$/,
  /[-_ ]?PERP(ETUAL)?(-INTX)?$/,
  /^[A-Z0-9]+[/-]?USD[TC]?:USD[TC]?(-\d+)?$/,
  new RegExp(String.raw`^[A-Z0-9]{1,6}[-_ ]${MONTH}[ ']?\d{2}$`),
];
/** Code of a future with its month, which no US listing has: ESZ6, CLF27. */
const FUTURE_CODE = /^[A-Z0-9]{1,4}[FGHJKMNQUVXZ]\d{1,2}$/;

/** Cash as brokers write it in a symbol or description. */
const CASH_TEXT =
  /^\W*(cash(\W*$| (&|and) .*| balances?.*| position| account| held.*| in .*| equivalents?.*| \(?[a-z]{3}\)?$)|(uninvested|settled|unsettled|available|buying) (cash|funds|power).*|cash sweep.*|(fcash|cur:[a-z]{3})\**|(u\.?s\.? |united states |canadian |australian |hong kong |new zealand )?dollars?( \(?[a-z]{3}\)?)?|euros?|(british )?pounds?( sterling)?|swiss francs?|japanese yen)\W*$/i;
const PENDING_TEXT = /^\W*(pending( activity| transactions?| trades?)?|unsettled( activity| trades?)?)\W*$/i;
const MONEY_FUND_TEXT =
  /money.?market|cash reserves|government (cash|money)|\bmmkt\b|bank sweep|sweep (program|account|fund)/i;
const BOND_TEXT =
  /\d(\.\d+)? ?%.*\d{2}[/-]\d{2}[/-]\d{2,4}|\b(treas(ury)?|t)[ -]?(bill|note|bond)s?\b|certificate of deposit/i;

/** Returns true for a currency in place of a symbol: USD, ZEUR, USD.HOLD, USD***. */
const isCashSymbol = (name: string): boolean =>
  isCurrencyCode(/^Z?([A-Z]{3})(?:[. _-](?:HOLD|CASH|M|F)|\*+)?$/.exec(name)?.[1] ?? "");

/** Returns the kind that a symbol or description names; null if both may name a share or a coin. */
export function kindOfText(symbol: string, description: string): RowKind | null {
  const name = symbol.trim().toUpperCase().slice(0, 80);
  const text = description.toUpperCase().slice(0, 200);
  if (PENDING_TEXT.test(symbol) || (symbol === "" && PENDING_TEXT.test(description))) return "pending";
  if (
    OPTION_PATTERNS.some((pattern) => pattern.test(name)) ||
    OPTION_TEXT.test(text) ||
    OPTION_TEXT.test(name)
  )
    return "option";
  if (FUTURE_PATTERNS.some((pattern) => pattern.test(name))) return "future";
  if (CASH_TEXT.test(name) || CASH_TEXT.test(text) || isCashSymbol(name)) return "cash";
  // Fidelity marks the money-market fund that holds the cash of the account with two stars
  if (/\*\*$/.test(name) || (MONEY_FUND_TEXT.test(text) && !/\bETF\b/.test(text))) return "fund";
  return null;
}

/** Returns the most likely kind of a row with an unknown symbol; null if unclear. */
export function kindOfUnknown(symbol: string, description: string): RowKind | null {
  const name = symbol.trim().toUpperCase();
  if (BOND_TEXT.test(description.slice(0, 200))) return "bond";
  if (FUTURE_CODE.test(name)) return "future";
  // the ticker of a mutual fund has five letters
  if (/^[A-Z]{4}X$/.test(name)) return "fund";
  if (!/^[A-Z]{1,4}$/.test(name) && /\b(fund|fd|fnd|admiral|institutional)\b/i.test(description))
    return "fund";
  return null;
}

/** Returns true for a date in place of a symbol, which a lot has below its position. */
export const isDate = (symbol: string): boolean => /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}$/.test(symbol);

/** Returns true for the CUSIP or ISIN of a security. */
export const isSecurityId = (symbol: string): boolean =>
  /^[A-Z]{2}[A-Z0-9]{9}\d$/.test(symbol) || /^(?=.*\d)[A-Z0-9]{8}\d$/.test(symbol);

export type SideText = "long" | "short" | "by_sign";

/** Reads a cell of a side column of a positions table; null if it is not understood. */
export function sideOfText(text: string): SideText | null {
  const plain = text
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, " ");
  if (/^( |n\/a|none|both|net|hold|open|\/)?$/.test(plain)) return "by_sign";
  if (/^(long|l|buy|b|bought|buy long|long buy|buy to open|bto)$/.test(plain)) return "long";
  if (/^(short|s|sell|sold|sell short|sold short|short sell|short sale|ss|sell to open|sto)$/.test(plain))
    return "short";
  return null;
}

/** Returns true for a side that closes a position, which only a trade has. */
export const isClosingSide = (text: string): boolean =>
  /^(sell|buy)[\s_-]*to[\s_-]*(close|cover)$|^buy[\s_-]*(cover|close)$|^sell[\s_-]*close$|^(stc|btc)$/i.test(
    text.trim(),
  );
