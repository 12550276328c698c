import { plainText } from "../../../lib/plain-text.ts";
import type { Column } from "./columns.ts";
import { classOfHeading, meaningOf } from "./headings.ts";
import { currencyRefusal } from "./listing.ts";
import {
  classOf,
  isClosingSide,
  isDate,
  kindOfText,
  NEUTRAL_CLASS,
  type Refusal,
  type RowClass,
  type RowKind,
  type SideText,
  sideOfText,
} from "./row-kinds.ts";
import { cellOf, cellsOf, type ReadRow, type Table } from "./tables.ts";

/** A row that may be a position, as its cells describe it. */
export interface PositionRow {
  /** Class of the instrument; null if no cell names one. */
  readonly expected: "share" | "etf" | "coin" | "any_fund" | null;
  readonly side: SideText;
}

export type RowReading =
  | { readonly ignored: true }
  | { readonly refusal: Refusal }
  | { readonly position: PositionRow };

const MAX_ECHO = 30;

/** Classifies a row of a table of positions by all its cells: a possible position, a refusal, or an ignored line. */
export function classifyRow(
  row: ReadRow,
  table: Table,
  isNameOf: (symbol: string, description: string) => boolean,
): RowReading {
  const { cells } = row;
  const { columns } = table.header;
  const symbol = cellOf(cells, columns, "symbol");
  const description = cellsOf(cells, columns, "description").join(" ");
  const expected = expectedClass(row, table);
  if (row.isHeading || expected === "total") return { ignored: true };
  const named = kindOfText(symbol, description);
  const isListed =
    expected.of === "share" || expected.of === "etf" || (named === "cash" && isNameOf(symbol, description));
  // CASH and USD are tickers too, and a fund may be named after a currency
  const kind = named === "cash" && isListed ? null : named;
  if (kind === null && isFooter(cells, table)) return { ignored: true };
  const { kind: kindBelow } = row.heading === null ? {} : meaningOf(row.heading);
  const refusal =
    (kindBelow === undefined ? null : whyNot(kindBelow)) ??
    levelRefusal(cells, table) ??
    (kind === null ? null : kindRefusal(kind, symbol, description)) ??
    classRefusal(expected) ??
    contractRefusal(cells, table) ??
    stateRefusal(cells, table) ??
    currencyRefusal(row, table);
  if (refusal !== null) return { refusal };
  const side = sideOf({ ...row, cells }, table);
  if (typeof side === "object") return { refusal: side };
  return { position: { side, expected: expected.of as PositionRow["expected"] } };
}

/** Reason by kind. */
const WHY: Readonly<Partial<Record<RowKind, string>>> = {
  option: "An option; only shares, exchange-traded funds and coins are imported",
  future: "A future or perpetual contract; only shares, exchange-traded funds and coins are imported",
  contract:
    "A warrant, right or contract for difference; only shares, exchange-traded funds and coins are imported",
  bond: "A bond; only shares, exchange-traded funds and coins are imported",
  fund: "A mutual or money-market fund; only exchange-traded funds are imported",
  cash: "Cash; only shares, exchange-traded funds and coins are imported",
  other_asset: "Not a share, exchange-traded fund or coin",
  pending: "Pending activity, not a position",
  trade: "A trade or order, not a position",
  closed_lot: "A closed position",
  watched: "A symbol of a watchlist, not a position",
};

/** Returns the refusal of a kind that the symbol or the description names, which of a cash symbol may be another. */
const kindRefusal = (kind: RowKind, symbol: string, description: string): Refusal =>
  kind === "cash" && /^[A-Z]{3,4}$/.test(symbol) && kindOfText("", description) !== "cash"
    ? {
        kind,
        why: "Cash or a currency by its symbol; for the company or fund of that ticker, add a column asset_class",
      }
    : whyNot(kind);

export const whyNot = (kind: RowKind): Refusal => ({ kind, why: WHY[kind] ?? "Not a position" });

interface ExpectedClass {
  readonly of: RowClass | null;
  /** Text of a class column whose words are not known; null if there is none. */
  readonly unknown: string | null;
}

/** A cell that says that its row adds up others. */
const TOTAL =
  /^\W*((grand|account|sub|portfolio|positions?|net|overall|all)[ -]*)*totals?\b(?! (return|market|stock|bond|world|international)\b)|^[\w -]{1,30} (sub-?)?totals?\W*$/i;
const TOTAL_ACCOUNT =
  /^\W*((overall|all|combined|aggregated?|consolidated|sum) ?)+(of )?(all )?(accounts?|portfolios?|positions?|holdings?)?\W*$/i;

/** Returns the class that the columns and headings of a row name; `total` for a row that adds up others. */
function expectedClass({ cells, heading }: ReadRow, table: Table) {
  const { columns } = table.header;
  const symbol = cellOf(cells, columns, "symbol");
  const first = cells.findIndex((cell) => cell !== "");
  const labels = [
    first,
    ...(["symbol", "account", "level"] as const).flatMap((column) => columns[column] ?? []),
  ];
  const names = symbol === "" ? [] : (columns.description ?? []);
  if (
    labels.some((at) => TOTAL.test(cells[at] ?? "") && !names.includes(at)) ||
    cellsOf(cells, columns, "account").some((text) => TOTAL_ACCOUNT.test(text))
  )
    return "total" as const;
  const texts = (column: "assetClass" | "assetSubclass") => cellsOf(cells, columns, column);
  const named = [
    ...texts("assetSubclass"),
    ...texts("assetClass"),
    ...(table.typeIsAccount ? [] : cellsOf(cells, columns, "type")),
  ];
  const below = heading === null ? null : classOfHeading(heading);
  const of = named.map(classOf).find((one) => one !== null) ?? below;
  const unknown = texts("assetClass").find((text) => classOf(text) === null && !NEUTRAL_CLASS.test(text));
  const liquidity = of === null && texts("assetClass").some((text) => /^liquidity$/i.test(text));
  return { of: liquidity ? "cash" : of, unknown: of === null ? (unknown ?? null) : null } as ExpectedClass;
}

function classRefusal({ of, unknown }: ExpectedClass): Refusal | null {
  if (unknown !== null)
    return {
      kind: "other_asset",
      why: `The asset class "${plainText(unknown, MAX_ECHO)}" is not known; write stock, ETF or crypto`,
    };
  if (of === null || of === "share" || of === "etf" || of === "coin" || of === "any_fund") return null;
  return whyNot(of);
}

/** Refuses rows that a statement marks as executed, closed or part of another table. */
function levelRefusal(cells: readonly string[], { header }: Table): Refusal | null {
  if (isDate(cellOf(cells, header.columns, "symbol")))
    return { kind: "lot", why: "A lot of the position above" };
  const level = cellOf(cells, header.columns, "level")
    .replace(/[\s_-]+/g, " ")
    .trim();
  return refusalBy(LEVELS, [level]);
}

const LEVELS: readonly (readonly [RegExp, RowKind])[] = [
  [/^closed ?lots?$/i, "closed_lot"],
  [/^(trades?|orders?|executions?|symbol summary|asset summary|wash sales?)$/i, "trade"],
];

/** Returns the refusal of the first kind whose words are in a text; null if there is none. */
function refusalBy(kinds: typeof LEVELS, texts: readonly string[]): Refusal | null {
  const kind = kinds.find(([words]) => texts.some((text) => words.test(text)))?.[1];
  return kind === undefined ? null : whyNot(kind);
}

const isFilled = (text: string): boolean => !/^(-+|0+([.,]0+)?|n\/?a|none|null|nan|false|\s*)$/i.test(text);
const filled = (cells: readonly string[], { header }: Table, column: Parameters<typeof cellsOf>[2]) =>
  cellsOf(cells, header.columns, column).find(isFilled);

/** Refuses rows with the terms of an option, a future, a bond or another contract. */
function contractRefusal(cells: readonly string[], table: Table): Refusal | null {
  const [strike, right, expiry, coupon] = (["strike", "right", "expiry", "coupon"] as const).map((column) =>
    filled(cells, table, column),
  );
  if (strike !== undefined || right !== undefined)
    return {
      kind: "option",
      why: "An option: its strike, expiry or put/call column is filled; only shares, exchange-traded funds and coins are imported",
    };
  if (coupon !== undefined) return whyNot("bond");
  if (expiry !== undefined)
    return {
      kind: "future",
      why: "A contract or bond that expires; only shares, exchange-traded funds and coins are imported",
    };
  const leverage = filled(cells, table, "leverage");
  if (leverage !== undefined && !/^1(\.0+)?x?$/i.test(leverage)) return whyNot("future");
  const multiplier = filled(cells, table, "multiplier");
  if (multiplier !== undefined && !/^1([.,]0+)?$/.test(multiplier))
    return {
      kind: "multiplier",
      why: `The multiplier is ${plainText(multiplier, MAX_ECHO)}, so one unit is not one share or coin`,
    };
  const underlying = filled(cells, table, "underlying");
  const symbol = cellOf(cells, table.header.columns, "symbol");
  return underlying !== undefined && letters(underlying) !== letters(symbol)
    ? { kind: "contract", why: `A contract on ${plainText(underlying, MAX_ECHO)}, as its underlying says` }
    : null;
}

const letters = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9]/g, "");

/** Refuses rows that are sold, closed, cancelled or not filled yet. */
function stateRefusal(cells: readonly string[], table: Table): Refusal | null {
  if (filled(cells, table, "closed") !== undefined) return whyNot("closed_lot");
  const { columns } = table.header;
  return refusalBy(STATES, [...cellsOf(cells, columns, "status"), ...cellsOf(cells, columns, "type")]);
}

const STATES: typeof LEVELS = [
  [/^(closed|sold|liquidated|expired)\b/i, "closed_lot"],
  [/^(pending|working|queued|unsettled|submitted|new|accepted)\b/i, "pending"],
  [/^(filled|executed|partially filled|cancel+ed|rejected)\b/i, "trade"],
];

/** Side in a column for other things, such as the type `Short stock` or a position `Long`. */
const SIDE_WORDS =
  /^((?:buy|sell|sold)[ _-](?:short|long)|long|short|buy|sell|bought|sold)(?: (?:stocks?|equit(?:y|ies)|shares?|positions?|etfs?|coins?|crypto))?$/i;

/** Returns the side that the cells of a row name, or why it is unclear. */
function sideOf(
  { cells, heading }: Parameters<typeof classifyRow>[0],
  { header }: Table,
): SideText | Refusal {
  const of = (column: Column) => cellsOf(cells, header.columns, column);
  const named = [...of("type"), ...of("assetClass"), ...of("quantity")].flatMap(
    (text) => SIDE_WORDS.exec(text)?.[1] ?? [],
  );
  const actions = of("action").filter((text) => sideOfText(text) !== null);
  const texts = [...of("side"), ...actions, ...named];
  if (texts.some(isClosingSide)) return whyNot("trade");
  const read = texts.map((text) => ({ text, side: sideOfText(text) }));
  const unclear = read.find(({ side }) => side === null);
  if (unclear !== undefined)
    return {
      kind: "side",
      why: `The side "${plainText(unclear.text, MAX_ECHO)}" is not understood; write long or short`,
    };
  const sides = new Set(read.flatMap(({ side }) => (side === null || side === "by_sign" ? [] : [side])));
  if (sides.size > 1) return { kind: "side", why: "Two columns name opposite sides" };
  const [side] = sides;
  const below = heading === null ? undefined : meaningOf(heading).side;
  if (side !== undefined || below === "short") return side ?? "short";
  const isNegative = of("quantity").some((text) => /^[-(\u2212\u2013]/.test(text));
  if (
    !isNegative &&
    cells.some((text, at) => SHORT.test(text) && !/\b(term|period)\b/.test(header.names[at] ?? ""))
  )
    return { kind: "side", why: "One of its cells says short: add a column side with long or short" };
  return below ?? "by_sign";
}

/** A cell of any column that makes a long position doubtful. */
const SHORT = /^(short|sell short|sold short)( (account|positions?|stocks?|sales?|margin))?$/i;

/** Returns true for a heading, a date of download or legal text, none of which has numbers where positions have them. */
function isFooter(cells: readonly string[], { header: { columns } }: Table): boolean {
  const texts = cells.filter((cell) => isFilled(cell));
  const numbers = (["quantity", "average", "total", "price", "value"] as const).flatMap((column) =>
    cellsOf(cells, columns, column),
  );
  if (texts.length === 0) return true;
  if (numbers.some((text) => /^[-+$(€£]*\s*\d/.test(text))) return false;
  const first = texts[0]!;
  const words = first.split(/\s+/).length;
  return texts.length === 1 ? words > 1 || /[:.]$/.test(first) || classOf(first) !== null : words > 3;
}
