import type { Instrument } from "../../domain/market/market.ts";
import type { CallOptions, Quotes } from "../../domain/ports.ts";
import { minimumNotional } from "../../domain/trading/minimum-notional.ts";
import type { PaperOrder, PaperOwner, PaperState } from "../../domain/trading/paper-repository-port.ts";
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

export interface PaperExchangeOptions extends PaperOwner, Omit<PaperAccountDeps, "owner"> {
  readonly quotes: Quotes;
}

interface SubmittedOrder {
  readonly clientOrderId: string;
  readonly intent: Intent;
}

/**
 * Creates the broker of one paper account, opened with `equity` US dollars. An order is matched with the quote once,
 * when it is submitted, and then with the closed bars that began after that. Every call brings the account up to date
 * first. The time and number of calls do not affect fills, as long as providers return the same bars within an hour of
 * their close.
 *
 * Working orders reserve buying power until they are filled or ended: limit orders at their limit, others 3 % beyond
 * the last price, short sales half of that. At most 500 orders can be working at a time. When cash is less than 130 % of the
 * short positions, only closing orders are accepted; there are no forced buy-ins.
 *
 * A split is detected when a recorded close changes later, which requires split-adjusted bars. Units, average price and
 * bracket legs are adjusted; other working orders are cancelled with the reason. A fill before the split is booked in
 * old shares and then converted, which may cause rounding differences. On the day of the split, until the provider
 * adjusts its bars, units are not yet adjusted. Not simulated: dividends (received or owed), fees and shortage of
 * borrowed shares, interest, spin-offs, mergers.
 *
 * An account with the fill model `next_open` fills as the backtest does: completely, at the open of the next daily bar.
 */
export function paperExchange(options: PaperExchangeOptions): Broker {
  const { repository, symbols, quotes, bars, clock, account, connection, fills, equity } = options;
  const owner: PaperOwner = { account, connection };
  const deps: PaperAccountDeps = { owner, repository, symbols, bars, clock, fills, equity };
  /** Fill model of the account as last read; undefined before the first read. */
  let model: PaperFills | undefined = fills;
  const current = async (request: Parameters<typeof bringUpToDate>[1]) => {
    const snapshot = await bringUpToDate(deps, request);
    model = snapshot.state.fillModel;
    return snapshot;
  };
  const now = () => clock.now().getTime();
  const isCrypto = (symbol: string) => findInstrument(symbols, symbol)?.asset_class === "crypto";

  /** Returns the last prices of positions (their cost if unknown) and of orders that would open a position. */
  async function marksOf({ positions, working }: PaperState, request: CallOptions): Promise<Marks> {
    const costs = new Map(positions.map(({ symbol, averagePrice }) => [symbol, new Big(averagePrice)]));
    const waiting = working.filter((order) => isWorking(order) && order.parent === null);
    const all = new Set([...costs.keys(), ...waiting.map(({ intent }) => intent.symbol)]);
    const marks = new Map<string, Big>();
    const instruments = [...all].flatMap((symbol) => findInstrument(symbols, symbol) ?? []);
    await quotes.prefetch?.(instruments, request);
    await Promise.all(
      [...all].map(async (symbol) => {
        const instrument = findInstrument(symbols, symbol);
        const quote =
          instrument === null ? null : await quotes.latest(instrument, request).catch(nullIfNoPrice);
        const mark = quote === null ? costs.get(symbol) : new Big(quote.price);
        if (mark !== undefined) marks.set(symbol, mark);
      }),
    );
    return marks;
  }

  /**
   * Returns the reason to refuse an order that exceeds the buying power remaining after all working orders; null if
   * it does not.
   */
  async function marginRefusal(
    state: PaperState,
    { intent }: SubmittedOrder,
    { ask, open, ...request }: CallOptions & { readonly ask: Big; readonly open: boolean },
  ): Promise<string | null> {
    const { symbol, side } = intent;
    const marks = new Map([...(await marksOf(state, request)), [symbol, ask] as const]);
    const cash = new Big(state.cash);
    const exposure = pendingExposure(state.positions, state.working, { marks, isCrypto });
    const quantity = new Big(intent.quantity);
    const closable = exposure.closable(symbol, side);
    if (quantity.gt(closable) && isBelowMaintenanceMargin(cash, state.positions, marks)) return MARGIN_CALL;
    const atOnce = open && side === "buy" && intent.type === "market";
    const price = atOnce ? ask : reservationPrice({ intent }, ask);
    const free = freeCash(cash, state.positions, marks).minus(exposure.reserved);
    return buyingPowerRefusal({ side, quantity, closable, price, free, crypto: isCrypto(symbol) });
  }

  async function place(order: SubmittedOrder, request: CallOptions): Promise<SubmitResult> {
    const { clientOrderId, intent } = order;
    const refused = (reason: string): SubmitResult => ({ outcome: "rejected", reason });
    const instrument: Instrument | null = findInstrument(symbols, intent.symbol);
    if (instrument === null) return refused(`The paper exchange does not know ${intent.symbol}`);
    for (let tries = 0; tries < MAX_WRITE_ATTEMPTS; tries++) {
      const known = await repository.order(owner, { clientOrderId });
      if (known !== null && !isSameIntent(known.intent, intent))
        return refused("Another order already has this id");
      if (known !== null) return submissionResult(known);
      const { state, days } = await current({ ...request, saveProgress: true });
      const atNextOpen = state.fillModel === "next_open";
      const unsupported = atNextOpen ? nextOpenRefusal(intent) : null;
      if (unsupported !== null) return refused(unsupported);
      const quote = await quotes.latest(instrument, request);
      const at = now();
      const mine =
        days.get(intent.symbol) ??
        (await loadDailyHistory(bars, instrument, { ...request, from: at, now: at }));
      const depth = mine.depth(at);
      const invalid = validateIntent(intent, new Big(quote.price));
      if (invalid !== null) return refused(invalid);
      const quoted = atNextOpen ? [] : quoteStep(quote, depth, at);
      const unaffordable = await marginRefusal(state, order, {
        ...request,
        ask: estimateAskPrice(quote, depth),
        open: quoted.length > 0,
      });
      if (unaffordable !== null) return refused(unaffordable);
      const expiresAt = intent.time_in_force === "day" && !atNextOpen ? dayOrderExpiry(at, mine.hours) : null;
      const fresh = createOrders({ connection, clientOrderId, intent, at, expiresAt });
      const steps = quoted.map((step) => ({ ...step, only: clientOrderId }));
      const tapes = new Map([[intent.symbol, { steps, liquidity: () => depth, seenTo: 0 }]]);
      const working = [...state.working, ...fresh];
      const change = matchWorkingOrders({ ...state, working }, tapes, at);
      const changed = new Map(change.orders.map((changed) => [changed.clientOrderId, changed]));
      const added = fresh.map((added) => changed.get(added.clientOrderId) ?? added);
      for (const order of added) changed.set(order.clientOrderId, order);
      const after = working.map((before) => changed.get(before.clientOrderId) ?? before);
      if (added.some(isWorking) && after.filter(isWorking).length > MAX_WORKING_ORDERS)
        return refused(TOO_MANY_ORDERS);
      const all = { ...change, orders: [...changed.values()] };
      const closes = closesAfter(state, all, new Map([...days, [intent.symbol, mine]]));
      if (!(await repository.write(owner, state.version, { ...all, ...(closes && { closes }) }))) continue;
      return submissionResult(added[0]!);
    }
    throw new ToolError("CONFLICT", "Other requests keep changing the paper account; retry");
  }

  return {
    minimumNotional: ({ asset_class }, intent) => minimumNotional(asset_class, intent),
    refusal: (intent) => (model === "next_open" ? nextOpenRefusal(intent) : null),
    async account(request = {}) {
      const { state } = await current(request);
      const marks = await marksOf(state, request);
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
        equityBefore: await equityBefore(state, deps, request),
        asOf: clock.now().toISOString(),
        notes: [
          ...(isBelowMaintenanceMargin(cash, state.positions, marks) ? [MARGIN_CALL] : []),
          ...(model === "next_open" ? [NEXT_OPEN_NOTE] : []),
          NOT_SIMULATED,
        ],
      };
    },
    async positions(request = {}) {
      return (await current(request)).state.positions.map(({ symbol, quantity, averagePrice }) => ({
        symbol,
        quantity,
        averagePrice: toAmount(new Big(averagePrice)),
      }));
    },
    async submit(order, request = {}) {
      try {
        return await place(order, request);
      } catch (cause) {
        const { code, message } = asToolError(cause);
        const unsure = code === "INTERNAL" || code === "CANCELLED";
        return { outcome: unsure ? "unknown" : "rejected", reason: message };
      }
    },
    async find(clientOrderId, request = {}) {
      await current(request);
      const found = await repository.order(owner, { clientOrderId });
      return found === null ? null : toBrokerOrder(found);
    },
    async orders({ since, ...request }) {
      await current(request);
      return (await repository.orders(owner, since)).map(toBrokerOrder);
    },
    async cancel(id, request = {}) {
      for (let tries = 0; tries < MAX_WRITE_ATTEMPTS; tries++) {
        const { state } = await current({ ...request, saveProgress: true });
        const found = state.working.find((order) => order.id === id && isWorking(order));
        if (found === undefined) return;
        if (await repository.write(owner, state.version, cancelOrder(state, found, now()))) return;
      }
    },
  };
}

const MARGIN_CALL = `Cash is less than ${new Big(MARGIN.maintenance).times(100).toFixed()} % of the short positions: only closing orders are accepted`;
/** Maximum number of working orders, because every call matches all of them. */
const MAX_WORKING_ORDERS = 500;
const TOO_MANY_ORDERS = `A paper account has at most ${MAX_WORKING_ORDERS} working orders, including bracket legs; cancel some first. Orders that fill immediately are still accepted`;
const NOT_SIMULATED =
  "Not simulated: dividends (received or owed), stock borrow fees, interest, forced buy-ins";

const submissionResult = (order: PaperOrder): SubmitResult =>
  order.status === "rejected"
    ? { outcome: "rejected", reason: order.reason ?? "The order was rejected" }
    : { outcome: "accepted", order: toBrokerOrder(order) };

const isSameIntent = (a: Intent, b: Intent): boolean =>
  (Object.keys(a) as (keyof Intent)[]).every((field) => a[field] === b[field]);

function nullIfNoPrice(cause: unknown): null {
  if (asToolError(cause).code === "NO_PRICE") return null;
  throw cause;
}
