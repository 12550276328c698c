import type { Instrument } from "../../domain/market/market.ts";
import type { BarHistory, CallOptions, Clock, Quotes, Symbols } from "../../domain/ports.ts";
import type { PaperBook, PaperOrder, PaperOwner, PaperState } from "../../domain/trading/paper-book-port.ts";
import type { Intent, PaperFills } from "../../domain/trading/trading.ts";
import type { Broker, Sent } from "../../domain/trading/trading-port.ts";
import { asToolError, ToolError } from "../../kernel/errors.ts";
import { amount, Big } from "./amount.ts";
import { type CatchUp, caughtUp, closesAfter, instrumentOf, TRIES } from "./catch-up.ts";
import { daysOf } from "./days.ts";
import { equityBefore } from "./equity-before.ts";
import { isWorking } from "./legs.ts";
import { NEXT_OPEN, nextOpenRefusal } from "./next-open.ts";
import { accountNumber, fault, newOrders, told } from "./order.ts";
import { freeCash, isShortOfMargin, MARGIN, type Marks, reckoned, refusal, waitsOf } from "./power.ts";
import { dayEnd } from "./session.ts";
import { cancelled, settle } from "./settle.ts";
import { askOf, quoteStep } from "./tape.ts";

/** What the exchange trades on. */
export interface PaperOptions extends PaperOwner {
  readonly book: PaperBook;
  readonly symbols: Pick<Symbols, "find">;
  readonly quotes: Quotes;
  readonly bars: BarHistory;
  readonly clock: Clock;
  /** How the account is filled, where it is opened now; as ever where it is open. */
  readonly fills?: PaperFills | undefined;
}

interface Submitted {
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
export function paperExchange(options: PaperOptions): Broker {
  const { book, symbols, quotes, bars, clock, account, connection, fills } = options;
  const owner: PaperOwner = { account, connection };
  const on: CatchUp = { owner, book, symbols, bars, clock, fills };
  /** As last read: an account that was never asked for is not known to be filled in any way. */
  let model: PaperFills | undefined = fills;
  const current: typeof caughtUp = async (...asked) => {
    const read = await caughtUp(...asked);
    model = read.state.fillModel;
    return read;
  };
  const now = () => clock.now().getTime();
  const isCrypto = (symbol: string) => instrumentOf(symbols, symbol)?.asset_class === "crypto";

  /** Last prices of what is held, at cost where there is none, and of what waits to be opened. */
  async function marksOf({ positions, working }: PaperState, asked: CallOptions): Promise<Marks> {
    const costs = new Map(positions.map(({ symbol, averagePrice }) => [symbol, new Big(averagePrice)]));
    const waiting = working.filter((order) => isWorking(order) && order.parent === null);
    const all = new Set([...costs.keys(), ...waiting.map(({ intent }) => intent.symbol)]);
    const marks = new Map<string, Big>();
    await Promise.all(
      [...all].map(async (symbol) => {
        const instrument = instrumentOf(symbols, symbol);
        const quote = instrument === null ? null : await quotes.latest(instrument, asked).catch(noPrice);
        const mark = quote === null ? costs.get(symbol) : new Big(quote.price);
        if (mark !== undefined) marks.set(symbol, mark);
      }),
    );
    return marks;
  }

  /** Why an order is beyond what is free beside all that waits already; null where it is not. */
  async function powerless(
    state: PaperState,
    { intent }: Submitted,
    { ask, open, ...asked }: CallOptions & { readonly ask: Big; readonly open: boolean },
  ): Promise<string | null> {
    const { symbol, side } = intent;
    const marks = new Map([...(await marksOf(state, asked)), [symbol, ask] as const]);
    const cash = new Big(state.cash);
    const waits = waitsOf(state.positions, state.working, { marks, isCrypto });
    const quantity = new Big(intent.quantity);
    const closable = waits.closable(symbol, side);
    if (quantity.gt(closable) && isShortOfMargin(cash, state.positions, marks)) return CALLED;
    const atOnce = open && side === "buy" && intent.type === "market";
    const price = atOnce ? ask : reckoned({ intent }, ask);
    const free = freeCash(cash, state.positions, marks).minus(waits.reserved);
    return refusal({ side, quantity, closable, price, free, crypto: isCrypto(symbol) });
  }

  async function place(order: Submitted, asked: CallOptions): Promise<Sent> {
    const { clientOrderId, intent } = order;
    const refused = (reason: string): Sent => ({ outcome: "rejected", reason });
    const instrument: Instrument | null = instrumentOf(symbols, intent.symbol);
    if (instrument === null) return refused(`The paper exchange does not know ${intent.symbol}`);
    for (let tries = 0; tries < TRIES; tries++) {
      const kept = await book.order(owner, { clientOrderId });
      if (kept !== null && !same(kept.intent, intent)) return refused("Another order has this id");
      if (kept !== null) return sent(kept);
      const { state, days } = await current(on, { ...asked, keep: true });
      const waits = state.fillModel === "next_open";
      const untaken = waits ? nextOpenRefusal(intent) : null;
      if (untaken !== null) return refused(untaken);
      const quote = await quotes.latest(instrument, asked);
      const at = now();
      const mine =
        days.get(intent.symbol) ?? (await daysOf(bars, instrument, { ...asked, from: at, now: at }));
      const depth = mine.depth(at);
      const why = fault(intent, new Big(quote.price));
      if (why !== null) return refused(why);
      const quoted = waits ? [] : quoteStep(quote, depth, at);
      const short = await powerless(state, order, {
        ...asked,
        ask: askOf(quote, depth),
        open: quoted.length > 0,
      });
      if (short !== null) return refused(short);
      const expiresAt = intent.time_in_force === "day" && !waits ? dayEnd(at, mine.hours) : null;
      const fresh = newOrders({ connection, clientOrderId, intent, at, expiresAt });
      const steps = quoted.map((step) => ({ ...step, only: clientOrderId }));
      const tapes = new Map([[intent.symbol, { steps, liquidity: () => depth, seenTo: 0 }]]);
      const working = [...state.working, ...fresh];
      const change = settle({ ...state, working }, tapes, at);
      const changed = new Map(change.orders.map((one) => [one.clientOrderId, one]));
      const added = fresh.map((one) => changed.get(one.clientOrderId) ?? one);
      for (const one of added) changed.set(one.clientOrderId, one);
      const after = working.map((one) => changed.get(one.clientOrderId) ?? one);
      if (added.some(isWorking) && after.filter(isWorking).length > MOST_WAITING) return refused(CROWDED);
      const all = { ...change, orders: [...changed.values()] };
      const closes = closesAfter(state, all, new Map([...days, [intent.symbol, mine]]));
      if (!(await book.write(owner, state.version, { ...all, ...(closes && { closes }) }))) continue;
      return sent(added[0]!);
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
      const { reserved } = waitsOf(state.positions, state.working, { marks, isCrypto });
      const cash = new Big(state.cash);
      const free = freeCash(cash, state.positions, marks).minus(reserved);
      return {
        number: accountNumber(account, connection),
        equity: amount(equity),
        cash: state.cash,
        buyingPower: free.gt(0) ? amount(free) : "0",
        shorting: true,
        fractional: true,
        equityBefore: await equityBefore(state, on, asked),
        asOf: clock.now().toISOString(),
        notes: [
          ...(isShortOfMargin(cash, state.positions, marks) ? [CALLED] : []),
          ...(model === "next_open" ? [NEXT_OPEN] : []),
          NOT_SIMULATED,
        ],
      };
    },
    async positions(asked = {}) {
      return (await current(on, asked)).state.positions.map(({ symbol, quantity, averagePrice }) => ({
        symbol,
        quantity,
        averagePrice: amount(new Big(averagePrice)),
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
      return found === null ? null : told(found);
    },
    async orders({ since, ...asked }) {
      await current(on, asked);
      return (await book.orders(owner, since)).map(told);
    },
    async cancel(id, asked = {}) {
      for (let tries = 0; tries < TRIES; tries++) {
        const { state } = await current(on, { ...asked, keep: true });
        const found = state.working.find((order) => order.id === id && isWorking(order));
        if (found === undefined) return;
        if (await book.write(owner, state.version, cancelled(state, found, now()))) return;
      }
    },
  };
}

const CALLED = `Less than ${new Big(MARGIN.maintenance).times(100).toFixed()} % of what is sold short is there: only orders that close are taken`;
/** Every one of them is looked at whenever anybody asks. */
const MOST_WAITING = 500;
const CROWDED = `At most ${MOST_WAITING} orders wait at a paper account, legs of brackets among them; cancel some first. An order that is filled at once is taken`;
const NOT_SIMULATED =
  "Not simulated: dividends, paid or owed, fees for borrowed shares, interest, and buying back by force";

const sent = (order: PaperOrder): Sent =>
  order.status === "rejected"
    ? { outcome: "rejected", reason: order.reason ?? "It was rejected" }
    : { outcome: "accepted", order: told(order) };

const same = (a: Intent, b: Intent): boolean =>
  (Object.keys(a) as (keyof Intent)[]).every((field) => a[field] === b[field]);

function noPrice(cause: unknown): null {
  if (asToolError(cause).code === "NO_PRICE") return null;
  throw cause;
}
