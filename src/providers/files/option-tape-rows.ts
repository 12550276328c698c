import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { newYorkDate } from "../../lib/newyork.ts";
import { type OsiSymbol, parseOsiSymbol } from "../shared/osi-symbol.ts";
import { parseIsoDate } from "../shared/timestamps.ts";
import { splitLine } from "./csv.ts";

const HOUR = 3_600_000;
/** Maximum number of contracts per trade, and maximum price in dollars a share. */
const MAX_SIZE = 10_000_000;
const MAX_PRICE = 100_000;
/** Maximum clock skew. Trades further ahead of the clock are rejected. */
const MAX_CLOCK_SKEW_MS = 60_000;
const REQUIRED_COLUMNS = ["executed_at", "contract", "price", "size"] as const;
const KNOWN_COLUMNS = [
  ...REQUIRED_COLUMNS,
  "bid",
  "ask",
  "sweep",
  "floor",
  "multileg",
  "trades",
  "id",
] as const;
type Column = (typeof KNOWN_COLUMNS)[number];

/** A contract, shared by its rows. */
export interface TapeContract extends OsiSymbol {
  readonly contract: string;
}

/** A parsed row. Rows of the same contract share its object. */
export interface TapeRow {
  readonly contract: TapeContract;
  /** The trade's id; null without one. */
  readonly id: string | null;
  /** Row number in the file, from 1. */
  readonly row: number;
  readonly price: number;
  readonly size: number;
  readonly trades: number;
  /**
   * Side of the quote at which the price lies: `ask` is at or above the ask, `bid` at or below the bid; null without a
   * quote.
   */
  readonly paid: "ask" | "bid" | "between" | null;
  readonly sweep: boolean | null;
  readonly floor: boolean | null;
  readonly multileg: boolean | null;
  /** Epoch ms. */
  readonly executedAt: number;
}

/** Parses a line, given its row number and the current time (epoch ms); null if it is not a trade. */
export type RowReader = (line: string, row: number, now: number) => TapeRow | null;

/**
 * Creates a parser of the rows below a header. A trade has a time with its zone, not in the future and not
 * after the contract's last day, a price of at most $100,000, and whole contracts.
 * @throws ProviderFailure "malformed" for a header without a required column
 */
export function createRowReader(header: string): RowReader {
  const names = splitLine(header.replace(/^\uFEFF/, ""), ",").map((name) => name.toLowerCase());
  const at = Object.fromEntries(KNOWN_COLUMNS.map((column) => [column, names.indexOf(column)])) as Record<
    Column,
    number
  >;
  const missing = REQUIRED_COLUMNS.filter((column) => at[column] === -1);
  if (missing.length > 0)
    throw new ProviderFailure("malformed", `it lacks the columns ${missing.join(", ")}`);
  const contracts = new Map<string, TapeContract>();
  const contractOf = (written: string): TapeContract | null => {
    const known = contracts.get(written);
    if (known !== undefined) return known;
    const contract = detachedCopy(written);
    const name = tryParseOsiSymbol(contract);
    const found = name === null ? null : { ...name, contract };
    if (found !== null) contracts.set(contract, found);
    return found;
  };
  const momentOf = createTimeReader();
  let cells: readonly string[] = [];
  const cell = (column: Column): string => cells[at[column]] ?? "";

  return (line, row, now) => {
    cells = splitLine(line, ",");
    const contract = contractOf(cell("contract"));
    const executedAt = momentOf(cell("executed_at"));
    const price = parsePlainNumber(cell("price"));
    const size = parsePlainNumber(cell("size"));
    const trades = cell("trades") === "" ? 1 : parsePlainNumber(cell("trades"));
    if (contract === null || !(executedAt.at <= now + MAX_CLOCK_SKEW_MS) || executedAt.date > contract.expiry)
      return null;
    if (!(price > 0 && price <= MAX_PRICE)) return null;
    if (!(size >= 1 && size <= MAX_SIZE && Number.isInteger(size))) return null;
    if (!(trades >= 1 && trades <= size && Number.isInteger(trades))) return null;
    return {
      contract,
      row,
      price,
      size,
      trades,
      executedAt: executedAt.at,
      id: cell("id") === "" ? null : cell("id"),
      paid: paidAt(price, parsePlainNumber(cell("bid")), parsePlainNumber(cell("ask"))),
      sweep: parseFlag(cell("sweep")),
      floor: parseFlag(cell("floor")),
      multileg: parseFlag(cell("multileg")),
    };
  };
}

/** Returns a copy that does not keep the file's text in memory. */
const detachedCopy = (text: string): string => Buffer.from(text).toString();

/** Parses digits with an optional point and dollar sign; NaN for anything else. */
const parsePlainNumber = (cell: string): number =>
  /^\$?(\d{1,12}(\.\d{0,12})?|\.\d{1,12})$/.test(cell) ? Number(cell.replace("$", "")) : Number.NaN;

function paidAt(price: number, bid: number, ask: number): TapeRow["paid"] {
  if (!(bid > 0 && ask >= bid)) return null;
  if (price >= ask) return "ask";
  return price <= bid ? "bid" : "between";
}

function tryParseOsiSymbol(contract: string): OsiSymbol | null {
  try {
    return parseOsiSymbol(contract);
  } catch {
    return null;
  }
}

/** Creates a parser of times. It caches the last day and hour, because most rows have the same as the row before. */
function createTimeReader(): (written: string) => { readonly at: number; readonly date: string } {
  const none = { at: Number.NaN, date: "" };
  let day = "";
  let hour = Number.NaN;
  let date = "";
  return (written) => {
    if (!/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(written)) return none;
    if (!written.startsWith(day) || day === "") {
      const next = detachedCopy(written.slice(0, 10));
      if (parseIsoDate(next) === null) return none;
      day = next;
    }
    const at = Date.parse(written);
    if (Number.isNaN(at)) return none;
    if (Math.floor(at / HOUR) !== hour) {
      hour = Math.floor(at / HOUR);
      date = newYorkDate(at);
    }
    return { at, date };
  };
}

const parseFlag = (cell: string): boolean | null =>
  cell === "1" || cell.toLowerCase() === "true"
    ? true
    : cell === "0" || cell.toLowerCase() === "false"
      ? false
      : null;
