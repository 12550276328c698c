import { z } from "zod";
import { blankReport, type EarningsReport } from "../../domain/earnings/earnings.ts";
import { calendarQuarter, type EarningsProvider } from "../../domain/earnings/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { createHttpClient, type ProviderSetup } from "../shared/http-client.ts";
import { usTicker } from "../shared/us-ticker.ts";

const BASE_URL = "https://www.alphavantage.co";
const NAME = "alphavantage";
const MAX_REPORTS = 12;

export interface AlphavantageSetup extends ProviderSetup {
  readonly key: string;
}

/** A figure written as text; `None` for none. */
const Text = z
  .string()
  .regex(/^(None|-|-?\d{1,9}(\.\d{1,9})?)$/)
  .transform((text) => (/\d/.test(text) ? Number(text) : null));
const Quarter = z.object({
  fiscalDateEnding: z.iso.date(),
  reportedDate: z.iso.date().or(z.literal("")).nullish(),
  reportedEPS: Text,
  estimatedEPS: Text.nullish(),
});
const Answer = z.object({ symbol: z.string(), quarterlyEarnings: z.array(Quarter) });
/** How it says that enough was asked, or that the key is none, at status 200. */
const Refusal = z.looseObject({
  Information: z.string().optional(),
  Note: z.string().optional(),
  "Error Message": z.string().optional(),
});

/**
 * Alpha Vantage's quarterly EPS with what analysts expected, adjusted on both sides; no revenue, and no date ahead. One
 * call a question. A free key is for 25 calls a day, most of which are left to news.
 * @see https://www.alphavantage.co/documentation/#earnings
 */
export function alphavantageEarnings({ key, ...setup }: AlphavantageSetup): EarningsProvider {
  const wire = createHttpClient({ ...setup, baseUrl: setup.baseUrl ?? BASE_URL });
  return {
    name: NAME,
    budget: { calls: 4, perMs: 86_400_000, atOnce: 1 },
    async call(instrument, { signal }) {
      const symbol = usTicker(instrument, "-");
      if (instrument.asset_class !== "equity")
        throw new ProviderFailure("unsupported", "companies alone report");
      const query = { function: "EARNINGS", symbol, apikey: key };
      const { body } = await wire.json("/query", { query, signal });
      const refused = Refusal.safeParse(body);
      if (refused.success) throwRefusal(refused.data);
      // it knows a symbol by its figures: of others it has an empty object
      if (typeof body === "object" && body !== null && !Array.isArray(body) && Object.keys(body).length === 0)
        throw new ProviderFailure("unknown_symbol", "it has no earnings of it");
      const read = Answer.safeParse(body);
      if (!read.success)
        throw new ProviderFailure("malformed", "another answer than documented", { cause: read.error });
      if (read.data.symbol !== symbol)
        throw new ProviderFailure("malformed", "an answer about another symbol");
      const quarters = read.data.quarterlyEarnings.toSorted((a, b) =>
        a.fiscalDateEnding < b.fiscalDateEnding ? 1 : -1,
      );
      return { reports: quarters.slice(0, MAX_REPORTS).flatMap(reportOf), next: null };
    },
  };
}

/** Its words may hold the key, so none of them is repeated. */
function throwRefusal(said: z.infer<typeof Refusal>): void {
  const { Information: information, Note: note, "Error Message": error } = said;
  if (information !== undefined || note !== undefined) {
    const premium = /premium endpoint|\bdemo\b/i.test(information ?? "");
    throw new ProviderFailure(premium ? "auth" : "rate_limited", "it answers no more for now");
  }
  if (error === undefined) return;
  throw new ProviderFailure(/api ?key/i.test(error) ? "auth" : "unknown_symbol", "it refuses the question");
}

function reportOf(quarter: z.infer<typeof Quarter>): readonly EarningsReport[] {
  const { fiscalDateEnding: periodEnd, reportedDate, reportedEPS, estimatedEPS } = quarter;
  if (reportedEPS === null) return [];
  const figure = (value: number | null | undefined) =>
    value === null || value === undefined ? null : { value, basis: "adjusted" as const, by: NAME };
  return [
    {
      ...blankReport(calendarQuarter(periodEnd)),
      periodEnd,
      reportDate: reportedDate === undefined || reportedDate === "" ? null : reportedDate,
      eps: { actual: figure(reportedEPS), estimate: figure(estimatedEPS) },
    },
  ];
}
