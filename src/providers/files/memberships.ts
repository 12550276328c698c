import type { MemberList, Membership } from "../../domain/market/memberships.ts";
import { SetupError } from "../../lib/setup-error.ts";
import { canonicalOf } from "../../market/symbols/directory.ts";
import type { Listings } from "../../market/symbols/listings.ts";
import { splitLine } from "./csv.ts";
import { dateOf } from "./splits.ts";

/** File of the members of lists over time, at the top of the folder. */
export const MEMBERSHIPS_FILE = "memberships.csv";
const HEADER = "list,symbol,from,to";
const MAX_NAME = 40;

/**
 * Reads the lists, by name in upper case, from lines such as `SP500,AAPL,1982-11-30,`: the first and the last day of a
 * membership, the last empty for a current member. A symbol that left and came back has several lines.
 * @throws SetupError for any other line, and for overlapping memberships of a symbol in a list
 */
export function readMemberships(text: string, listings: Listings): ReadonlyMap<string, MemberList> {
  const lists = new Map<string, { name: string; members: Map<string, Membership[]> }>();
  const [header = "", ...lines] = text.split(/\r?\n/);
  const refuse = (line: number, found: string, why: string): SetupError =>
    new SetupError(`${MEMBERSHIPS_FILE}, line ${line}: ${JSON.stringify(found.slice(0, 80))} ${why}`);
  if (splitLine(header.toLowerCase(), ",").join(",") !== HEADER)
    throw refuse(1, header, `is not the header ${HEADER}`);
  for (const [i, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const [name = "", ticker = "", first = "", last = "", ...rest] = splitLine(line, ",");
    const symbol = canonicalOf(ticker, listings)?.symbol;
    const from = dateOf(first);
    const to = last === "" ? Number.POSITIVE_INFINITY : dateOf(last);
    const isNamed = name !== "" && name.length <= MAX_NAME;
    if (!isNamed || symbol === undefined || from === null || to === null || rest.length > 0)
      throw refuse(
        i + 2,
        line,
        "is not a membership such as SP500,AAPL,1982-11-30, (the last day empty for a current member)",
      );
    if (to < from) throw refuse(i + 2, line, "ends before it begins");
    const key = name.toUpperCase();
    const list = lists.get(key) ?? { name, members: new Map<string, Membership[]>() };
    const own = list.members.get(symbol) ?? [];
    if (own.some((other) => from <= other.to && other.from <= to))
      throw refuse(i + 2, line, `overlaps another membership of ${symbol} in this list`);
    own.push({ from, to });
    own.sort((a, b) => a.from - b.from);
    list.members.set(symbol, own);
    lists.set(key, list);
  }
  return lists;
}
