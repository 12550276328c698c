import type { InsiderTrade } from "../../domain/company/insiders.ts";
import { groupBy } from "../../lib/group-by.ts";
import type { Form4 } from "./form4.ts";

type Field = (typeof FIELDS)[number];
const FIELDS = [
  "date",
  "code",
  "direction",
  "security",
  "derivative",
  "ownership",
  "shares",
  "price",
] as const;

/** Differences from the row it replaces that an amended row may have, the surest first. */
const CORRECTIONS: readonly ((differing: readonly Field[], a: InsiderTrade, b: InsiderTrade) => boolean)[] = [
  (differing) => differing.length === 0,
  (differing, a, b) =>
    differing.length === 1 && (differing[0] === "price" || differing[0] === "shares") && !isNextTo(a, b),
  (differing, a, b) => isSameAmount(differing) && a.held_after !== null && a.held_after === b.held_after,
  (differing, a, b) => differing.every((name) => name === "price" || name === "shares") && !isNextTo(a, b),
];

const isSameAmount = (differing: readonly Field[]): boolean =>
  !differing.some((name) => name === "shares" || name === "price" || name === "derivative");

/**
 * Returns the transactions of filings, newest filing first, without the rows that a later amendment replaces. A row of
 * an amendment replaces at most one row of the original and of each earlier amendment; other rows of both remain.
 * @see https://www.sec.gov/files/form4data.pdf, general instruction 9
 */
export function withoutReplaced(filings: readonly Form4[]): readonly InsiderTrade[] {
  const replaced = new Set<InsiderTrade>();
  filings.forEach((amendment, i) => {
    if (amendment.form !== "4/A" || amendment.trades.length === 0) return;
    const others = filings.filter((filing) => filing !== amendment && sharesOwner(filing, amendment));
    const earlier = others.filter((filing) => filings.indexOf(filing) > i);
    const originals = others.filter(({ form, filed }) => form === "4" && filed === amendment.original);
    const amendments = earlier.filter(
      ({ form, filed, original }) =>
        form === "4/A" && amendment.original !== null && [filed, original].includes(amendment.original),
    );
    if (originals.length + amendments.length > 0)
      for (const trades of [originals.flatMap((one) => one.trades), ...amendments.map((one) => one.trades)])
        for (const row of replacedBy(amendment, trades)) replaced.add(row);
    else for (const row of unnamedOriginals(amendment, earlier)) replaced.add(row);
  });
  return filings.flatMap(({ trades }) => trades.filter((trade) => !replaced.has(trade)));
}

const sharesOwner = (a: Form4, b: Form4): boolean => a.owners.some((owner) => b.owners.includes(owner));

/** Returns the rows of an original that rows of an amendment replace. */
function replacedBy(
  { trades, addsRows }: Form4,
  original: readonly InsiderTrade[],
): ReadonlySet<InsiderTrade> {
  const split = groupBy(trades, lotsOf);
  const found = new Set<InsiderTrade>();
  const settled = new Set<InsiderTrade>();
  for (const [key, lots] of groupBy(original, lotsOf)) {
    const amended = split.get(key) ?? [];
    if (sharesIn(lots) === null || sharesIn(lots) !== sharesIn(amended)) continue;
    if (amended.some((row) => lots.some((one) => isNextTo(row, one)))) continue;
    for (const row of lots) found.add(row);
    for (const row of amended) settled.add(row);
  }
  for (const isCorrection of addsRows ? CORRECTIONS.slice(0, -1) : CORRECTIONS)
    for (const row of trades) {
      if (settled.has(row)) continue;
      const before = original.find(
        (one) => !found.has(one) && isCorrection(differingFields(row, one), row, one),
      );
      if (before === undefined) continue;
      found.add(before);
      settled.add(row);
    }
  return found;
}

/** Returns rows with the same date, code and shares in earlier filings, back to the newest original that has one. */
function unnamedOriginals({ trades }: Form4, earlier: readonly Form4[]): readonly InsiderTrade[] {
  const found: InsiderTrade[] = [];
  const open = new Set(trades);
  for (const filing of earlier) {
    const taken = new Set<InsiderTrade>();
    for (const row of open) {
      const before = filing.trades.find(
        (one) => !taken.has(one) && differingFields(row, one).every((name) => name === "price"),
      );
      if (before === undefined) continue;
      taken.add(before);
      if (filing.form === "4") open.delete(row);
    }
    found.push(...taken);
  }
  return found;
}

const differingFields = (a: InsiderTrade, b: InsiderTrade): readonly Field[] =>
  FIELDS.filter((name) => a[name] !== b[name]);

const lotsOf = (row: InsiderTrade): string =>
  FIELDS.filter((name) => name !== "shares" && name !== "price")
    .map((name) => row[name])
    .join("|");

const sharesIn = (lots: readonly InsiderTrade[]): number | null =>
  lots.length === 0 || lots.some(({ shares }) => shares === null)
    ? null
    : lots.reduce((sum, { shares }) => sum + shares!, 0);

const heldBefore = ({ direction, shares, held_after }: InsiderTrade): number | null =>
  shares === null || held_after === null ? null : held_after + (direction === "disposed" ? shares : -shares);

/** Returns true if the holdings show two successive transactions, so that neither corrects the other. */
function isNextTo(a: InsiderTrade, b: InsiderTrade): boolean {
  const [beforeA, beforeB] = [heldBefore(a), heldBefore(b)];
  if (beforeA === null || beforeB === null || beforeA === beforeB) return false;
  return beforeA === b.held_after || beforeB === a.held_after;
}
