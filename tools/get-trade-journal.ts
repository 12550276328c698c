import { z } from "zod";
import {
  AsOf,
  Iso,
  intBetween,
  MarketMode,
  NextCursor,
  Succeeded,
  SymbolText,
  timeRange,
} from "../src/domain/answers.ts";
import { nextPageLine } from "../src/domain/terminal.ts";
import { JournalSummary, JournalTrade } from "../src/domain/trading/journal.ts";
import { Amount, ConnectionId, isUnresolved } from "../src/domain/trading/trading.ts";
import { pageOf } from "../src/features/signal/time-page.ts";
import { ANY_TIME, refuseBoth, resolveRange } from "../src/features/signal/time-range.ts";
import { formatJournalSummary, formatJournalTrades } from "../src/features/trading/journal.text.ts";
import { readFills } from "../src/features/trading/journal.ts";
import { buildJournal } from "../src/features/trading/journal-trades.ts";
import { connectionNotFound } from "../src/features/trading/resolve-connection.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Returns the trades of the account from entry to exit, with a summary. */
export const getTradeJournal = defineTool({
  name: "get_trade_journal",
  title: "Trade journal",
  description:
    "Shows the trade journal of this account: its own closed trades from entry to exit, with realized profit or loss, fees, R-multiple, how long each was held, what the signal said when entered, notes, and statistics such as the profit factor. Use it to review my trades this month: wins and losses, how much I made or lost. write_journal_note adds notes; list_positions has open trades.",
  topics: [
    "trade journal",
    "closed trades",
    "past trades",
    "realized profit",
    "profit factor",
    "r-multiple",
    "my win rate",
    "wins and losses",
  ],
  toolset: "trading",
  plan: "pro",
  effect: "read",
  route: "GET /api/broker/journal",
  cli: { command: "journal", positionals: ["symbol"] },
  deadlineMs: 60_000,
  needs: ["brokers", "connections", "tradeRepository", "tradeNotes", "symbols", "clock", "market"],
  input: z.object({
    connection_id: ConnectionId.optional().describe("Default: all connections."),
    symbol: SymbolText.optional().describe("Only this symbol, such as AAPL or BTC-USD"),
    since: AsOf.optional().describe(
      "Only trades that are open or were closed after this time: ISO 8601 with zone, or a date. Alternative to from.",
    ),
    ...timeRange("close of a trade; open trades count from their entry on"),
    limit: intBetween(1, 200).default(50).describe("Maximum number of trades listed; the summary covers all"),
  }),
  output: z.object({
    ...Succeeded,
    as_of: Iso,
    trades: z.array(JournalTrade).describe("Newest entry first"),
    count: z.number().int().describe("Trades listed"),
    next_cursor: NextCursor,
    summary: JournalSummary,
    unmatched: z
      .array(
        z.object({
          connection_id: z.string(),
          order_id: z.string().nullable().describe("null if the broker placed the order"),
          symbol: z.string(),
          quantity: Amount,
        }),
      )
      .describe("Units sold or covered that no order of this account opened; they are in no trade"),
    unread: z
      .array(z.object({ connection_id: z.string(), reason: z.string() }))
      .describe(
        "Connections whose broker did not respond: their trades show the last known state, without bracket exits",
      ),
    hint: z.string().nullable(),
    market: MarketMode,
  }),
  examples: [
    { ask: "How have my trades done so far?", input: {} },
    { ask: "Review my Apple trades since the new year", input: { symbol: "AAPL", since: "2026-01-01" } },
  ],
  terminal: ({ trades, summary, unread, hint, next_cursor }, paint) =>
    [
      ...formatJournalSummary(summary, paint),
      ...formatJournalTrades(trades, paint),
      ...unread.map(({ connection_id, reason }) =>
        paint("yellow", `${connection_id} was not read: ${reason}`),
      ),
      ...(hint === null ? [] : [hint]),
      ...nextPageLine(next_cursor, paint),
    ].join("\n"),

  async handler({ connection_id, symbol, since, limit, ...times }, ctx) {
    const { account } = ctx.principal;
    const only = symbol === undefined ? null : ctx.symbols.resolve(symbol).instrument.symbol;
    refuseBoth({ since, from: times.from }, "since", "from");
    const range = resolveRange(times, {
      now: ctx.clock.now(),
      filters: [connection_id, only, since],
      latest: ANY_TIME,
    });
    const request = { connection: connection_id, limit: MAX_ORDERS, signal: ctx.signal };
    const read = await readFills(account, request, ctx);
    if (connection_id !== undefined && read.length === 0) {
      const all = await ctx.connections.list(account);
      if (!all.some((connection) => connection.connection_id === connection_id)) throw connectionNotFound();
    }
    const from = since === undefined ? range.from : Date.parse(since);
    const wanted = { symbol: only, since: from, until: range.until };
    const notes = await ctx.tradeNotes.list(account);
    const { trades, summary, unmatched } = buildJournal(read, notes, wanted);
    const timeOf = ({ opened_at }: JournalTrade) => Date.parse(opened_at);
    const page = pageOf(trades, { ...range, from: null, limit, timeOf });
    const orders = read.flatMap((one) => [...one.orders.values()]);
    const ours = new Set(orders.map(({ order_id }) => order_id));
    const open = orders.some(isUnresolved);
    return {
      as_of: ctx.clock.now().toISOString(),
      summary,
      trades: page.rows,
      count: page.rows.length,
      next_cursor: page.next,
      unmatched: unmatched.map(({ connection, order, ...one }) => ({
        connection_id: connection,
        order_id: ours.has(order) ? order : null,
        ...one,
      })),
      unread: read.flatMap(({ connection, unavailableReason: unread }) =>
        unread === null ? [] : [{ connection_id: connection, reason: unread }],
      ),
      hint:
        orders.length === 0
          ? "No orders yet: preview_trade previews one, execute_trade sends it."
          : open
            ? "The outcome of an order is unknown: reconcile_orders asks the broker."
            : orders.length >= MAX_ORDERS
              ? `Only the newest ${MAX_ORDERS} orders are included.`
              : null,
      market: ctx.market.mode,
      ...range.notes,
    };
  },
});

const MAX_ORDERS = 2_000;
