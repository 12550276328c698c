import { z } from "zod";
import { MarketMode, Success, symbolList } from "../src/domain/answers.ts";
import { Timeframe, TimeframeText } from "../src/domain/market/bars.ts";
import { MAX_SYMBOLS } from "../src/domain/requests/task.ts";
import { TradeRequestSchema } from "../src/domain/trading/preview.ts";
import { Proposal, ProposalError, TicketConnection } from "../src/domain/trading/proposal.ts";
import { ConnectionId, Positive } from "../src/domain/trading/trading.ts";
import { servedSignal } from "../src/features/signal/logged.ts";
import { PICTURE_PORTS, pictureOf } from "../src/features/signal/picture.ts";
import { planFrom, tradedInstrument } from "../src/features/signal/trade-plan.ts";
import { TRADE_PORTS } from "../src/features/trading/needs.ts";
import { buildProposal, formatProposalSummary, formatProposals } from "../src/features/trading/proposals.ts";
import { proposeTicket } from "../src/features/trading/propose.ts";
import { resolveConnection } from "../src/features/trading/resolve-connection.ts";
import { itemError } from "../src/kernel/errors.ts";
import { defineTool } from "../src/kernel/tool.ts";
import { mapConcurrent } from "../src/lib/concurrency.ts";
import { idDigits } from "../src/lib/id-digits.ts";

const SEPARATE_CHECKS_NOTE =
  "Each ticket is checked as if it were the only one. execute_trade checks it again, including orders sent in the meantime.";

/** Proposes trades from the signals of several symbols, with reasons and tickets. Sends no orders. */
export const proposeTrade = defineTool({
  name: "propose_trade",
  title: "Propose trades",
  description:
    "Proposes trades for up to 20 symbols: direction by the signal, why, levels, and a stored ticket sized and risk-checked for the paper account or a connected broker; sends no order. Use it for what to trade among these: execution recommendations with tickets, ideas or drafts for me to approve. execute_trade sends a ticket; preview_trade takes my own size.",
  topics: [
    "trade ideas",
    "trade proposals",
    "suggest trades",
    "execution recommendations",
    "for my approval",
  ],
  toolset: "agents",
  plan: "pro",
  effect: "write",
  listed: false,
  route: "POST /api/v1/proposals",
  cli: { command: "propose" },
  deadlineMs: 60_000,
  needs: [...new Set([...PICTURE_PORTS, ...TRADE_PORTS, "signalLog", "trackRecord", "ids"] as const)],
  input: z.object({
    symbols: symbolList(MAX_SYMBOLS).describe("At most 20 tickers or pairs"),
    timeframe: TimeframeText.default("1d"),
    connection_id: ConnectionId.optional().describe(
      "Id of a broker connection. Default: the only connection, else the only paper connection.",
    ),
    risk_pct: Positive.optional().describe(
      "Percent of equity that each trade may lose at its stop, as text or number such as 0.5; paper only. Default: the owner's TRADING_RISK_PCT.",
    ),
    asset_class: z
      .enum(["equity", "etf", "crypto"])
      .optional()
      .describe("Required if a symbol names several instruments"),
  }),
  output: z.object({
    ok: Success,
    summary: z.string(),
    proposals: z.array(Proposal).describe("In the order requested, without repeated instruments"),
    count: z.number().int().describe("Number of proposals, including WAIT"),
    tickets: z.number().int().describe("Number of proposals with a ticket"),
    errors: z.array(ProposalError).describe("Symbols without a proposal, and why"),
    connection: TicketConnection,
    notes: z.array(z.string()),
    timeframe: Timeframe,
    market: MarketMode,
  }),
  examples: [
    { ask: "Propose trades in Apple and Nvidia for me to approve", input: { symbols: ["AAPL", "NVDA"] } },
    {
      ask: "Draft a bitcoin trade that risks half a percent of my paper account",
      input: { symbols: ["BTC-USD"], risk_pct: "0.5" },
    },
  ],
  tasks: [{ name: "trade_proposal", symbols: "all", field: "symbols" }],
  terminal: formatProposals,

  async handler({ symbols, timeframe, connection_id, risk_pct, asset_class }, ctx) {
    const { signal, principal, progress } = ctx;
    const { account } = principal;
    const connection = await resolveConnection(ctx, account, connection_id);
    // an ambiguous name is refused, so it may not stand for the pair that is named too
    const keyOf = (text: string) => {
      const found = ctx.symbols.find(text);
      const refused = found === null || (found.alternatives.length > 0 && asset_class === undefined);
      return refused ? text.toUpperCase() : found.instrument.symbol;
    };
    const keys = symbols.map(keyOf);
    const distinct = symbols.filter((_, place) => keys.indexOf(keys[place]!) === place);
    const propose = async (text: string): Promise<Proposal> => {
      const isAmbiguous = ctx.symbols.resolve(text).alternatives.length > 0;
      const instrument = tradedInstrument(text, isAmbiguous ? asset_class : undefined, ctx.symbols);
      const picture = await pictureOf({ symbol: instrument.symbol, timeframe, signal }, ctx);
      ctx.signalLog.record(servedSignal(picture));
      const plan = await planFrom(picture, ctx);
      signal.throwIfAborted();
      const order = TradeRequestSchema.parse({ connection_id, timeframe, risk_pct });
      const request = { account, digits: idDigits(ctx.ids.uuid()), instrument, trade: order, plan };
      return {
        ...buildProposal(picture, ctx.clock.now()),
        ...(await proposeTicket(request, connection, ctx)),
      };
    };
    const outcomes = await mapConcurrent(
      distinct,
      (text) => propose(text).catch(itemError),
      (done, message) => progress({ done, total: distinct.length, message }),
    );
    const proposals = outcomes.flatMap((one) => (one instanceof Error ? [] : one));
    const errors = outcomes.flatMap((one, place) =>
      one instanceof Error
        ? { symbol: distinct[place]!, code: one.code, message: one.message, hint: one.hint ?? null }
        : [],
    );
    const outage = outcomes.find((one) => one instanceof Error && one.code === "UPSTREAM_UNAVAILABLE");
    if (proposals.length === 0 && outage !== undefined) throw outage;
    const tickets = proposals.filter(({ ticket }) => ticket !== null).length;
    return {
      summary: formatProposalSummary(proposals, errors),
      proposals,
      count: proposals.length,
      tickets,
      errors,
      connection: connection.connection,
      notes: tickets > 1 ? [SEPARATE_CHECKS_NOTE] : [],
      timeframe,
      market: ctx.market.mode,
    };
  },
});
