import {
  type OptionContract,
  occSymbol,
  parseOptionContract,
} from "../../../domain/trading/option-contract.ts";
import { inferInstrument } from "../../../market/symbols/parse-symbol.ts";
import { spellings, withoutExchange } from "../../../market/symbols/spelling.ts";
import { classOf, kindOfText, ROW_KINDS, type RowClass } from "../../trading/import/row-kinds.ts";
import { type BrokerFields, echo, refuse, textsOf, valuesOf } from "./fields.ts";

/** What a row of a broker is about. */
export interface RowInstrument {
  /** Canonical; of an option its OCC symbol without padding. */
  readonly symbol: string;
  readonly option: OptionContract | null;
}

const NO_LISTINGS = { us: new Map(), tokens: new Map() } as const;
const PREFERRED = /^[A-Z]{1,6}-P[A-Z]?$/;
const STABLE = /^USD[TC]?$/;
const RIGHT = /^(?:c|p|call|put)$/i;
const MAX_SYMBOL_LENGTH = 24;
/** Classes of what has one price for one unit. */
const PRICED: ReadonlySet<RowClass> = new Set<RowClass>([
  "share",
  "etf",
  "coin",
  "any_fund",
  "fund",
  "option",
  "cash",
]);

/** Returns true for cash: a currency or a dollar token in place of a symbol, unless the row says it is a share or fund. */
export function isCash(fields: BrokerFields): boolean {
  if (valuesOf(fields, "is_cash").some((value) => value === true || value === "true")) return true;
  const classes = classesOf(fields);
  if (classes.includes("share") || classes.includes("etf")) return false;
  const [symbol = ""] = textsOf(fields, "symbol");
  return classes.includes("cash") || STABLE.test(symbol.toUpperCase()) || kindOfText(symbol, "") === "cash";
}

/**
 * Returns what a row is about: a US share or fund, a coin, or one option contract.
 * @throws UnreadableRow without a symbol, for other kinds and for several contracts
 */
export function instrumentOf(fields: BrokerFields): RowInstrument {
  const classes = classesOf(fields);
  const other = classes.find((one) => !PRICED.has(one));
  if (other !== undefined) refuse(`it is no share, fund, coin or option: ${kindName(other)}`);
  const option = optionOf(fields, classes.includes("option"));
  if (option !== null) return { symbol: occSymbol(option), option };
  const [sent] = textsOf(fields, "symbol");
  if (sent === undefined) refuse("it has no symbol");
  const symbol = cleanSymbol(sent, classes.includes("coin") || valuesOf(fields, "coin_units").length > 0);
  return {
    symbol: symbol ?? refuse(`the symbol ${echo(sent)} is not one of a US share, fund or coin`),
    option: null,
  };
}

/** Returns the classes that a row names. Its type may be that of an order, or cash as the type of its account. */
const classesOf = (fields: BrokerFields): readonly RowClass[] => [
  ...textsOf(fields, "asset_class").flatMap((text) => classOf(text) ?? []),
  ...textsOf(fields, "type")
    .flatMap((text) => classOf(text) ?? [])
    .filter((one) => one !== "cash"),
];

const kindName = (kind: RowClass): string =>
  kind in ROW_KINDS ? ROW_KINDS[kind as keyof typeof ROW_KINDS][0] : kind;

/** Returns the contract of a row, by a symbol or by its terms; null if the row is not of an option. */
function optionOf(fields: BrokerFields, isNamed: boolean): OptionContract | null {
  const texts = textsOf(fields, "option_symbol");
  const parsed = texts.map(parseOptionContract);
  if (parsed.includes("several_legs")) refuse("it has two or more option contracts: send each alone");
  const found = parsed.find((one) => one !== null && one !== "several_legs") as OptionContract | undefined;
  if (found !== undefined) return found;
  const [underlying, symbol] = [textsOf(fields, "underlying")[0], textsOf(fields, "symbol")[0]];
  const terms = (["expiry", "strike", "right"] as const).map((field) => valuesOf(fields, field)[0]);
  const [expiry, strike, right] = terms;
  const isOption =
    isNamed ||
    RIGHT.test(String(right)) ||
    (strike !== undefined && Number(strike) !== 0) ||
    (underlying !== undefined && symbol === undefined) ||
    texts.some((text) => kindOfText(text, "") === "option");
  if (!isOption) return null;
  const day = String(expiry ?? "").replace(/[T ].*$/, "");
  const dollars = String(strike ?? "")
    .replace(/(\.\d*?)0+$/, "$1")
    .replace(/\.$/, "");
  const built = parseOptionContract(`${underlying ?? symbol ?? ""} ${day} ${dollars} ${String(right ?? "")}`);
  if (built === null || built === "several_legs")
    refuse("it is an option whose contract is not clear: send its OCC symbol");
  return built;
}

/** Returns the canonical form of a symbol: AAPL.US is AAPL, BTC/USD is BTC-USD; null for other text. */
function cleanSymbol(sent: string, isCoin: boolean): string | null {
  if (sent.length > MAX_SYMBOL_LENGTH) return null;
  const plain = withoutExchange(sent.replace(/^([A-Za-z]{1,5}) ([A-Za-z])$/, "$1.$2"));
  if (isCoin && /^[A-Za-z0-9]{1,12}$/.test(plain) && !/USD[TC]?$/i.test(plain))
    return `${plain.toUpperCase()}-USD`;
  const name = plain.toUpperCase();
  const found = inferInstrument(plain, NO_LISTINGS)?.symbol;
  return found ?? spellings(name, plain).find((one) => PREFERRED.test(one)) ?? null;
}
