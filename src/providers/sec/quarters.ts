import type { FiledQuarter } from "../../domain/earnings/provider.ts";
import { type CompanyFacts, type Fact, factsOf } from "./client.ts";

const DAY = 86_400_000;
/** Tags of each figure, the most common one first. */
export const TAGS = {
  revenue: [
    "RevenueFromContractWithCustomerExcludingAssessedTax",
    "Revenues",
    "RevenuesNetOfInterestExpense",
    "SalesRevenueNet",
  ],
  netIncome: ["NetIncomeLoss", "ProfitLoss"],
  eps: ["EarningsPerShareDiluted", "EarningsPerShareBasicAndDiluted"],
  shares: ["WeightedAverageNumberOfDilutedSharesOutstanding"],
} as const;
export const UNITS = { revenue: "USD", netIncome: "USD", eps: "USD/shares", shares: "shares" } as const;
/** Maximum relative change of the share count up to which per-share figures may be added. */
const MAX_SHARE_COUNT_CHANGE = 0.002;

type LineItem = keyof typeof TAGS;
interface Span extends Fact {
  readonly start: string;
}

/**
 * Returns the quarters as last filed, newest first. A figure belongs to the quarter given by its dates. The
 * last quarter of a year is not filed and is computed as the year minus the other three quarters; its EPS is null if the
 * share count changed.
 */
export function quartersOf(facts: CompanyFacts): readonly FiledQuarter[] {
  const lines = {
    revenue: spansOf(facts, "revenue"),
    netIncome: spansOf(facts, "netIncome"),
    eps: spansOf(facts, "eps"),
    shares: spansOf(facts, "shares"),
  };
  const fullYear = new Map<string, FiledQuarter>();
  for (const line of ["revenue", "netIncome", "eps"] as const)
    for (const span of lines[line].filter(isQuarter)) {
      const { start, end, form, filed } = span;
      const before = fullYear.get(end) ?? {
        start,
        end,
        form,
        filed,
        derived: false,
        revenue: null,
        netIncome: null,
        epsDiluted: null,
      };
      fullYear.set(end, { ...before, [line === "eps" ? "epsDiluted" : line]: span.val });
    }
  for (const year of [...lines.revenue, ...lines.netIncome].filter(isYear))
    if (!fullYear.has(year.end)) {
      const last = lastQuarterOf(year, lines);
      if (last !== null) fullYear.set(year.end, last);
    }
  return [...fullYear.values()].sort((a, b) => (a.end < b.end ? 1 : -1));
}

function lastQuarterOf(year: Span, lines: Readonly<Record<LineItem, readonly Span[]>>): FiledQuarter | null {
  const parts = (line: LineItem) => {
    const fullYear = lines[line].find((span) => span.start === year.start && span.end === year.end);
    const quarters = lines[line].filter(
      (span) => isQuarter(span) && span.start >= year.start && span.end < year.end,
    );
    return fullYear === undefined || quarters.length !== 3 ? null : { whole: fullYear, quarters };
  };
  const rest = (line: LineItem): number | null => {
    const found = parts(line);
    return found && found.whole.val - found.quarters.reduce((sum, { val }) => sum + val, 0);
  };
  const [revenue, netIncome] = [rest("revenue"), rest("netIncome")];
  if (revenue === null && netIncome === null) return null;
  const counts = parts("shares");
  const steady =
    counts?.quarters.every(({ val }) => Math.abs(val / counts.whole.val - 1) <= MAX_SHARE_COUNT_CHANGE) ===
    true;
  const eps = steady ? rest("eps") : null;
  const ends = [...lines.revenue, ...lines.netIncome]
    .filter((span) => isQuarter(span) && span.start >= year.start && span.end < year.end)
    .map(({ end }) => Date.parse(end));
  return {
    start: new Date(Math.max(...ends) + DAY).toISOString().slice(0, 10),
    end: year.end,
    form: year.form,
    filed: year.filed,
    derived: true,
    revenue,
    netIncome,
    epsDiluted: eps === null ? null : Math.round(100 * eps) / 100,
  };
}

/** Returns the figures of a line item by period, as last filed, from the first tag that has any. */
function spansOf(facts: CompanyFacts, line: LineItem): readonly Span[] {
  const spans = new Map<string, { readonly rank: number; readonly span: Span }>();
  TAGS[line].forEach((tag, rank) => {
    for (const fact of factsOf(facts, tag, UNITS[line])) {
      if (fact.start === undefined) continue;
      const key = `${fact.start} ${fact.end}`;
      const known = spans.get(key);
      if (known !== undefined && (known.rank < rank || known.span.filed >= fact.filed)) continue;
      spans.set(key, { rank, span: { ...fact, start: fact.start } });
    }
  });
  return [...spans.values()].map(({ span }) => span);
}

const daysOf = ({ start, end }: Span): number => (Date.parse(end) - Date.parse(start)) / DAY + 1;
const isQuarter = (span: Span): boolean => daysOf(span) >= 80 && daysOf(span) <= 100;
const isYear = (span: Span): boolean => daysOf(span) >= 350 && daysOf(span) <= 380;
