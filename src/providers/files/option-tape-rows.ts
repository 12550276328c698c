import { SourceFailure } from "../../domain/providers/price-provider.ts";
import { newYorkDate } from "../../lib/newyork.ts";
import { type OsiName, osiOf } from "../osi.ts";
import { dayOf } from "../stamps.ts";
import { splitLine } from "./csv.ts";

const HOUR = 3_600_000;
/** Contracts of one trade, and dollars a share, beyond which a row is a mistake. */
const MOST_SIZE = 10_000_000;
const MOST_PRICE = 100_000;
/** A clock may be so far ahead of ours; what is later has not traded yet. */
const AHEAD_MS = 60_000;
const NEEDED = ["executed_at", "contract", "price", "size"] as const;
const KNOWN = [...NEEDED, "bid", "ask", "sweep", "floor", "multileg", "trades", "id"] as const;
type Column = (typeof KNOWN)[number];

/** A contract that rows are of. */
export interface TapeContract extends OsiName {
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
 * the last day of its contract; a price of up to $100,000; whole contracts. Throws SourceFailure "malformed" for a header that
 * lacks a needed column.
 */
export function rowReader(header: string): RowReader {
  const names = splitLine(header.replace(/^\uFEFF/, ""), ",").map((name) => name.toLowerCase());
  const at = Object.fromEntries(KNOWN.map((column) => [column, names.indexOf(column)])) as Record<
    Column,
    number
  >;
  const missing = NEEDED.filter((column) => at[column] === -1);
  if (missing.length > 0) throw new SourceFailure("malformed", `it lacks the columns ${missing.join(", ")}`);
  const contracts = new Map<string, TapeContract>();
  const contractOf = (written: string): TapeContract | null => {
    const known = contracts.get(written);
    if (known !== undefined) return known;
    const contract = apart(written);
    const name = nameOf(contract);
    const found = name === null ? null : { ...name, contract };
    // what is no contract is not worth remembering
    if (found !== null) contracts.set(contract, found);
    return found;
  };
  const momentOf = momentReader();
  let cells: readonly string[] = [];
  const cell = (column: Column): string => cells[at[column]] ?? "";

  return (line, row, now) => {
    cells = splitLine(line, ",");
    const contract = contractOf(cell("contract"));
    const executedAt = momentOf(cell("executed_at"));
    const price = plain(cell("price"));
    const size = plain(cell("size"));
    const trades = cell("trades") === "" ? 1 : plain(cell("trades"));
    if (contract === null || !(executedAt.at <= now + AHEAD_MS) || executedAt.date > contract.expiry)
      return null;
    if (!(price > 0 && price <= MOST_PRICE)) return null;
    if (!(size >= 1 && size <= MOST_SIZE && Number.isInteger(size))) return null;
    if (!(trades >= 1 && trades <= size && Number.isInteger(trades))) return null;
    return {
      ...{ contract, row, price, size, trades, executedAt: executedAt.at },
      id: cell("id") === "" ? null : cell("id"),
      paid: paidAt(price, plain(cell("bid")), plain(cell("ask"))),
      sweep: flagOf(cell("sweep")),
      floor: flagOf(cell("floor")),
      multileg: flagOf(cell("multileg")),
    };
  };
}

/** A copy that does not hold on to the text it was cut out of. */
const apart = (text: string): string => Buffer.from(text).toString();

/** Plain digits, perhaps with a point and a dollar sign before; NaN for all else. */
const plain = (cell: string): number =>
  /^\$?(\d{1,12}(\.\d{0,12})?|\.\d{1,12})$/.test(cell) ? Number(cell.replace("$", "")) : Number.NaN;

function paidAt(price: number, bid: number, ask: number): TapeRow["paid"] {
  if (!(bid > 0 && ask >= bid)) return null;
  if (price >= ask) return "ask";
  return price <= bid ? "bid" : "between";
}

function nameOf(contract: string): OsiName | null {
  try {
    return osiOf(contract);
  } catch {
    return null;
  }
}

/** Reads times; remembers the last day and hour, of which the next row mostly is. */
function momentReader(): (written: string) => { readonly at: number; readonly date: string } {
  const none = { at: Number.NaN, date: "" };
  let day = "";
  let hour = Number.NaN;
  let date = "";
  return (written) => {
    if (!/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(written)) return none;
    if (!written.startsWith(day) || day === "") {
      const next = apart(written.slice(0, 10));
      if (dayOf(next) === null) return none;
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

const flagOf = (cell: string): boolean | null =>
  cell === "1" || cell.toLowerCase() === "true"
    ? true
    : cell === "0" || cell.toLowerCase() === "false"
      ? false
      : null;
