import type { Instrument } from "../../domain/market/market.ts";
import type { BarHistory, CallOptions, Clock, Quotes, Symbols } from "../../domain/ports.ts";
import type {
  PaperOrder,
  PaperOwner,
  PaperRepository,
  PaperState,
} from "../../domain/trading/paper-repository-port.ts";
import type { Intent, PaperFills } from "../../domain/trading/trading.ts";
import type { Broker, SubmitResult } from "../../domain/trading/trading-port.ts";
import { asToolError, ToolError } from "../../kernel/errors.ts";
import { Big, toAmount } from "./amount.ts";
import {
  bringUpToDate,
  closesAfter,
  findInstrument,
  MAX_WRITE_ATTEMPTS,
  type PaperAccountDeps,
} from "./bring-up-to-date.ts";
import {
  buyingPowerRefusal,
  freeCash,
  isBelowMaintenanceMargin,
  MARGIN,
  type Marks,
  pendingExposure,
  reservationPrice,
} from "./buying-power.ts";
import { loadDailyHistory } from "./daily-history.ts";
import { equityBefore } from "./equity-before.ts";
import { isWorking } from "./legs.ts";
import { cancelOrder, matchWorkingOrders } from "./match-working-orders.ts";
import { NEXT_OPEN_NOTE, nextOpenRefusal } from "./next-open.ts";
import { accountNumber, createOrders, toBrokerOrder, validateIntent } from "./order.ts";
import { dayOrderExpiry } from "./session.ts";
import { estimateAskPrice, quoteStep } from "./tape.ts";

/** What the exchange trades on. */
export interface PaperExchangeOptions extends PaperOwner {
  readonly book: PaperRepository;
  readonly symbols: Pick<Symbols, "find">;
  readonly quotes: Quotes;
  readonly bars: BarHistory;
  readonly clock: Clock;
  /** How the account is filled, where it is opened now; as ever where it is open. */
  readonly fills?: PaperFills | undefined;
}

interface SubmittedOrder {
  readonly clientOrderId: string;
  readonly intent: Intent;
}

/**
 * One account of the embedded exchange, with 100,000 US dollars to begin with. An order meets the quote once, when it
 * is sent, and then the closed bars that began after that: whoever asks, and how often, changes no fill, as long as
 * bars are told the same and within an hour of their close. Everything is brought up to date when it is asked for.
 *
 * What waits takes buying power until it is filled or ends: a limit at its price, all else 3 % beyond the last one, a
 * short sale half of that. 500 orders wait at the most. Where less than 130 % of what is sold short is there, only what
 * closes is let through; nothing is bought back by force.
 *
 * A split is noticed by a day's close that is told differently afterwards, where bars come in today's shares: units,
 * average price and the legs of brackets follow it, other orders that wait are cancelled and say so. Raw bars do not
 * tell of splits. What is looked at before a split is booked in old shares and then turned into new ones, which may
 * differ by roundings from what is looked at afterwards; on its day, until the bars are told anew, units are still the
 * old ones. Not simulated: dividends (neither paid on what is held nor charged on what is sold short), fees and
 * shortage of borrowed shares, interest, spin-offs, mergers.
 *
 * An account that fills at the next open fills as the backtest does instead: whole, at the open of the next daily bar.
 */
export function paperExchange(options: PaperExchangeOptions): Broker {
  const { book, symbols, quotes, bars, clock, account, connection, fills } = options;
  const owner: PaperOwner = { account, connection };
  const on: PaperAccountDeps = { owner, book, symbols, bars, clock, fills };
  /** As last read: an account that was never asked for is not known to be filled in any way. */
  let model: PaperFills | undefined = fills;
  const current: typeof bringUpToDate = async (...asked) => {
    const read = await bringUpToDate(...asked);
    model = read.state.fillModel;
    return read;
  };
  const now = () => clock.now().getTime();
  const isCrypto = (symbol: string) => findInstrument(symbols, symbol)?.asset_class === "crypto";

  /** Last prices of what is held, at cost where there is none, and of what waits to be opened. */
  async function marksOf({ positions, working }: PaperState, asked: CallOptions): Promise<Marks> {
    const costs = new Map(positions.map(({ symbol, averagePrice }) => [symbol, new Big(averagePrice)]));
    const waiting = working.filter((order) => isWorking(order) && order.parent === null);
    const all = new Set([...costs.keys(), ...waiting.map(({ intent }) => intent.symbol)]);
    const marks = new Map<string, Big>();
    await Promise.all(
      [...all].map(async (symbol) => {
        const instrument = findInstrument(symbols, symbol);
        const quote =
          instrument === null ? null : await quotes.latest(instrument, asked).catch(nullIfNoPrice);
        const mark = quote === null ? costs.get(symbol) : new Big(quote.price);
        if (mark !== undefined) marks.set(symbol, mark);
      }),
    );
    return marks;
  }

  /** Why an order is beyond what is free beside all that waits already; null where it is not. */
  async function powerless(
    state: PaperState,
    { intent }: SubmittedOrder,
    { ask, open, ...asked }: CallOptions & { readonly ask: Big; readonly open: boolean },
  ): Promise<string | null> {
    const { symbol, side } = intent;
    const marks = new Map([...(await marksOf(state, asked)), [symbol, ask] as const]);
    const cash = new Big(state.cash);
    const waits = pendingExposure(state.positions, state.working, { marks, isCrypto });
    const quantity = new Big(intent.quantity);
    const closable = waits.closable(symbol, side);
    if (quantity.gt(closable) && isBelowMaintenanceMargin(cash, state.positions, marks)) return MARGIN_CALL;
    const atOnce = open && side === "buy" && intent.type === "market";
    const price = atOnce ? ask : reservationPrice({ intent }, ask);
    const free = freeCash(cash, state.positions, marks).minus(waits.reserved);
    return buyingPowerRefusal({ side, quantity, closable, price, free, crypto: isCrypto(symbol) });
  }

  async function place(order: SubmittedOrder, asked: CallOptions): Promise<SubmitResult> {
    const { clientOrderId, intent } = order;
    const refused = (reason: string): SubmitResult => ({ outcome: "rejected", reason });
    const instrument: Instrument | null = findInstrument(symbols, intent.symbol);
    if (instrument === null) return refused(`The paper exchange does not know ${intent.symbol}`);
    for (let tries = 0; tries < MAX_WRITE_ATTEMPTS; tries++) {
      const kept = await book.order(owner, { clientOrderId });
      if (kept !== null && !isSameIntent(kept.intent, intent)) return refused("Another order has this id");
      if (kept !== null) return submissionResult(kept);
      const { state, days } = await current(on, { ...asked, saveProgress: true });
      const waits = state.fillModel === "next_open";
      const untaken = waits ? nextOpenRefusal(intent) : null;
      if (untaken !== null) return refused(untaken);
      const quote = await quotes.latest(instrument, asked);
      const at = now();
      const mine =
        days.get(intent.symbol) ??
        (await loadDailyHistory(bars, instrument, { ...asked, from: at, now: at }));
      const depth = mine.depth(at);
      const why = validateIntent(intent, new Big(quote.price));
      if (why !== null) return refused(why);
      const quoted = waits ? [] : quoteStep(quote, depth, at);
      const short = await powerless(state, order, {
        ...asked,
        ask: estimateAskPrice(quote, depth),
        open: quoted.length > 0,
      });
      if (short !== null) return refused(short);
      const expiresAt = intent.time_in_force === "day" && !waits ? dayOrderExpiry(at, mine.hours) : null;
      const fresh = createOrders({ connection, clientOrderId, intent, at, expiresAt });
      const steps = quoted.map((step) => ({ ...step, only: clientOrderId }));
      const tapes = new Map([[intent.symbol, { steps, liquidity: () => depth, seenTo: 0 }]]);
      const working = [...state.working, ...fresh];
      const change = matchWorkingOrders({ ...state, working }, tapes, at);
      const changed = new Map(change.orders.map((one) => [one.clientOrderId, one]));
      const added = fresh.map((one) => changed.get(one.clientOrderId) ?? one);
      for (const one of added) changed.set(one.clientOrderId, one);
      const after = working.map((one) => changed.get(one.clientOrderId) ?? one);
      if (added.some(isWorking) && after.filter(isWorking).length > MAX_WORKING_ORDERS)
        return refused(TOO_MANY_ORDERS);
      const all = { ...change, orders: [...changed.values()] };
      const closes = closesAfter(state, all, new Map([...days, [intent.symbol, mine]]));
      if (!(await book.write(owner, state.version, { ...all, ...(closes && { closes }) }))) continue;
      return submissionResult(added[0]!);
    }
    throw new ToolError("CONFLICT", "The paper account is being changed by others all the time");
  }

  return {
    refusal: (intent) => (model === "next_open" ? nextOpenRefusal(intent) : null),
    async account(asked = {}) {
      const { state } = await current(on, asked);
      const marks = await marksOf(state, asked);
      const equity = state.positions.reduce(
        (sum, { symbol, quantity }) => sum.plus(marks.get(symbol)!.times(quantity)),
        new Big(state.cash),
      );
      const { reserved } = pendingExposure(state.positions, state.working, { marks, isCrypto });
      const cash = new Big(state.cash);
      const free = freeCash(cash, state.positions, marks).minus(reserved);
      return {
        number: accountNumber(account, connection),
        equity: toAmount(equity),
        cash: state.cash,
        buyingPower: free.gt(0) ? toAmount(free) : "0",
        shorting: true,
        fractional: true,
        equityBefore: await equityBefore(state, on, asked),
        asOf: clock.now().toISOString(),
        notes: [
          ...(isBelowMaintenanceMargin(cash, state.positions, marks) ? [MARGIN_CALL] : []),
          ...(model === "next_open" ? [NEXT_OPEN_NOTE] : []),
          NOT_SIMULATED,
        ],
      };
    },
    async positions(asked = {}) {
      return (await current(on, asked)).state.positions.map(({ symbol, quantity, averagePrice }) => ({
        symbol,
        quantity,
        averagePrice: toAmount(new Big(averagePrice)),
      }));
    },
    async submit(order, asked = {}) {
      try {
        return await place(order, asked);
      } catch (cause) {
        const { code, message } = asToolError(cause);
        const unsure = code === "INTERNAL" || code === "CANCELLED";
        return { outcome: unsure ? "unknown" : "rejected", reason: message };
      }
    },
    async find(clientOrderId, asked = {}) {
      await current(on, asked);
      const found = await book.order(owner, { clientOrderId });
      return found === null ? null : toBrokerOrder(found);
    },
    async orders({ since, ...asked }) {
      await current(on, asked);
      return (await book.orders(owner, since)).map(toBrokerOrder);
    },
    async cancel(id, asked = {}) {
      for (let tries = 0; tries < MAX_WRITE_ATTEMPTS; tries++) {
        const { state } = await current(on, { ...asked, saveProgress: true });
        const found = state.working.find((order) => order.id === id && isWorking(order));
        if (found === undefined) return;
        if (await book.write(owner, state.version, cancelOrder(state, found, now()))) return;
      }
    },
  };
}

const MARGIN_CALL = `Less than ${new Big(MARGIN.maintenance).times(100).toFixed()} % of what is sold short is there: only orders that close are taken`;
/** Every one of them is looked at whenever anybody asks. */
const MAX_WORKING_ORDERS = 500;
const TOO_MANY_ORDERS = `At most ${MAX_WORKING_ORDERS} orders wait at a paper account, legs of brackets among them; cancel some first. An order that is filled at once is taken`;
const NOT_SIMULATED =
  "Not simulated: dividends, paid or owed, fees for borrowed shares, interest, and buying back by force";

const submissionResult = (order: PaperOrder): SubmitResult =>
  order.status === "rejected"
    ? { outcome: "rejected", reason: order.reason ?? "It was rejected" }
    : { outcome: "accepted", order: toBrokerOrder(order) };

const isSameIntent = (a: Intent, b: Intent): boolean =>
  (Object.keys(a) as (keyof Intent)[]).every((field) => a[field] === b[field]);

function nullIfNoPrice(cause: unknown): null {
  if (asToolError(cause).code === "NO_PRICE") return null;
  throw cause;
}
