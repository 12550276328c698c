import type { Chamber, Coverage, Disclosure } from "../../src/domain/congress/congress.ts";
import type { Congress, DisclosureRequest } from "../../src/domain/ports.ts";

/** A purchase of a stock by one member, filed on 2026-01-10; every field can be overridden. */
export const disclosure = (over: Partial<Disclosure> = {}): Disclosure => ({
  id: "doc-1",
  ticker: "AAPL",
  asset: "Apple Inc.",
  asset_type: "stock",
  type: "buy",
  partial: null,
  member: "Member One",
  member_id: "M000001",
  party: "D",
  chamber: "house",
  state: "CA",
  owner: "self",
  amount: { low: 1_001, high: 15_000, label: "$1,001 - $15,000" },
  transaction_date: "2025-12-20",
  filing_date: "2026-01-10",
  days_to_file: 21,
  late: false,
  amended: false,
  doc_url: null,
  missing: null,
  as_filed: { type: "P", amount: "$1,001 - $15,000", owner: null },
  ...over,
});

const covered = { covered: true, source: "fixture", since: "2025-01-01" as string | null, reason: null };
const uncovered = { covered: false, source: null, since: null, reason: "no source without a key" };

/** Coverage of both chambers from the given dates. Default: 2025. A chamber that is `false` is not covered. */
export const coverageOf = (
  over: { readonly [chamber in Chamber]?: string | null | false } = {},
): Coverage => {
  const of = (since: string | null | false = "2025-01-01") =>
    since === false ? uncovered : { ...covered, since };
  return { house: of(over.house), senate: of(over.senate) };
};

/** Fixed disclosures, filtered by filing date, symbol and chamber; `requests` records every request. */
export function fixedCongress(held: readonly Disclosure[], coverage = coverageOf()) {
  const requests: DisclosureRequest[] = [];
  const congress: Congress = {
    async disclosures(request) {
      requests.push(request);
      const { symbol, chamber, from, until } = request;
      return {
        trades: held.filter(
          (trade) =>
            trade.filing_date >= from &&
            trade.filing_date <= until &&
            (symbol === undefined || trade.ticker === symbol) &&
            (chamber === undefined || trade.chamber === chamber),
        ),
        unread: [],
        source: "fixture",
        fetched_at: "2026-01-15T15:00:00.000Z",
        as_of: "2026-01-15",
        stale: false,
        coverage,
        reason: null,
      };
    },
  };
  return { congress, requests };
}
