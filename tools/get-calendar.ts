import { z } from "zod";
import {
  Count,
  Iso,
  intBetween,
  MarketMode,
  outsideTextNotice,
  Success,
  withTimeProblem,
} from "../src/domain/answers.ts";
import { MarketDay, NextReportRow } from "../src/domain/earnings/calendar.ts";
import { REPORT_OUTSIDE_TEXT, ScheduledReport } from "../src/domain/earnings/earnings.ts";
import { EVENT_KINDS, MarketEvent } from "../src/domain/market-events/market-events.ts";
import { ofKind } from "../src/domain/recognisers/field-kinds.ts";
import { readEarningsCalendar, windowOf } from "../src/features/earnings/calendar.ts";
import { formatEarningsCalendar } from "../src/features/earnings/earnings.text.ts";
import { defaultEventDays, readEvents } from "../src/features/market-events/read-events.ts";
import { defineTool } from "../src/kernel/tool.ts";

const MAX_SYMBOLS = 20;
const ComingDay = ofKind(
  z.iso.date({ error: ({ input }) => withTimeProblem(input, "must be a date such as 2026-12-31") }),
  "coming_day",
);

/** Returns earnings dates and the closures of US exchanges. */
export const getCalendar = defineTool({
  name: "get_calendar",
  title: "Get calendar",
  description:
    "Returns the calendar of earnings, ex-dividend dates, splits, IPOs or halts: past and upcoming dates a company reports, expected EPS and revenue; also all trading holidays, half days, early closes of NYSE. Use it for when a company does report next or the stock market is open. Past results are in get_earnings.",
  topics: [
    "earnings date",
    "report date",
    "earnings calendar",
    "reports next",
    "expected eps",
    "market holiday",
    "early close",
    "trading hours",
    "stock market open",
    "ex-dividend date",
    "ipos",
    "halted stocks",
    "upcoming splits",
  ],
  toolset: "fundamentals",
  plan: "pro",
  effect: "read",
  listed: "default",
  route: "GET /api/v1/calendar",
  cli: { command: "calendar" },
  needs: ["symbols", "earnings", "marketDays", "marketEvents", "clock", "market"],
  input: z.object({
    type: z
      .enum(["earnings", ...EVENT_KINDS])
      .default("earnings")
      .describe("Kind"),
    symbols: z.array(z.string().trim().min(1).max(40)).max(MAX_SYMBOLS).optional().describe("Default: all"),
    from: ComingDay.optional().describe("Default: today"),
    to: ComingDay.optional().describe("Within 92 days"),
    limit: intBetween(1, 500).default(100).describe("Max rows"),
  }),
  output: z.object({
    ok: Success,
    from: z.iso.date(),
    to: z.iso.date(),
    outside_text: outsideTextNotice(REPORT_OUTSIDE_TEXT),
    earnings: z.array(ScheduledReport).describe("By date"),
    events: z
      .array(MarketEvent)
      .describe(
        "Of a type other than earnings, by date. amount: USD per share, or new shares per old share. at, until: of a halt, null if unknown.",
      ),
    total: Count.nullable().describe(
      "Number of rows found, including those beyond limit; null if a day or company is missing (see notes)",
    ),
    next_reports: z.array(NextReportRow).describe("With symbols: the next report of each, also after `to`"),
    market_days: z.array(MarketDay).describe("Weekdays on which US exchanges are closed or close early"),
    dataSource: z.string().nullable().describe("Provider of the dates"),
    fetchedAt: Iso.nullable().describe("When the dates were fetched; null if no provider responded"),
    cached: z.boolean(),
    stale: z.boolean(),
    notes: z.array(z.string()).describe("What is missing, and why"),
    market: MarketMode,
  }),
  examples: [
    { ask: "Who reports in the next two weeks?", input: {} },
    { ask: "When does Apple report?", input: { symbols: ["AAPL"] } },
    { ask: "Which stocks are halted?", input: { type: "halts" } },
    {
      ask: "Apple's reports from January to April 2026",
      input: { symbols: ["AAPL"], from: "2026-01-15", to: "2026-04-15" },
    },
  ],
  terminal: formatEarningsCalendar,

  async handler({ type, symbols = [], from, to, limit }, ctx) {
    if (type !== "earnings") {
      const window = windowOf(from, to, ctx.clock.now(), defaultEventDays(type, symbols.length > 0));
      const instruments = symbols.map((name) => ctx.symbols.resolve(name).instrument);
      const { source, events, ...answer } = await readEvents(
        { kind: type, ...window, instruments, signal: ctx.signal },
        ctx,
      );
      return {
        ...window,
        earnings: [],
        events: events.slice(0, limit),
        next_reports: [],
        market_days: ctx.marketDays.between(window.from, window.to),
        dataSource: source,
        cached: false,
        ...answer,
        market: ctx.market.mode,
      };
    }
    const request = { symbols, from, to, signal: ctx.signal };
    const { answer, days, unsupported, ...window } = await readEarningsCalendar(request, ctx);
    return {
      ...answer,
      ...window,
      earnings: answer.reports.slice(0, limit),
      events: [],
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
