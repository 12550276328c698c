import { NO_TOKEN } from "../../../market/symbols/parse-symbol.ts";

/**
 * Header texts that brokers use for each column, most common first; in lower case, with punctuation replaced by spaces.
 */
const HEADER_NAMES = {
  symbol:
    "symbol|ticker|ticker symbol|instrument|asset|security|stock|holding|coin|cryptocurrency|token|slice|stock symbol|financial instrument|symbol cusip|pair|market|equity symbol|symbol isin",
  quantity:
    "quantity|qty|qty quantity|shares|units|position|number of shares|no of shares|shares owned|quantity held|share quantity|owned quantity|quantity owned|units owned|shares held|total shares|current quantity|total quantity|net quantity|net position|position qty|position size|number of units|no of units|size|long qty|long quantity|units held",
  shortQuantity: "short qty|short quantity",
  average:
    "average price|avg price|average cost|avg cost|average cost basis|cost basis share|cost basis per share|cost per share|cost share|unit cost|average entry price|avg entry price|avg price share|average price paid|average buy price|average purchase price|purchase price|average open price|avg open price|avg buy price|entry price|avg entry|avg unit cost|average cost share|average cost per share|avg cost per share|avg cost share|average price per share|cost per unit|average cost price|buy price|price paid|cost basis price|cost price|open price",
  total:
    "total cost|cost basis total|cost basis|total cost basis|book value|book cost|cost|invested|amount invested|total invested|invested value|investment|purchase value|purchase cost|acquisition cost|cost basis money|cost value|book value market",
  price:
    "last price|current price|mark price|market price|close price|closing price|share price|price|last|last trade price",
  value:
    "market value|current value|mkt val market value|mkt value|mkt val|position value|value|total value|equity",
  side: "side|direction|position side|long short|position type|l s|position direction|long or short",
  currency:
    "currency|ccy|currency code|currency primary|cost currency|price currency|trading currency|instrument currency|local currency|local ccy|position currency|currency price share|currency average price|book value currency market|cost basis currency|average price currency|average cost currency",
  accountCurrency: "account currency|base currency|base ccy|portfolio currency",
  assetClass:
    "asset class|asset type|security type|instrument type|asset category|sec type|product type|instrument class|security class|investment type|holding type",
  assetSubclass: "asset sub class|asset subclass|sub category|sub type|security sub type|sub class",
  type: "type|class|category|product",
  level: "level of detail|data discriminator|row type|detail level",
  multiplier: "multiplier|mult|contract size|contract multiplier|lot size",
  expiry: "expiry|expiration|expiration date|exp date|expiry date|exp|maturity|maturity date",
  strike: "strike|strike price",
  right: "put call|call put|right|option type|c p|p c|cp|callput|putcall|opt type",
  underlying: "underlying|underlying symbol",
  coupon: "coupon|coupon rate|yield to maturity|ytm",
  leverage: "leverage|liquidation price|liq price|est liq price",
  description:
    "description|name|company|company name|security name|security description|instrument name|investment name|asset name|equity description",
  exchange:
    "exchange|listing exchange|primary exchange|listing|market place|mic|mic code|exchange code|exchange name|listing market|stock exchange",
  country: "country|country of listing|market country|exchange country|country region",
  status: "status|state|position status",
  closed:
    "date sold|sale date|sold date|closed date|close date|date closed|closed at|exit date|exit time|exit price|sell price|sale price|date of disposal|disposal date|proceeds|sell date",
  acquired:
    "date acquired|acquired|acquisition date|open date|purchase date|open date time|date opened|opened|entry date|buy date|open|lot date|purchased",
  account: "account|account number|account id|client account id|account name|account type|portfolio",
  date: "date|trade date|run date|activity date|process date|settle date|settlement date|time|timestamp|date time|datetime|transaction date|executed at|execution time|filled time|placed time|created at|order date|date utc|utc time|time utc|trade time|exec time|fill time|transaction time",
  action:
    "action|transaction type|trans code|transaction code|trans type|activity type|activity|buy sell|operation|order action|transaction|txn type|trade type|order side|event|b s|trade action",
  order:
    "order id|order type|time in force|tif|filled|filled qty|filled quantity|trade id|exec id|execution id|txid|ordertxid|refid|transaction id|commission|commissions|fee|fees|fees comm|ib commission|comm fee|fill price|exec price|executed price|limit price|spot price|price at transaction|trade money|order status",
} as const;
/** Header texts that name a column only in a table that also has another header text. */
const PAIRED_NAMES: readonly (readonly [name: string, column: Column, other: string])[] = [
  // balances of a wallet are units, never values in dollars, which name the dollar
  ["balance", "quantity", "asset"],
  ["balance", "quantity", "coin"],
  ["total", "quantity", "coin"],
  ["amount", "quantity", "coin"],
  ["amount", "quantity", "l s"],
  ["trade price", "average", "p l open"],
];
export type Column = keyof typeof HEADER_NAMES;

/** Zero-based cell indexes of each column of a table, most common header first. */
export type Columns = Readonly<Partial<Record<Column, readonly number[]>>>;

/** Header row of a table. */
export interface Header {
  readonly columns: Columns;
  /** Currency named in the header of a column other than the US dollar, by cell index. */
  readonly currencies: ReadonlyMap<number, string>;
  /** Normalised header texts. */
  readonly names: readonly string[];
  /** Header texts as sent. */
  readonly texts: readonly string[];
}

const COLUMN_OF_NAME: ReadonlyMap<string, readonly [Column, number]> = new Map(
  Object.entries(HEADER_NAMES).flatMap(([column, names]) =>
    names.split("|").map((name, place) => [name, [column as Column, place] as const] as const),
  ),
);
const DOLLARS = /\$|\busd\b/i;
const MAX_HEADER_LENGTH = 60;
const MAX_COLUMNS = 200;

/** Returns the normalised text of a header or field name: `avgEntryPrice` and `avg_entry_price` are `avg entry price`. */
export const normalizedName = (text: string): string => headerText(text).name;

/** Returns the normalised header texts of a column, most common first. */
export const namesOf = (column: Column): readonly string[] => HEADER_NAMES[column].split("|");

/** Reads a row as the header of a table. Of several columns of one kind, those in US dollars come first. */
export function readHeader(cells: readonly string[]): Header {
  const texts = cells.slice(0, MAX_COLUMNS).map((cell) => headerText(cell));
  const names = texts.map(({ name }) => name);
  const currencies = new Map(
    texts.flatMap(({ currency }, i) => (currency === null ? [] : [[i, currency] as const])),
  );
  const found = new Map<Column, { readonly index: number; readonly place: number }[]>();
  for (const [index, name] of names.entries()) {
    const paired = PAIRED_NAMES.find(([own, , other]) => own === name && names.includes(other));
    const [column, place] =
      COLUMN_OF_NAME.get(name) ??
      (paired === undefined || DOLLARS.test(cells[index]!) ? [] : [paired[1], Number.MAX_SAFE_INTEGER]);
    if (column !== undefined && place !== undefined)
      found.set(column, [...(found.get(column) ?? []), { index, place }]);
  }
  const columns = [...found].map(([column, at]) => {
    const sorted = at.toSorted(
      (a, b) =>
        Number(currencies.has(a.index)) - Number(currencies.has(b.index)) ||
        a.place - b.place ||
        a.index - b.index,
    );
    return [column, sorted.map(({ index }) => index)] as const;
  });
  return { columns: Object.fromEntries(columns), currencies, names, texts: cells };
}

/** Returns true if a row names columns: a symbol and a quantity, or three known columns and no number. */
export const isHeaderRow = (cells: readonly string[], { columns }: Header): boolean =>
  (columns.symbol !== undefined && columns.quantity !== undefined) ||
  (Object.keys(columns).length >= 3 && !cells.some((cell) => /^[-+$(]*\d/.test(cell)));

/** Returns the number of known columns. */
export const countColumns = ({ columns }: Header): number => Object.keys(columns).length;

export const headerExamples = (column: Column): string => namesOf(column).slice(0, 4).join(", ");

/** Returns true if a table lists transactions or orders: an action or a side that buys and sells, with a time or an order. */
export function listsTransactions(
  { columns }: Header,
  rows: readonly { readonly cells: readonly string[] | null }[],
): boolean {
  const isTimed = columns.date !== undefined || columns.order !== undefined;
  if (isTimed && columns.action !== undefined) return true;
  const indexes = isTimed ? [...(columns.side ?? []), ...(columns.type ?? [])] : (columns.action ?? []);
  const values = rows
    .flatMap(({ cells }) => indexes.map((i) => cells?.[i] ?? ""))
    .filter((cell) => cell !== "");
  return values.some((value) => ACTION.test(value));
}

const ACTION =
  /^(buy|sell|bought|sold|purchase|dividend|deposit|withdrawal|interest|transfer|trade|spend|receive|staking|reinvest\w*|buy to (open|close)|sell to (open|close)|[bs]t[oc])\b/i;

/** Returns the currency in a text, as written, unless it is the US dollar; null if there is none. */
export function foreignCurrencyIn(text: string): string | null {
  const sign = FOREIGN_SIGN.exec(text)?.[0];
  if (sign !== undefined) return sign;
  const minor = MINOR_UNIT.exec(text)?.[0];
  if (minor !== undefined) return minor;
  return text.match(/\b[A-Z]{3}\b/g)?.find((code) => code !== "USD" && isCurrencyCode(code)) ?? null;
}

/** Currencies that quote no pair in the symbol directory. */
const MORE_CURRENCIES = new Set(
  "DKK PLN CZK HUF ILS THB TWD RUB CNH IDR MYR PHP AED SAR CLP COP RON".split(" "),
);
const FOREIGN_SIGN = /[€£¥₹₩₽₺₪฿₫₱]|\b(?:CA|AU|HK|NZ|MX|[CASR])\$/;
const MINOR_UNIT = /\b(?:GBX|GBp|ZAc|ZAC|ILA|pence)\b|(?<=\d ?)p$/;

/** Returns true for the code of a currency. */
export const isCurrencyCode = (code: string): boolean =>
  (NO_TOKEN.has(code) && !code.startsWith("X")) || MORE_CURRENCIES.has(code);

function headerText(cell: string): { readonly name: string; readonly currency: string | null } {
  const text = cell.slice(0, MAX_HEADER_LENGTH);
  const currency = foreignCurrencyIn(text);
  const name = (currency === null ? text : text.replace(currency, " "))
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .replace(/\b(in )?(usd|us)\b/g, " ")
    .replace(/ +/g, " ")
    .trim()
    .replace(/ in$/, "");
  return { name, currency };
}
