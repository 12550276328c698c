import { z } from "zod";
import { Count, Iso, intBetween, outsideTextNotice, Success } from "../src/domain/answers.ts";
import { MarketDay, NextReportRow } from "../src/domain/earnings/calendar.ts";
import { REPORT_OUTSIDE_TEXT, ScheduledReport } from "../src/domain/earnings/earnings.ts";
import { ofKind } from "../src/domain/recognisers/field-kinds.ts";
import { readEarningsCalendar } from "../src/features/earnings/calendar.ts";
import { formatEarningsCalendar } from "../src/features/earnings/earnings.text.ts";
import { defineTool } from "../src/kernel/tool.ts";

const MAX_SYMBOLS = 20;

/** Returns earnings dates and the closures of US exchanges. */
export const getCalendar = defineTool({
  name: "get_calendar",
  title: "Get calendar",
  description:
    "Returns the calendar of earnings and exchange holidays: past and upcoming dates on which a company reports, with expected EPS and revenue, and trading holidays, half days and early closes of NYSE and Nasdaq. Use it for when a company reports results next, before or after a date, or whether the stock market is open. Past results are in get_earnings.",
  toolset: "fundamentals",
  plan: "pro",
  effect: "read",
  listed: "default",
  route: "GET /api/v1/calendar",
  cli: { command: "calendar" },
  needs: ["symbols", "earnings", "marketDays", "clock", "market"],
  input: z.object({
    symbols: z
      .array(z.string().trim().min(1).max(40))
      .max(MAX_SYMBOLS)
      .default([])
      .describe("Default: every company covered"),
    from: ofKind(z.iso.date(), "coming_day").optional().describe("First date. Default: today."),
    to: ofKind(z.iso.date(), "coming_day")
      .optional()
      .describe("Last date, within 92 days. Default: 14 days."),
    limit: intBetween(1, 500).default(100).describe("Earliest reports"),
  }),
  output: z.object({
    ok: Success,
    from: z.iso.date(),
    to: z.iso.date(),
    outside_text: outsideTextNotice(REPORT_OUTSIDE_TEXT),
    earnings: z.array(ScheduledReport).describe("By date"),
    total: Count.nullable().describe(
      "Number of reports found, including those beyond limit; null if a day or company is missing (see notes)",
    ),
    next_reports: z.array(NextReportRow).describe("With symbols: the next report of each, also after `to`"),
    market_days: z.array(MarketDay).describe("Weekdays on which US exchanges are closed or close early"),
    dataSource: z.string().nullable().describe("Provider of the earnings dates"),
    fetchedAt: Iso.nullable().describe("When the dates were fetched; null if no provider responded"),
    cached: z.boolean(),
    stale: z.boolean(),
    notes: z.array(z.string()).describe("What is missing, and why"),
    market: z.enum(["sample", "files", "live"]),
  }),
  examples: [
    { ask: "Who reports in the next two weeks?", input: {} },
    { ask: "When does Apple report?", input: { symbols: ["AAPL"] } },
    {
      ask: "Apple's reports from January to April 2026",
      input: { symbols: ["AAPL"], from: "2026-01-15", to: "2026-04-15" },
    },
  ],
  terminal: formatEarningsCalendar,

  async handler({ symbols, from, to, limit }, ctx) {
    const request = { symbols, from, to, signal: ctx.signal };
    const { answer, days, unsupported, ...window } = await readEarningsCalendar(request, ctx);
    return {
      ...answer,
      ...window,
      earnings: answer.reports.slice(0, limit),
      market_days: days,
      dataSource: answer.source,
      notes: [
        ...answer.coverage,
        ...unsupported,
        ...(ctx.market.mode === "sample" ? ["The simulated venue also trades on holidays"] : []),
      ],
      market: ctx.market.mode,
    };
  },
});
