import { z } from "zod";
import { blankReport, type EarningsReport } from "../../domain/earnings/earnings.ts";
import { calendarQuarter, type EarningsProvider } from "../../domain/earnings/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { companyTicker, figureBy } from "../shared/earnings.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { parseUsDate } from "../shared/timestamps.ts";
import { reportsApi } from "./api.ts";
import { Money, parseMonthEnd } from "./fields.ts";

const NAME = "nasdaq";

const Row = z.object({
  fiscalQtrEnd: z.string().max(20),
  dateReported: z.string().max(20),
  eps: Money,
  consensusForecast: Money,
});
const Surprises = z.object({
  earningsSurpriseTable: z.object({ rows: z.array(Row).nullable() }).nullable(),
});

/**
 * Nasdaq.com's table of adjusted EPS against the consensus, four quarters, one call each; no revenue. It
 * names no symbol, so a response about another one cannot be detected. The budget is part of the one for
 * Nasdaq.com.
 */
export function nasdaqEarnings(setup: ProviderSetup): EarningsProvider {
  const get = reportsApi(setup);
  return {
    name: NAME,
    budget: { calls: 8, perMs: 60_000, atOnce: 1 },
    async call(instrument, { signal }) {
      const path = `/api/company/${companyTicker(instrument)}/earnings-surprise`;
      const rows = (await get(path, Surprises, { signal })).earningsSurpriseTable?.rows ?? [];
      if (rows.length === 0) throw new ProviderFailure("unknown_symbol", "no reports for this symbol");
      const reports = rows.flatMap(reportOf).sort((a, b) => (a.periodEnd! < b.periodEnd! ? 1 : -1));
      return { reports, next: null };
    },
  };
}

function reportOf(row: z.infer<typeof Row>): readonly EarningsReport[] {
  const periodEnd = parseMonthEnd(row.fiscalQtrEnd);
  if (periodEnd === null || row.eps === null) return [];
  const eps = {
    actual: figureBy(NAME, "adjusted", row.eps),
    estimate: figureBy(NAME, "adjusted", row.consensusForecast),
  };
  const reportDate = parseUsDate(row.dateReported);
  return [{ ...blankReport(calendarQuarter(periodEnd)), periodEnd, reportDate, eps }];
}
