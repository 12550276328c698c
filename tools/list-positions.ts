import { z } from "zod";
import { costOf } from "../src/analytics/positions/cost.ts";
import { Hint, MarketMode, Succeeded, SymbolText } from "../src/domain/answers.ts";
import type { Ports } from "../src/domain/ports.ts";
import { MAX_SYMBOLS } from "../src/domain/questions/task.ts";
import { NO_BROKER, PositionRow } from "../src/domain/trading/positions.ts";
import { ConnectionId, type Order } from "../src/domain/trading/trading.ts";
import { PICTURE_PORTS } from "../src/features/signal/picture.ts";
import { formatPosition } from "../src/features/trading/position.text.ts";
import { type PositionAccount, positionRow } from "../src/features/trading/position-rows.ts";
import { readPositionSignals } from "../src/features/trading/position-signals.ts";
import { connectionNotFound } from "../src/features/trading/resolve-connection.ts";
import { defineTool } from "../src/kernel/tool.ts";
import { isAhead } from "../src/lib/expiry.ts";

/** Returns positions as last synced or imported, each with its current signal and a recommendation. */
export const listPositions = defineTool({
  name: "list_positions",
  title: "List positions",
  description:
    "Lists the positions held at brokers as last synced or imported: quantity, average price, market value, unrealized profit or loss and an edge recommendation (EXIT, REDUCE, HOLD): current signal, whether the stop was breached, how the grade changed. Use it for what I own or hold: my open positions and portfolio, how they are doing, which to trim. sync_positions asks the broker first.",
  toolset: "trading",
  plan: "pro",
  effect: "read",
  route: "GET /api/broker/positions",
  cli: { command: "positions" },
  deadlineMs: 60_000,
  needs: [...PICTURE_PORTS, "quotes", "signalLog", "connections", "positionRepository", "tradeRepository"],
  input: z.object({
    connection_id: ConnectionId.optional().describe("Default: all connections."),
    symbol: SymbolText.optional().describe("Only this symbol, such as AAPL or BTC-USD"),
  }),
  output: z.object({
    ...Succeeded,
    positions: z.array(PositionRow).describe("Largest cost first"),
    count: z.number().int(),
    synced: z
      .array(z.object({ connection_id: z.string(), synced_at: z.iso.datetime().nullable() }))
      .describe("Time of the last sync of each connection; null: never synced"),
    imported: z
      .array(z.object({ account_label: z.string(), told_at: z.iso.datetime() }))
      .describe("Imported accounts and the time of each import"),
    hint: Hint,
    market: MarketMode,
  }),
  examples: [
    { ask: "What do I hold, and should I sell any of it?", input: {} },
    { ask: "How is my Apple position doing?", input: { symbol: "AAPL" } },
  ],
  terminal: ({ positions, hint }, paint) =>
    [
      ...positions.flatMap((row) => formatPosition(row, paint)),
      ...(positions.length === 0 && hint === null ? ["no positions"] : []),
      ...(hint === null ? [] : [hint]),
    ].join("\n"),

  async handler({ connection_id, symbol }, ctx) {
    const { account } = ctx.principal;
    const all = await ctx.connections.list(account);
    const wanted = all.filter((one) => connection_id === undefined || one.connection_id === connection_id);
    if (connection_id !== undefined && wanted.length === 0) throw connectionNotFound();
    const only = symbol === undefined ? null : ctx.symbols.resolve(symbol).instrument.symbol;
    const stored = await ctx.positionRepository.listSynced(account);
    const imports = connection_id === undefined ? await ctx.positionRepository.listImported(account) : [];
    const syncedOf = (id: string) => stored.find(({ connection }) => connection === id);
    const holders = [
      ...wanted.flatMap((one) => {
        const synced = syncedOf(one.connection_id);
        return synced === undefined ? [] : [{ ...synced, label: null }];
      }),
      ...imports.map((one) => ({ ...one, connection: null })),
    ];
    const held = holders
      .flatMap(({ positions, ...holder }) => positions.map((position) => ({ position, holder })))
      .filter(({ position }) => only === null || position.symbol === only)
      .sort((a, b) => costOf(b.position) - costOf(a.position));
    const symbols = [...new Set(held.map(({ position }) => position.symbol))].slice(0, MAX_SYMBOLS);
    const signals = await readPositionSignals(symbols, ctx.signal, ctx);
    const isNeverSynced = wanted.some((one) => syncedOf(one.connection_id) === undefined);
    const hints = [
      ...(isNeverSynced ? [NOT_SYNCED_HINT] : []),
      ...(await filledSinceHints(account, holders, ctx)),
      ...holders.flatMap(unreadableHints),
    ];
    return {
      positions: held.map(({ position, holder }) =>
        positionRow(position, holder, signals.get(position.symbol) ?? SIGNAL_NOT_READ),
      ),
      count: held.length,
      synced: wanted.map(({ connection_id: id }) => ({
        connection_id: id,
        synced_at: syncedOf(id)?.at ?? null,
      })),
      imported: imports.map(({ label, at }) => ({ account_label: label, told_at: at })),
      hint: all.length + imports.length === 0 ? NO_BROKER : hints.length === 0 ? null : hints.join(" "),
      market: ctx.market.mode,
    };
  },
});

const SIGNAL_NOT_READ = {
  picture: null,
  reason: `Signals are computed only for the ${MAX_SYMBOLS} largest positions; pass symbol to get this one`,
} as const;
const NOT_SYNCED_HINT = "Some connections have never been synced: sync_positions reads their positions.";

const MAX_ORDERS = 200;

/** Returns hints for connections with orders filled after the last sync, except by a clock that was ahead. */
async function filledSinceHints(
  account: string,
  holders: readonly PositionAccount[],
  { tradeRepository, clock }: Pick<Ports, "tradeRepository" | "clock">,
): Promise<string[]> {
  const hints: string[] = [];
  const now = clock.now().getTime();
  const isFilledAfter = (order: Order, at: string) =>
    Number(order.filled_quantity) > 0 && order.updated_at > at && !isAhead(Date.parse(order.updated_at), now);
  for (const { connection, at } of holders) {
    if (connection === null) continue;
    const orders = await tradeRepository.orders(account, { connection, limit: MAX_ORDERS });
    if (orders.some((order) => isFilledAfter(order, at)))
      hints.push(
        `Orders on ${connection} were filled after ${at}: sync_positions reads the current positions.`,
      );
  }
  return hints;
}

/** Returns a hint for an account whose stored rows can no longer be parsed; otherwise none. */
function unreadableHints({
  unread = 0,
  label,
  connection,
}: PositionAccount & { readonly unread?: number }): string[] {
  if (unread === 0) return [];
  const what = `${label ?? connection}: ${unread} stored ${unread === 1 ? "position is" : "positions are"} unreadable and omitted`;
  return [
    `${what}; ${label === null ? "sync_positions reads them from the broker again." : "import_positions replaces or removes them."}`,
  ];
}
