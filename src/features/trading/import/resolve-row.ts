import { type Instrument, kindOf, type Resolution } from "../../../domain/market/market.ts";
import { findByName } from "../../../domain/market/resolve-name.ts";
import type { Symbols } from "../../../domain/ports.ts";
import { asToolError } from "../../../kernel/errors.ts";
import { plainText } from "../../../lib/plain-text.ts";
import { type PositionRow, whyNot } from "./classify-row.ts";
import type { Preset } from "./presets.ts";
import { isSecurityId, kindOfUnknown, type Refusal } from "./row-kinds.ts";

export type ImportSymbols = Pick<Symbols, "find" | "named" | "notListed" | "resolve">;

/** A refusal, with the symbols that the row may mean. */
interface SymbolRefusal extends Refusal {
  readonly candidates: readonly string[];
}

/** Instrument of a row, and how its symbol was read if that differs from what was sent. */
interface ResolvedRow {
  readonly instrument: Instrument;
  readonly notes: readonly string[];
}

interface SymbolCells {
  readonly symbol: string;
  readonly description: string;
  readonly expected: PositionRow["expected"];
  readonly preset: Preset;
}

/** Spellings of exports: Trading 212 (`AAPL_US_EQ`), Interactive Brokers (`BTC.USD-PAXOS`) and Kraken (`XXBT`, `XETH`). */
const EXPORT_SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/^([A-Z.]+)_US_EQ$/, "$1"],
  [/^([A-Z]+)\.USD-(?:PAXOS|ZEROHASH)$/, "$1-USD"],
  [/^X(XBT|ETH|XRP|LTC|XLM|XMR|ETC|ZEC)$/, "$1"],
  [/^X?XDG$/, "DOGE"],
];
const MAX_SYMBOL_LENGTH = 40;
/** Maximum number of unknown symbols of a file for which similar ones are searched, which takes milliseconds each. */
const MAX_SEARCHES = 20;

export type RowResolver = (row: SymbolCells) => ResolvedRow | SymbolRefusal;

/** Creates the resolver of the rows of one file. */
export function createRowResolver(symbols: ImportSymbols): RowResolver {
  let searches = 0;
  return (row) =>
    resolveRow(row, symbols, () => {
      searches += 1;
      return searches <= MAX_SEARCHES;
    });
}

/** Resolves the symbol of a row as `resolve_symbol` does, and refuses an instrument of another class than the row names. */
function resolveRow(
  row: SymbolCells,
  symbols: ImportSymbols,
  maySearch: () => boolean,
): ResolvedRow | SymbolRefusal {
  const { symbol: sent, description } = row;
  if (!/^\$?[A-Za-z0-9]/.test(sent) || sent.length > MAX_SYMBOL_LENGTH)
    return refusal("unreadable", "The symbol is invalid");
  const [pattern, symbol] = EXPORT_SPELLINGS.find(([spelling]) => spelling.test(sent)) ?? [/$^/, ""];
  const found = symbols.find(sent) ?? exactName(sent.replace(pattern, symbol), symbols);
  if (found === null) return unknownRefusal(sent, description, maySearch() ? symbols : null);
  const all = [found.instrument, ...found.alternatives];
  const kind = expectedKind(row, all);
  const matches = kind === null ? all : all.filter((one) => kindOf(one) === kind);
  if (matches.length === 0) return conflict(found.instrument, kind === "crypto");
  const [instrument, another] = matches;
  // without a description, the coin is preferred
  const isPreferred =
    kind === null &&
    row.description === "" &&
    instrument!.asset_class === "crypto" &&
    another?.asset_class === "etf";
  if (another !== undefined && !isPreferred)
    return refusal(
      "ambiguous_symbol",
      "The symbol is ambiguous: add a column asset_class, or write the pair",
      matches,
    );
  if (row.expected === "any_fund" && instrument!.asset_class !== "etf")
    return { ...whyNot("fund"), candidates: [] };
  return { instrument: instrument!, notes: notesOn(sent, instrument!, isPreferred ? another! : null) };
}

/** Returns true if a description begins as the name of the US listing of a symbol does. */
export function isNameOf(symbol: string, description: string, symbols: Pick<ImportSymbols, "find">): boolean {
  const [listed, named] = [symbols.find(`${symbol}.US`)?.instrument.name ?? "", description].map(
    (text) => /^[a-z]{4,}/.exec(text.trim().toLowerCase())?.[0],
  );
  return listed !== undefined && listed === named;
}

/** Resolves a name of a company or coin: those of funds, such as `gold`, may mean what they track. */
function exactName(text: string, symbols: ImportSymbols): Resolution | null {
  const found = findByName(text, symbols);
  return found?.instrument.asset_class === "etf" && symbols.find(text) === null ? null : found;
}

/** Returns the kind of market that the row's class, export or description names; null if none does. */
function expectedKind({ expected, description, preset }: SymbolCells, all: readonly Instrument[]) {
  if (expected !== null) return expected === "coin" ? "crypto" : "stocks";
  if (preset.trades === "coin") return "crypto";
  if (all.length === 1) return null;
  if (preset.trades !== undefined) return "stocks";
  if (LISTED_WORDS.test(description)) return "stocks";
  const coin = all.find(({ asset_class }) => asset_class === "crypto");
  return coin !== undefined && description.trim().toLowerCase().startsWith(coin.name.toLowerCase())
    ? "crypto"
    : null;
}

/** Words in the name of a company or fund, and never in that of a coin. */
const LISTED_WORDS =
  /\b(etf|trust|fund|inc|incorporated|corp|corporation|co|ltd|plc|sa|nv|class|com|shares|holdings?|group)\b/i;

function unknownRefusal(sent: string, description: string, symbols: ImportSymbols | null): SymbolRefusal {
  const kind = kindOfUnknown(sent, description);
  if (kind !== null) return { ...whyNot(kind), candidates: [] };
  if (isSecurityId(sent.toUpperCase()))
    return refusal("unknown_symbol", "A CUSIP or ISIN: only ticker symbols are read");
  try {
    symbols?.resolve(sent);
  } catch (thrown) {
    const { code, message, data } = asToolError(thrown);
    if (code === "INTERNAL") throw thrown;
    const candidates = (data?.candidates ?? []) as readonly Pick<Instrument, "symbol">[];
    return refusal("unknown_symbol", message, candidates);
  }
  return refusal("unknown_symbol", "No instrument has this symbol");
}

const conflict = ({ symbol, asset_class }: Instrument, isCoin: boolean): SymbolRefusal =>
  refusal(
    "class_conflict",
    isCoin
      ? `The row is a coin, but ${symbol} is ${asset_class === "etf" ? "an exchange-traded fund" : "a share"}`
      : `The row is a share or fund, but ${symbol} is a coin`,
  );

const refusal = (
  kind: Refusal["kind"],
  why: string,
  candidates: readonly Pick<Instrument, "symbol">[] = [],
): SymbolRefusal => ({ kind, why, candidates: candidates.map(({ symbol }) => symbol) });

/** Returns how a symbol was read, unless it is only spelled differently. */
function notesOn(sent: string, { symbol, name }: Instrument, fund: Instrument | null): readonly string[] {
  const text = plainText(sent, MAX_SYMBOL_LENGTH);
  if (fund !== null) return [`"${text}" was read as ${symbol} (${name}), not as the fund ${fund.symbol}.`];
  return letters(sent) === letters(symbol) ? [] : [`"${text}" was read as ${symbol} (${name}).`];
}

/** Returns the letters and digits of a symbol, without the US dollar of a pair and the suffix of a US listing. */
const letters = (symbol: string): string =>
  symbol
    .toUpperCase()
    .replace(/[-_/]?USD[TC]?$|\.US$/, "")
    .replace(/[^A-Z0-9]/g, "");
