import { z } from "zod";
import { blankReport } from "../../domain/earnings/earnings.ts";
import { calendarQuarter, type EarningsProvider } from "../../domain/earnings/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { companyTicker, figureBy } from "../shared/earnings.ts";
import { rowsOf } from "../shared/rows.ts";
import { type AlphavantageSetup, alphavantageApi } from "./api.ts";

const NAME = "alphavantage";
const MAX_REPORTS = 12;

/** A number written as text; `None` and `-` are null. */
const FigureText = z
  .string()
  .regex(/^(None|-|-?\d{1,9}(\.\d{1,9})?)$/)
  .transform((text) => (/\d/.test(text) ? Number(text) : null));
const Quarter = z.object({
  fiscalDateEnding: z.iso.date(),
  reportedDate: z.iso.date().or(z.literal("")).nullish(),
  reportedEPS: FigureText,
  estimatedEPS: FigureText.nullish(),
});
const Earnings = z.object({ symbol: z.string(), quarterlyEarnings: rowsOf(Quarter) });
/** The response for an unknown symbol is an empty object. */
const Response = z.union([Earnings, z.strictObject({})]);

/**
 * Creates the provider of Alpha Vantage's quarterly EPS with estimates, both adjusted, one call per symbol. Revenue and
 * scheduled reports are not available. Of a free key's 25 calls a day, earnings use at most 4.
 * @see https://www.alphavantage.co/documentation/#earnings
 */
export function alphavantageEarnings(setup: AlphavantageSetup): EarningsProvider {
  const get = alphavantageApi(setup, (text, isError) =>
    isError
      ? /api ?key/i.test(text)
        ? "auth"
        : "unknown_symbol"
      : /premium endpoint|\bdemo\b/i.test(text)
        ? "auth"
        : "rate_limited",
  );
  return {
    name: NAME,
    budget: { calls: 4, perMs: 86_400_000, atOnce: 1 },
    async call(instrument, { signal }) {
      const symbol = companyTicker(instrument, "-");
      const body = await get("/query", Response, { query: { function: "EARNINGS", symbol }, signal });
      if (!("symbol" in body)) throw new ProviderFailure("unknown_symbol", "no earnings for this symbol");
      if (body.symbol !== symbol) throw new ProviderFailure("malformed", "response about another symbol");
      const quarters = body.quarterlyEarnings.toSorted((a, b) =>
        a.fiscalDateEnding < b.fiscalDateEnding ? 1 : -1,
      );
      const reports = quarters
        .slice(0, MAX_REPORTS)
        .filter(({ reportedEPS }) => reportedEPS !== null)
        .map(({ fiscalDateEnding: periodEnd, reportedDate, reportedEPS, estimatedEPS }) => ({
          ...blankReport(calendarQuarter(periodEnd)),
          periodEnd,
          reportDate: reportedDate || null,
          eps: {
            actual: figureBy(NAME, "adjusted", reportedEPS),
            estimate: figureBy(NAME, "adjusted", estimatedEPS),
          },
        }));
      return { reports, next: null };
    },
  };
}
