import { z } from "zod";
import { costOf } from "../src/analytics/positions/cost.ts";
import { Hint, Iso, MarketMode, Succeeded, SymbolText } from "../src/domain/answers.ts";
import { MAX_SYMBOLS } from "../src/domain/requests/task.ts";
import { PositionRow } from "../src/domain/trading/positions.ts";
import { ConnectionId } from "../src/domain/trading/trading.ts";
import { PICTURE_PORTS } from "../src/features/signal/picture.ts";
import { type CurrentPositions, currentPositions } from "../src/features/trading/current-positions.ts";
import { formatPositions } from "../src/features/trading/position.text.ts";
import { type PositionAccount, positionRow } from "../src/features/trading/position-rows.ts";
import { readPositionSignals } from "../src/features/trading/position-signals.ts";
import { connectionNotFound } from "../src/features/trading/resolve-connection.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Returns the current positions of all accounts, each with its signal and a recommendation. */
export const listPositions = defineTool({
  name: "list_positions",
  title: "List positions",
  description:
    "Lists the positions held now at the paper account and connected brokers, and imported ones: quantity, average price, market value, unrealized profit or loss and an edge recommendation (EXIT, REDUCE, HOLD): current signal, whether the stop was breached, how the grade changed. Use it for what I own or hold: my open positions and portfolio, how they are doing, which to trim. sync_positions adds cash.",
  topics: [
    "my positions",
    "open positions",
    "what i own",
    "portfolio holdings",
    "unrealized profit",
    "edge recommendation",
    "stop breached",
  ],
  toolset: "trading",
  plan: "pro",
  effect: "read",
  route: "GET /api/broker/positions",
  cli: { command: "positions" },
  deadlineMs: 60_000,
  needs: [
    ...PICTURE_PORTS,
    "quotes",
    "signalLog",
    "brokers",
    "cache",
    "connections",
    "positionRepository",
    "tradeRepository",
    "log",
  ],
  input: z.object({
    connection_id: ConnectionId.optional().describe("Default: all connections."),
    symbol: SymbolText.optional().describe("Only this symbol, such as AAPL or BTC-USD"),
  }),
  output: z.object({
    ...Succeeded,
    as_of: Iso.describe("When the positions were read; of several accounts, the oldest reading"),
    positions: z.array(PositionRow).describe("Largest cost first"),
    count: z.number().int(),
    complete: z.boolean().describe("false: an account could not be read; hint says which"),
    empty_reason: z
      .string()
      .nullable()
      .describe("Whether an empty list is known to be empty; null with positions"),
    synced: z
      .array(
        z.object({
          connection_id: z.string(),
          synced_at: z.iso.datetime().nullable().describe("null: never"),
          reason: z.string().nullable().describe("Why it was not read; null if it was"),
        }),
      )
      .describe("When the positions of each connection were read at its broker"),
    imported: z.array(z.object({ account_label: z.string(), imported_at: z.iso.datetime() })),
    hint: Hint,
    market: MarketMode,
  }),
  examples: [
    { ask: "What do I hold, and should I sell any of it?", input: {} },
    { ask: "How is my Apple position doing?", input: { symbol: "AAPL" } },
  ],
  terminal: ({ as_of, positions, empty_reason, hint }, paint) =>
    [
      `as of ${as_of.slice(0, 19)}Z`,
      ...formatPositions(positions, paint),
      ...(empty_reason === null ? [] : [empty_reason]),
      ...(hint === null ? [] : [hint]),
    ].join("\n"),

  async handler({ connection_id, symbol }, ctx) {
    const { account } = ctx.principal;
    const all = await ctx.connections.list(account);
    const wanted = all.filter((one) => connection_id === undefined || one.connection_id === connection_id);
    if (connection_id !== undefined && wanted.length === 0) throw connectionNotFound();
    const only = symbol === undefined ? null : ctx.symbols.resolve(symbol).instrument.symbol;
    const current = await Promise.all(wanted.map((one) => currentPositions(ctx.principal, one, ctx)));
    const imports = connection_id === undefined ? await ctx.positionRepository.listImported(account) : [];
    const failures = current.filter(({ failure }) => failure !== null);
    const isUnknown = current.every(({ at }) => at === null) && imports.length === 0;
    if (isUnknown && failures.length > 0) throw failures[0]!.failure;
    const holders = [
      ...current.flatMap(({ at, failure: _, ...one }) => (at === null ? [] : { ...one, at, label: null })),
      ...imports.map((one) => ({ ...one, connection: null })),
    ];
    const held = holders
      .flatMap(({ positions, ...holder }) => positions.map((position) => ({ position, holder })))
      .filter(({ position }) => only === null || position.symbol === only)
      .sort((a, b) => costOf(b.position) - costOf(a.position));
    const symbols = [...new Set(held.map(({ position }) => position.symbol))].slice(0, MAX_SYMBOLS);
    const signals = await readPositionSignals(symbols, ctx.signal, ctx);
    const hints = [...failures.map(failureHint), ...holders.flatMap(unreadableHints)];
    const complete = hints.length === 0;
    const read = current.flatMap(({ at }) => at ?? []);
    const as_of = (read.length > 0 ? read : imports.map(({ at }) => at)).sort()[0];
    return {
      as_of: as_of ?? ctx.clock.now().toISOString(),
      positions: held.map(({ position, holder }) =>
        positionRow(position, holder, signals.get(position.symbol) ?? SIGNAL_NOT_READ),
      ),
      count: held.length,
      complete,
      empty_reason: held.length > 0 ? null : emptyReason({ complete, only }),
      synced: current.map(({ connection, at, failure }) => ({
        connection_id: connection,
        synced_at: at,
        reason: failure?.message ?? null,
      })),
      imported: imports.map(({ label, at }) => ({ account_label: label, imported_at: at })),
      hint: hints.length === 0 ? null : hints.join(" "),
      market: ctx.market.mode,
    };
  },
});

const SIGNAL_NOT_READ = {
  picture: null,
  reason: `Signals are computed only for the ${MAX_SYMBOLS} largest positions; pass symbol to get this one`,
} as const;

/** Says whether an empty list is known to be empty. */
function emptyReason({
  complete,
  only,
}: {
  readonly complete: boolean;
  readonly only: string | null;
}): string {
  if (!complete) return "It is not known whether anything is held: see hint";
  return only === null
    ? "Nothing is held: every account was read"
    : `No ${only} is held: every account was read`;
}

/** Says why the positions of a connection could not be read, and from when those listed are. */
function failureHint({ connection, at, failure }: CurrentPositions): string {
  const listed = at === null ? "its positions are unknown" : `its positions are those of ${at}`;
  return `${connection} could not be read (${failure!.message}): ${listed}. ${failure!.hint ?? "sync_positions reads it again."}`;
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
