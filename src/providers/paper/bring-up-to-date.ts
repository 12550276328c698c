import type { Instrument } from "../../domain/market/market.ts";
import type { BarHistory, CallOptions, Clock, Symbols } from "../../domain/ports.ts";
import type {
  PaperChange,
  PaperClose,
  PaperOwner,
  PaperRepository,
  PaperState,
} from "../../domain/trading/paper-repository-port.ts";
import type { Amount, PaperFills } from "../../domain/trading/trading.ts";
import { ToolError } from "../../kernel/errors.ts";
import { yieldToEventLoop } from "../../lib/event-loop.ts";
import { type DailyHistory, historyStart, loadDailyHistory } from "./daily-history.ts";
import { indexOrders, isDormant, isWorking } from "./legs.ts";
import { matchWorkingOrders, type OrderSteps } from "./match-working-orders.ts";
import { nextOpenTape } from "./next-open.ts";
import { applySplits, type Split } from "./split.ts";
import { loadTape } from "./tape.ts";

/** Default opening cash of an account, US dollars. */
export const OPENING_CASH = "100000";
/** Maximum number of attempts of a write that conflicts with other writes. */
export const MAX_WRITE_ATTEMPTS = 20;
/** Minimum interval at which a read writes the progress of matching. */
const PROGRESS_INTERVAL_MS = 3_600_000;

export interface PaperAccountDeps {
  readonly owner: PaperOwner;
  readonly repository: PaperRepository;
  readonly symbols: Pick<Symbols, "find">;
  readonly bars: BarHistory;
  readonly clock: Clock;
  /** Fill model of a new account, which an existing account must have too. Default: any. */
  readonly fills?: PaperFills | undefined;
  /** Opening cash of a new account, US dollars. Default: 100,000; an existing account keeps its own. */
  readonly equity?: Amount | undefined;
}

/** The current state of an account, with the daily history of its positions and working orders. */
export interface PaperSnapshot {
  readonly state: PaperState;
  readonly days: ReadonlyMap<string, DailyHistory>;
}

/** Returns the instrument of a canonical symbol; null if the market does not list it. */
export function findInstrument(symbols: Pick<Symbols, "find">, symbol: string): Instrument | null {
  const found = symbols.find(symbol)?.instrument ?? null;
  return found?.symbol === symbol ? found : null;
}

/**
 * Reads the state of an account, which is opened if it does not exist. @throws ToolError REFUSED if the account has a
 * different fill model
 */
export async function readOrOpenState({
  repository,
  owner,
  clock,
  fills,
  equity = OPENING_CASH,
}: PaperAccountDeps): Promise<PaperState> {
  const found = await repository.read(owner);
  if (found === null) await repository.open(owner, equity, clock.now().toISOString(), fills);
  const state = found ?? (await repository.read(owner))!;
  if (fills === undefined || state.fillModel === fills) return state;
  throw new ToolError(
    "REFUSED",
    `The fill model of this paper account is "${state.fillModel}" and cannot change`,
    { hint: `Leave credentials out to open a new account with the fill model "${fills}".` },
  );
}

/**
 * Applies splits and fills working orders up to now, each at its bar, so the result depends on the bars and not on the
 * time of the call. With `saveProgress`, also stores the time up to which each order was matched; required before any
 * other change of the account.
 */
export async function bringUpToDate(
  deps: PaperAccountDeps,
  { saveProgress = false, ...options }: CallOptions & { readonly saveProgress?: boolean } = {},
): Promise<PaperSnapshot> {
  const { repository, owner, clock } = deps;
  for (let tries = 0; tries < MAX_WRITE_ATTEMPTS; tries++) {
    const state = await readOrOpenState(deps);
    const now = clock.now().getTime();
    const days = await loadDailyHistories(state, deps, { ...options, now });
    const splits = [...days].flatMap(([symbol, known]) => detectSplit(state, symbol, known));
    if (splits.length > 0) {
      await repository.write(owner, state.version, applySplits(state, splits, now));
      continue;
    }
    const tapes = await loadTapes(state, days, deps, options);
    // because matching many orders over many days takes long
    if (state.working.length > 0) await yieldToEventLoop();
    const change = matchWorkingOrders(state, tapes, now);
    const closes = closesAfter(state, change, days);
    const moved = change.fills.length > 0 || (saveProgress && change.orders.length > 0);
    if (!moved && closes === undefined && !isProgress(state, change)) return { state, days };
    if (await repository.write(owner, state.version, { ...change, ...(closes && { closes }) }))
      return { state: await readOrOpenState(deps), days };
  }
  throw new ToolError("CONFLICT", "Other requests keep changing the paper account; retry");
}

async function loadDailyHistories(
  state: PaperState,
  { symbols, bars }: PaperAccountDeps,
  options: CallOptions & { readonly now: number },
): Promise<ReadonlyMap<string, DailyHistory>> {
  const { now } = options;
  const working = state.working.filter(isWorking);
  const waiting = new Set(working.map(({ intent }) => intent.symbol));
  const all = [...new Set([...state.positions.map(({ symbol }) => symbol), ...waiting])];
  const read = await Promise.all(
    all.map(async (symbol) => {
      const instrument = findInstrument(symbols, symbol);
      if (instrument === null) return [];
      const ordersOfSymbol = working.filter(({ intent }) => intent.symbol === symbol);
      const close = state.closes.find((known) => known.symbol === symbol);
      try {
        return [
          [
            symbol,
            await loadDailyHistory(bars, instrument, {
              ...options,
              from: historyStart(now, close, ordersOfSymbol),
            }),
          ] as const,
        ];
      } catch (cause) {
        // a position needs its daily history only to detect a split, which can wait
        if (waiting.has(symbol)) throw cause;
        return [];
      }
    }),
  );
  return new Map(read.flat());
}

const detectSplit = ({ closes }: PaperState, symbol: string, days: DailyHistory): readonly Split[] => {
  const close = closes.find((known) => known.symbol === symbol);
  const split = close === undefined ? null : days.splitSince(close);
  return split === null ? [] : [split];
};

async function loadTapes(
  state: PaperState,
  days: ReadonlyMap<string, DailyHistory>,
  { symbols, bars, clock }: PaperAccountDeps,
  options: CallOptions,
): Promise<ReadonlyMap<string, OrderSteps>> {
  const orders = indexOrders(state.working);
  const from = new Map<string, number>();
  for (const order of state.working) {
    if (!isWorking(order) || isDormant(orders, order)) continue;
    const { symbol } = order.intent;
    from.set(symbol, Math.min(from.get(symbol) ?? Number.POSITIVE_INFINITY, Date.parse(order.matchedTo)));
  }
  const tapes = new Map<string, OrderSteps>();
  for (const [symbol, since] of from) {
    const known = days.get(symbol);
    if (known === undefined) continue;
    if (state.fillModel === "next_open") {
      tapes.set(symbol, nextOpenTape(symbol, state, known));
      continue;
    }
    const instrument = findInstrument(symbols, symbol)!;
    tapes.set(symbol, await loadTape({ bars, clock }, instrument, { ...options, from: since, days: known }));
  }
  return tapes;
}

/**
 * Returns true for a change that ends or triggers an order, or moves the time up to which an order was matched by at
 * least an hour.
 */
const isProgress = ({ working }: PaperState, { orders }: PaperChange): boolean => {
  const before = new Map(working.map((order) => [order.clientOrderId, order]));
  return orders.some((order) => {
    const was = before.get(order.clientOrderId)!;
    const further = Date.parse(order.matchedTo) - Date.parse(was.matchedTo);
    return (
      was.status !== order.status || was.triggered !== order.triggered || further >= PROGRESS_INTERVAL_MS
    );
  });
};

/** Returns the closes that later reveal splits of positions and working orders; undefined if unchanged. */
export function closesAfter(
  { closes, working }: PaperState,
  { positions, orders }: Pick<PaperChange, "positions" | "orders">,
  days: ReadonlyMap<string, DailyHistory>,
): readonly PaperClose[] | undefined {
  const now = new Map([...working, ...orders].map((order) => [order.clientOrderId, order]));
  const symbols = new Set([
    ...positions.filter(({ quantity }) => quantity !== "0").map(({ symbol }) => symbol),
    ...[...now.values()].filter(isWorking).map(({ intent }) => intent.symbol),
  ]);
  const after = [...symbols].sort().flatMap((symbol) => {
    const close = closes.find((known) => known.symbol === symbol) ?? days.get(symbol)?.newest;
    return close == null ? [] : [close];
  });
  const same = after.length === closes.length && after.every(({ symbol }, i) => closes[i]?.symbol === symbol);
  return same ? undefined : after;
}
