import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { newYorkDate } from "../../lib/newyork.ts";
import { type OsiSymbol, parseOsiSymbol } from "../shared/osi-symbol.ts";
import { parseIsoDate } from "../shared/timestamps.ts";
import { splitLine } from "./csv.ts";

const HOUR = 3_600_000;
/** Contracts of one trade, and dollars a share, beyond which a row is a mistake. */
const MAX_SIZE = 10_000_000;
const MAX_PRICE = 100_000;
/** A clock may be so far ahead of ours; what is later has not traded yet. */
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

/** A contract that rows are of. */
export interface TapeContract extends OsiSymbol {
  readonly contract: string;
}

/** What a row says, its contract shared with other rows. */
export interface TapeRow {
  readonly contract: TapeContract;
  /** What the tape calls the trade; null where it has no name. */
  readonly id: string | null;
  /** Which row it is of the file, from 1 on. */
  readonly row: number;
  readonly price: number;
  readonly size: number;
  readonly trades: number;
  /** At the offer or above it counts as bought, at the bid or below as sold; null without quotes. */
  readonly paid: "ask" | "bid" | "between" | null;
  readonly sweep: boolean | null;
  readonly floor: boolean | null;
  readonly multileg: boolean | null;
  /** Epoch ms. */
  readonly executedAt: number;
}

/** Reads one line, the so-manieth row, as known now (epoch ms); null for one that cannot be a trade. */
export type RowReader = (line: string, row: number, now: number) => TapeRow | null;

/**
 * A reader of the rows under a header. A trade has a time with its zone, of a day that is, no later than now and no later than
 * the last day of its contract; a price of up to $100,000; whole contracts. Throws ProviderFailure "malformed" for a header that
 * lacks a needed column.
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
    // what is no contract is not worth remembering
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

/** A copy that does not hold on to the text it was cut out of. */
const detachedCopy = (text: string): string => Buffer.from(text).toString();

/** Plain digits, perhaps with a point and a dollar sign before; NaN for all else. */
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

/** Reads times; remembers the last day and hour, of which the next row mostly is. */
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
