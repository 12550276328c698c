import { z } from "zod";
import { blankReport, type EarningsReport } from "../../domain/earnings/earnings.ts";
import { calendarQuarter, type EarningsProvider } from "../../domain/earnings/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { createReportsClient, Money, parseMonthEnd, parseUsDate } from "./reports-wire.ts";

const NAME = "nasdaq";

const Surprises = z.object({
  earningsSurpriseTable: z
    .object({
      rows: z
        .array(
          z.object({
            fiscalQtrEnd: z.string().max(20),
            dateReported: z.string().max(20),
            eps: Money,
            consensusForecast: Money,
          }),
        )
        .nullable(),
    })
    .nullable(),
});
/**
 * Nasdaq.com's table of EPS against the consensus, four quarters, as analysts count on both sides; no revenue. It names
 * no symbol, so an answer about another cannot be told. One call a question; the budget is a part of what is kept to there.
 */
export function nasdaqEarnings(setup: ProviderSetup): EarningsProvider {
  const ask = createReportsClient(setup);
  return {
    name: NAME,
    budget: { calls: 8, perMs: 60_000, atOnce: 1 },
    async call(instrument, { signal }) {
      if (instrument.asset_class !== "equity")
        throw new ProviderFailure("unsupported", "companies alone report");
      const path = `/api/company/${usTicker(instrument)}/earnings-surprise`;
      const rows = (await ask(path, {}, Surprises, signal)).earningsSurpriseTable?.rows ?? [];
      if (rows.length === 0) throw new ProviderFailure("unknown_symbol", "it has no reports of it");
      const reports = rows.flatMap((row): readonly EarningsReport[] => {
        const periodEnd = parseMonthEnd(row.fiscalQtrEnd);
        if (periodEnd === null || row.eps === null) return [];
        const figure = (value: number | null) =>
          value === null ? null : { value, basis: "adjusted" as const, by: NAME };
        return [
          {
            ...blankReport(calendarQuarter(periodEnd)),
            periodEnd,
            reportDate: parseUsDate(row.dateReported),
            eps: { actual: figure(row.eps), estimate: figure(row.consensusForecast) },
          },
        ];
      });
      return { reports: reports.sort((a, b) => (a.periodEnd! < b.periodEnd! ? 1 : -1)), next: null };
    },
  };
}
