import { z } from "zod";
import { congressSummary, SIGNAL_DAYS } from "../src/analytics/congress/window.ts";
import { Figure, intBetween, MarketMode, Success, SymbolText } from "../src/domain/answers.ts";
import {
  DataCompleteness,
  Day,
  DisclosureOrigin,
  Lean,
  TickerLean,
} from "../src/domain/congress/congress.ts";
import { formatDollars, formatLean } from "../src/features/congress/congress.text.ts";
import {
  filingCoverage,
  notesOf,
  onlyCoveredChamber,
  originUntil,
  qualifyLean,
} from "../src/features/congress/filing-coverage.ts";
import { parsePastTime } from "../src/features/signal/past-time.ts";
import { defineTool } from "../src/kernel/tool.ts";
import { dayAfter } from "../src/lib/day-after.ts";

/** Minimum number of members for a direction of the whole market and of one ticker. */
const MIN_MEMBERS = { market: 5, ticker: 3 } as const;
const MAX_TICKERS = 10;

/** Returns the net direction of recent Congress disclosures, with the rule and the figures behind it. */
export const getCongressSignal = defineTool({
  name: "get_congress_signal",
  title: "Get congress signal",
  description:
    "Returns the aggregate trading direction of Congress (Capitol Hill), BUYING, SELLING or NEUTRAL, one sentiment score, lawmakers and money on each side, top stocks, typical lag of filings. Use it for whether Congress or lawmakers overall are net buying or selling, bullish or bearish, in all or on one ticker. Single trades are in get_political_trades.",
  topics: [
    "congress buying or selling",
    "congress sentiment",
    "congress signal",
    "lawmakers overall",
    "net buying by congress",
    "capitol hill",
    "congress bullish or bearish",
  ],
  toolset: "flow",
  plan: "founding",
  effect: "read",
  route: "GET /api/options-flow/congress",
  cli: { command: "congress", positionals: ["ticker"] },
  needs: ["congress", "symbols", "clock", "market"],
  input: z.object({
    ticker: SymbolText.optional().describe("Only this stock, fund or token"),
    as_of: Day.optional().describe("Last filing date, not in the future. Default: today."),
    days: intBetween(1, 365).default(SIGNAL_DAYS).describe("Number of days of filings, up to as_of"),
  }),
  output: z.object({
    ok: Success,
    ticker: z.string().nullable(),
    ...Lean.shape,
    ...DataCompleteness.shape,
    from: z.string().describe("First filing date included"),
    to: z.string(),
    most_bought: z
      .array(TickerLean)
      .describe(
        "Tickers that members bought on balance (score and net_usd above 0), by majority of members, then by dollars; at most 10",
      ),
    most_sold: z
      .array(TickerLean)
      .describe(
        "Tickers that members sold on balance (score and net_usd below 0), in the same order; at most 10",
      ),
    median_days_to_file: Figure.describe("Median over the counted trades, in days; null if none has a date"),
    notes: z.array(z.string()),
    ...DisclosureOrigin.shape,
    market: MarketMode,
  }),
  examples: [
    { ask: "Is Congress buying or selling?", input: {} },
    {
      ask: "Which way did Congress lean on Microsoft in December 2025?",
      input: { ticker: "MSFT", as_of: "2025-12-31" },
    },
  ],
  terminal(answer, paint) {
    const { most_bought, most_sold, notes, from, to, rule } = answer;
    const formatTicker = ({ ticker, buying, selling, net_usd }: TickerLean) =>
      `${ticker.padEnd(8)}${buying} bought, ${selling} sold, net ${formatDollars(net_usd)}`;
    return [
      ...formatLean(answer, paint),
      ...(most_bought.length === 0 ? [] : [paint("green", "most bought"), ...most_bought.map(formatTicker)]),
      ...(most_sold.length === 0 ? [] : [paint("red", "most sold"), ...most_sold.map(formatTicker)]),
      ...notes.map((note) => paint("yellow", note)),
      paint("dim", `filed ${from} to ${to}. ${rule}`),
    ].join("\n");
  },

  async handler({ ticker, as_of, days }, { congress, symbols, clock, market, signal }) {
    const symbol = ticker === undefined ? null : symbols.resolve(ticker).instrument.symbol;
    if (as_of !== undefined) parsePastTime(as_of, clock.now());
    const until = as_of ?? clock.now().toISOString().slice(0, 10);
    const found = await congress.disclosures({
      from: dayAfter(until, 1 - days),
      until,
      signal,
      ...(symbol !== null && { symbol }),
    });
    const minMembers = symbol === null ? MIN_MEMBERS.market : MIN_MEMBERS.ticker;
    const { lean, from, bought, sold, median_days_to_file } = congressSummary(found.trades, {
      until,
      days,
      minMembers,
    });
    const origin = originUntil(found, until);
    const range = { from, to: until };
    const coverage = filingCoverage(found, range);
    return {
      ticker: symbol,
      ...qualifyLean(lean, coverage, onlyCoveredChamber(found, range)),
      ...coverage,
      from,
      to: until,
      most_bought: bought.slice(0, MAX_TICKERS),
      most_sold: sold.slice(0, MAX_TICKERS),
      median_days_to_file,
      notes: [...notesOf(origin, found.unread)],
      ...origin,
      market: market.mode,
    };
  },
});
