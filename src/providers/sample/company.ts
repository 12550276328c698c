import type { Company } from "../../domain/company/company-port.ts";
import { type FiledFact, type LineName, STATEMENT_LINES } from "../../domain/company/facts.ts";
import { OPEN_MARKET } from "../../domain/company/insiders.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { Clock, DataUnavailable } from "../../domain/ports.ts";
import { draw, keyOf, unit } from "./draws.ts";
import { FIRST_QUARTER, figuresOf, newestReported, type Quarter, quarterOf } from "./earnings-figures.ts";
import { insiderTradesOf } from "./insiders.ts";
import type { Recording, Recordings } from "./recordings.ts";
import { isoDate } from "./time.ts";

/** Shares outstanding as a multiple of the usual daily volume, as in the simulated revenue. */
const SHARES_PER_VOLUME = 300;
const TAX_SHARE = 0.2;
/** Balances and payments as multiples of a quarter's revenue, before the company's own factor. */
const ASSETS = 6;
const CAPITAL_EXPENDITURE = 0.06;

type Figures = Readonly<Record<LineName, number>>;
/** Lines of the last day of a period. */
const BALANCES: ReadonlySet<LineName> = new Set(STATEMENT_LINES.balance_sheet);

/**
 * Creates the filings of the simulated companies: revenue, EPS and free cash flow are those of their simulated
 * earnings, all other lines are derived from them. A quarter is filed on the day of its report.
 */
export function sampleCompany(recordings: Recordings, clock: Clock, members: readonly Instrument[]): Company {
  const companies = new Map(
    members.filter(({ asset_class }) => asset_class === "equity").map((one) => [one.symbol, one]),
  );
  const origin = () => ({
    source: "sample",
    fetchedAt: clock.now().toISOString(),
    stale: false,
    tried: [],
  });
  return {
    async facts({ symbol }) {
      const company = companies.get(symbol);
      const recording = company === undefined ? null : recordings(symbol);
      if (company === undefined || recording === null) return noCompany(symbol);
      const newest = newestReported(recording.key, clock.now().getTime());
      const count = Math.max(0, newest - FIRST_QUARTER + 1);
      const quarters = Array.from({ length: count }, (_, back) => quarterOf(recording.key, newest - back));
      return {
        record: {
          profile: {
            name: company.name,
            cik: null,
            industry: company.sector,
            exchanges: ["SIM"],
            state: null,
            fiscal_year_end: "12-31",
          },
          facts: quarters.flatMap((quarter) => filedWith(recording, quarter)),
        },
        ...origin(),
      };
    },
    async insiders({ symbol }, { until, openMarket, count }) {
      const recording = companies.has(symbol) ? recordings(symbol) : null;
      if (recording === null) return noCompany(symbol);
      const now = clock.now().getTime();
      const trades = insiderTradesOf(recording, Math.min(until ?? now, now))
        .filter(({ code }) => !openMarket || OPEN_MARKET.has(code))
        .reverse();
      const shown = trades.slice(0, count);
      return {
        trades: shown,
        read: shown.length,
        unread: 0,
        more: shown.length < trades.length,
        ...origin(),
      };
    },
  };
}

const noCompany = (symbol: string): DataUnavailable => ({
  unavailable: "not_covered",
  reason: `The sample market has no company called ${symbol}`,
});

/** Returns the facts of a quarter's filing, which after the last quarter are those of the year too. */
function filedWith(recording: Recording, quarter: Quarter): readonly FiledFact[] {
  const { symbol } = recording.listing.instrument;
  const filing = {
    form: quarter.quarter === 4 ? "10-K" : "10-Q",
    filed: isoDate(quarter.reportedAt),
    accession: `sample-${symbol}-${quarter.year}-Q${quarter.quarter}`,
  };
  const end = isoDate(quarter.end);
  const factsOf = (figures: Figures, firstMonth: number): FiledFact[] =>
    (Object.keys(figures) as LineName[]).map((line) => ({
      line,
      tag: `sample:${line}`,
      rank: 0,
      start: BALANCES.has(line) ? null : isoDate(Date.UTC(quarter.year, firstMonth, 1)),
      end,
      value: figures[line],
      ...filing,
    }));
  const own = factsOf(figuresIn(recording, quarter), 3 * (quarter.quarter - 1));
  if (quarter.quarter < 4 || quarter.index - 3 < FIRST_QUARTER) return own;
  const year = factsOf(yearOf(recording, quarter), 0).filter(({ start }) => start !== null);
  return [...own, ...year];
}

/** Returns the figures of the year that ends with a quarter. */
function yearOf(recording: Recording, last: Quarter): Figures {
  const parts = [3, 2, 1, 0].map((back) => figuresIn(recording, quarterOf(recording.key, last.index - back)));
  const newest = parts.at(-1)!;
  const lines = Object.keys(newest) as LineName[];
  return Object.fromEntries(
    lines.map((line) => {
      const sum = parts.reduce((total, figures) => total + figures[line], 0);
      return [line, line === "shares_diluted" ? newest[line] : Math.round(100 * sum) / 100];
    }),
  ) as Figures;
}

function figuresIn(recording: Recording, quarter: Quarter): Figures {
  const { listing, key } = recording;
  const { eps, revenue: sales, fcf, kpis } = figuresOf(recording, quarter);
  const share = (at: number) => unit(draw(keyOf(key, "company"), at));
  const revenue = sales.actual;
  const shares = SHARES_PER_VOLUME * listing.volume;
  const netIncome = Math.round(eps.actual * shares);
  const margin = kpis[0]!.current! / 100;
  const gross = millions(revenue * Math.min(0.95, margin + 0.1 + 0.3 * share(0)));
  const assets = millions(ASSETS * (0.7 + 0.6 * share(1)) * revenue);
  const liabilities = millions(assets * (0.4 + 0.3 * share(2)));
  const spent = millions(CAPITAL_EXPENDITURE * (0.5 + share(3)) * revenue);
  const [dividends, repurchases] = [0.2, 0.3].map((part) => millions(Math.max(0, part * netIncome)));
  return {
    revenue,
    cost_of_revenue: revenue - gross,
    gross_profit: gross,
    research_and_development: millions(0.4 * (gross - margin * revenue)),
    operating_income: millions(margin * revenue),
    income_tax: millions((Math.max(0, netIncome) * TAX_SHARE) / (1 - TAX_SHARE)),
    net_income: netIncome,
    eps_basic: eps.actual,
    eps_diluted: eps.actual,
    shares_diluted: shares,
    cash: millions(0.15 * assets),
    current_assets: millions(0.4 * assets),
    assets,
    current_liabilities: millions(0.5 * liabilities),
    liabilities,
    long_term_debt: millions(0.35 * liabilities),
    equity: assets - liabilities,
    operating_cash_flow: fcf + spent,
    capital_expenditure: spent,
    investing_cash_flow: -spent,
    financing_cash_flow: -(dividends! + repurchases!),
    dividends_paid: dividends!,
    share_repurchases: repurchases!,
  };
}

const millions = (value: number): number => Math.round(value / 1e6) * 1e6 + 0;
