import { z } from "zod";
import { MarketMode, Succeeded } from "../src/domain/answers.ts";
import { SyncError, SyncedConnection } from "../src/domain/trading/positions.ts";
import { ConnectionId } from "../src/domain/trading/trading.ts";
import { PICTURE_PORTS } from "../src/features/signal/picture.ts";
import { accountAnswer, formatSyncedConnection } from "../src/features/trading/connection.text.ts";
import { createOpeningsReader } from "../src/features/trading/position-signals.ts";
import { resolveConnection } from "../src/features/trading/resolve-connection.ts";
import { syncConnection } from "../src/features/trading/sync.ts";
import { asToolError, isCallError, type ToolError } from "../src/kernel/errors.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Reads the positions of connected brokers and stores them; lists failed connections separately. */
export const syncPositions = defineTool({
  name: "sync_positions",
  title: "Sync positions",
  description:
    "Pulls the current positions (holdings), cash, equity and buying power from connected brokers such as Alpaca and stores them, with the signal of the moment for each new position. Use it to sync, refresh, import or reload them from the broker, such as after a fill, or for the cash balance of a brokerage account. Stored positions are in list_positions; reconcile_orders brings orders up to date.",
  topics: ["sync positions", "refresh my holdings", "buying power", "cash balance", "account equity"],
  toolset: "trading",
  plan: "pro",
  effect: "write",
  destructive: true,
  route: "POST /api/broker/sync-positions",
  cli: { command: "sync" },
  deadlineMs: 60_000,
  needs: [
    ...PICTURE_PORTS,
    "quotes",
    "signalLog",
    "brokers",
    "connections",
    "positionRepository",
    "tradeRepository",
  ],
  input: z.object({ connection_id: ConnectionId.optional().describe("Default: all connections.") }),
  output: z.object({
    ...Succeeded,
    synced: z.array(SyncedConnection),
    positions: z.number().int().describe("Number of positions on all synced connections"),
    errors: z
      .array(SyncError)
      .describe("Connections that could not be synced; their stored positions are unchanged"),
    market: MarketMode,
  }),
  examples: [{ ask: "Bring my positions up to date from the broker", input: {} }],
  terminal: ({ synced, errors }, paint) =>
    [
      ...synced.flatMap((one) => formatSyncedConnection(one, paint)),
      ...errors.map(
        ({ connection_id, message }) =>
          `${paint("bold", connection_id)}  ${paint("yellow", `not synced: ${message}; its stored positions are unchanged`)}`,
      ),
      paint("dim", "list_positions shows them with their signals."),
    ].join("\n"),

  async handler({ connection_id }, ctx) {
    const { account } = ctx.principal;
    const ids =
      connection_id === undefined
        ? (await ctx.connections.list(account)).map((one) => one.connection_id)
        : [connection_id];
    const openings = createOpeningsReader(ctx.signal, ctx);
    const synced: z.infer<typeof SyncedConnection>[] = [];
    const failures: { readonly id: string; readonly error: ToolError }[] = [];
    for (const id of ids) {
      try {
        const one = await resolveConnection(ctx, account, id);
        const snapshot = await syncConnection(account, one, ctx, { openings, signal: ctx.signal });
        synced.push({
          ...one.connection,
          positions: snapshot.positions.length,
          account: accountAnswer(snapshot.account),
        });
      } catch (thrown) {
        const error = asToolError(thrown);
        const isFatal = ids.length === 1 || error.code === "INTERNAL";
        if (isFatal || (isCallError(error) && error.code !== "NOT_CONNECTED")) throw thrown;
        failures.push({ id, error });
      }
    }
    if (synced.length === 0 && failures.length > 0) throw failures[0]!.error;
    return {
      synced,
      positions: synced.reduce((sum, one) => sum + one.positions, 0),
      errors: failures.map(({ id, error: { code, message, hint = null } }) => ({
        connection_id: id,
        code,
        message,
        hint,
      })),
      market: ctx.market.mode,
    };
  },
});
