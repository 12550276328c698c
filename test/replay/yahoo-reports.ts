import type { Instrument } from "../../src/domain/market/market.ts";
import { nextOf, reportsOf } from "./reports.ts";
import { json, type Reply, type VendorRequest } from "./vendor.ts";
import type { World } from "./world.ts";
import { withoutCrumb } from "./yahoo-crumb.ts";

/** Yahoo's earnings: four quarters for requests with a cookie and its crumb; null for any other path. */
export function yahooReports(
  request: VendorRequest,
  world: World,
  instrumentNamed: (symbol: string) => Instrument | null,
): Reply | null {
  const { path } = request;
  const [, symbol] = /^\/v10\/finance\/quoteSummary\/([^/]+)$/.exec(path) ?? [];
  if (symbol === undefined) return null;
  const refusal = withoutCrumb(request);
  if (refusal !== null) return refusal;
  const reports = reportsOf(instrumentNamed(symbol), world);
  if (reports.length === 0)
    return json(
      {
        quoteSummary: {
          result: null,
          error: { code: "Not Found", description: "No fundamentals data found" },
        },
      },
      404,
    );
  const out = reports
    .filter((report) => report.out)
    .slice(0, 4)
    .reverse();
  const next = nextOf(reports)!;
  const raw = (value: number) => ({ raw: value, fmt: String(value) });
  const name = ({ quarter, year }: { readonly quarter: number; readonly year: number }) =>
    `${quarter}Q${year}`;
  const history = out.map((report, i) => ({
    epsActual: raw(report.eps),
    epsEstimate: raw(report.epsEstimate),
    quarter: { raw: Date.parse(report.end) / 1_000, fmt: report.end },
    currency: "USD",
    period: `-${out.length - i}q`,
  }));
  return json({
    quoteSummary: {
      result: [
        {
          earningsHistory: { history },
          earnings: {
            earningsChart: {
              quarterly: out.map((report) => ({
                date: name(report),
                actual: report.eps,
                estimate: report.epsEstimate,
              })),
              currentQuarterEstimateDate: `${next.quarter}Q`,
              currentQuarterEstimateYear: next.year,
            },
            financialsChart: {
              quarterly: out.map((report) => ({ date: name(report), revenue: report.revenue })),
            },
            financialCurrency: "USD",
          },
          calendarEvents: {
            earnings: {
              earningsDate: [next.at / 1_000],
              earningsCallDate: [out.at(-1)!.at / 1_000 + 1_500],
              isEarningsDateEstimate: false,
              earningsAverage: next.epsEstimate,
              revenueAverage: next.revenueEstimate,
            },
          },
          price: { symbol, currency: "USD" },
        },
      ],
      error: null,
    },
  });
}
