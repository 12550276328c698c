import type { Instrument } from "../../domain/market/market.ts";
import type { BarHistory, CallOptions, Clock, Symbols } from "../../domain/ports.ts";
import type {
  PaperChange,
  PaperClose,
  PaperOwner,
  PaperRepository,
  PaperState,
} from "../../domain/trading/paper-repository-port.ts";
import type { PaperFills } from "../../domain/trading/trading.ts";
import { ToolError } from "../../kernel/errors.ts";
import { yieldToEventLoop } from "../../lib/yield-to-event-loop.ts";
import { type DailyHistory, historyStart, loadDailyHistory } from "./daily-history.ts";
import { indexOrders, isDormant, isWorking } from "./legs.ts";
import { matchWorkingOrders, type Tape } from "./match-working-orders.ts";
import { nextOpenTape } from "./next-open.ts";
import { applySplits, type Split } from "./split.ts";
import { loadTape } from "./tape.ts";

/** What every book is opened with, US dollars. */
export const OPENING_CASH = "100000";
/** How often a write is tried where others come between. */
export const MAX_WRITE_ATTEMPTS = 20;
/** Looking writes down how far orders were matched no more often than this. */
const PROGRESS_INTERVAL_MS = 3_600_000;

/** What a book is brought up to date with. */
export interface PaperAccountDeps {
  readonly owner: PaperOwner;
  readonly book: PaperRepository;
  readonly symbols: Pick<Symbols, "find">;
  readonly bars: BarHistory;
  readonly clock: Clock;
  /** How a book that is opened now is filled; what one that is open has to be, where it is said. */
  readonly fills?: PaperFills | undefined;
}

/** A book as it stands now, with the days of what it holds and waits for. */
export interface PaperSnapshot {
  readonly state: PaperState;
  readonly days: ReadonlyMap<string, DailyHistory>;
}

/** The instrument of a canonical symbol; null where the market has none. */
export function findInstrument(symbols: Pick<Symbols, "find">, symbol: string): Instrument | null {
  const found = symbols.find(symbol)?.instrument ?? null;
  return found?.symbol === symbol ? found : null;
}

/** The book, opened where it was not. REFUSED where it is filled otherwise than is asked for. */
export async function readOrOpenState({ book, owner, clock, fills }: PaperAccountDeps): Promise<PaperState> {
  const found = await book.read(owner);
  if (found === null) await book.open(owner, OPENING_CASH, clock.now().toISOString(), fills);
  const state = found ?? (await book.read(owner))!;
  if (fills === undefined || state.fillModel === fills) return state;
  throw new ToolError("REFUSED", `This paper account is filled by "${state.fillModel}", for good`, {
    hint: `Connect with another api_key for an account whose fills are "${fills}".`,
  });
}

/**
 * Follows the splits since and fills what was to be filled by now, each at its bar: what is written depends on the bars
 * and not on who looked when. `keep` also writes how far every order was matched, as whatever changes the book must.
 */
export async function bringUpToDate(
  on: PaperAccountDeps,
  { saveProgress: keep = false, ...asked }: CallOptions & { readonly saveProgress?: boolean } = {},
): Promise<PaperSnapshot> {
  const { book, owner, clock } = on;
  for (let tries = 0; tries < MAX_WRITE_ATTEMPTS; tries++) {
    const state = await readOrOpenState(on);
    const now = clock.now().getTime();
    const days = await loadDailyHistories(state, on, { ...asked, now });
    const splits = [...days].flatMap(([symbol, known]) => detectSplit(state, symbol, known));
    if (splits.length > 0) {
      await book.write(owner, state.version, applySplits(state, splits, now));
      continue;
    }
    const tapes = await loadTapes(state, days, on, asked);
    // many orders over many days are long work, and a server goes on answering others
    if (state.working.length > 0) await yieldToEventLoop();
    const change = matchWorkingOrders(state, tapes, now);
    const closes = closesAfter(state, change, days);
    const moved = change.fills.length > 0 || (keep && change.orders.length > 0);
    if (!moved && closes === undefined && !isProgress(state, change)) return { state, days };
    if (await book.write(owner, state.version, { ...change, ...(closes && { closes }) }))
      return { state: await readOrOpenState(on), days };
  }
  throw new ToolError("CONFLICT", "The paper account is being changed by others all the time");
}

async function loadDailyHistories(
  state: PaperState,
  { symbols, bars }: PaperAccountDeps,
  asked: CallOptions & { readonly now: number },
): Promise<ReadonlyMap<string, DailyHistory>> {
  const { now } = asked;
  const working = state.working.filter(isWorking);
  const waiting = new Set(working.map(({ intent }) => intent.symbol));
  const all = [...new Set([...state.positions.map(({ symbol }) => symbol), ...waiting])];
  const read = await Promise.all(
    all.map(async (symbol) => {
      const instrument = findInstrument(symbols, symbol);
      if (instrument === null) return [];
      const mine = working.filter(({ intent }) => intent.symbol === symbol);
      const close = state.closes.find((one) => one.symbol === symbol);
      try {
        return [
          [
            symbol,
            await loadDailyHistory(bars, instrument, { ...asked, from: historyStart(now, close, mine) }),
          ] as const,
        ];
      } catch (cause) {
        // what is only held is told without its days; a split is then followed the next time
        if (waiting.has(symbol)) throw cause;
        return [];
      }
    }),
  );
  return new Map(read.flat());
}

const detectSplit = ({ closes }: PaperState, symbol: string, days: DailyHistory): readonly Split[] => {
  const close = closes.find((one) => one.symbol === symbol);
  const split = close === undefined ? null : days.splitSince(close);
  return split === null ? [] : [split];
};

async function loadTapes(
  state: PaperState,
  days: ReadonlyMap<string, DailyHistory>,
  { symbols, bars, clock }: PaperAccountDeps,
  asked: CallOptions,
): Promise<ReadonlyMap<string, Tape>> {
  const orders = indexOrders(state.working);
  const from = new Map<string, number>();
  for (const order of state.working) {
    if (!isWorking(order) || isDormant(orders, order)) continue;
    const { symbol } = order.intent;
    from.set(symbol, Math.min(from.get(symbol) ?? Number.POSITIVE_INFINITY, Date.parse(order.matchedTo)));
  }
  const tapes = new Map<string, Tape>();
  for (const [symbol, since] of from) {
    const known = days.get(symbol);
    if (known === undefined) continue;
    if (state.fillModel === "next_open") {
      tapes.set(symbol, nextOpenTape(symbol, state, known));
      continue;
    }
    const instrument = findInstrument(symbols, symbol)!;
    tapes.set(symbol, await loadTape({ bars, clock }, instrument, { ...asked, from: since, days: known }));
  }
  return tapes;
}

/** Whether a change ends or lets loose an order, or matched one an hour further. */
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

/** The closes by which splits of what is held and waited for will be noticed; undefined where they are as before. */
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
    const close = closes.find((one) => one.symbol === symbol) ?? days.get(symbol)?.newest;
    return close == null ? [] : [close];
  });
  const same = after.length === closes.length && after.every(({ symbol }, i) => closes[i]?.symbol === symbol);
  return same ? undefined : after;
}
