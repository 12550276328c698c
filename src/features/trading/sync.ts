import type { CallOptions, Ports } from "../../domain/ports.ts";
import type { Opening, PositionRecord } from "../../domain/trading/positions-port.ts";
import { isWorking, type Order } from "../../domain/trading/trading.ts";
import type { BrokerAccount, BrokerOrder } from "../../domain/trading/trading-port.ts";
import { effectiveOrders } from "./effective-orders.ts";
import type { OpenConnection } from "./open-connection.ts";
import { orderStop, type StopQuery } from "./order-stop.ts";

/** What a first look at a symbol says, by the symbol and the side held. */
export type OpeningsReader = (
  wanted: readonly { readonly symbol: string; readonly side: "LONG" | "SHORT" }[],
) => Promise<ReadonlyMap<string, Opening>>;

/** A broker's account and the positions kept of it. */
export interface SyncedAccount {
  readonly account: BrokerAccount;
  readonly positions: readonly PositionRecord[];
}

/** So many orders are looked through for the stop of a position. */
const MAX_ORDERS = 1_000;

/**
 * Asks a broker for account and positions and keeps these. A position that was there before on the same side keeps when
 * it was first seen and what the signal said then. Its stop is that of the order which opened it, or added to it last,
 * as long as the broker has one that works: where its bracket was cancelled it has none.
 */
export async function syncConnection(
  owner: string,
  { connection, broker }: OpenConnection,
  ports: Pick<Ports, "clock" | "connections" | "positionBook" | "tradeBook">,
  { openings, ...asked }: CallOptions & { readonly openings: OpeningsReader },
): Promise<SyncedAccount> {
  const { clock, connections, positionBook, tradeBook } = ports;
  const id = connection.connection_id;
  const at = clock.now().toISOString();
  const told = await broker.positions(asked);
  const account = await broker.account(asked);
  const kept = (await positionBook.listSynced(owner)).find((one) => one.connection === id) ?? null;
  const orders = await withBrokerFills(
    await tradeBook.orders(owner, { connection: id, limit: MAX_ORDERS }),
    broker,
    asked,
  );
  const before = (symbol: string, quantity: string) =>
    kept?.positions.find((one) => one.symbol === symbol && isShort(one.quantity) === isShort(quantity));
  const fresh = told.filter(({ symbol, quantity }) => lacksSignal(before(symbol, quantity)?.opening ?? null));
  const seen = await openings(
    fresh.map(({ symbol, quantity }) => ({ symbol, side: isShort(quantity) ? "SHORT" : "LONG" })),
  );
  const read = told.map((position): PositionRecord => {
    const { symbol, quantity } = position;
    const known = before(symbol, quantity);
    const of: StopQuery =
      known === undefined
        ? { symbol, quantity, madeAfter: null, absentAt: kept?.at ?? null }
        : { symbol, quantity, madeAfter: known.since, absentAt: null };
    const first = mergeOpening(known?.opening ?? null, seen.get(symbol) ?? null);
    return { ...position, since: known?.since ?? at, opening: withOrderStop(first, of, orders) };
  });
  const stops = read.some(hasOrderStop)
    ? effectiveOrders(await broker.orders({ since: at, ...asked })).filter(isStop)
    : [];
  const positions = read.map((position): PositionRecord => {
    const { opening } = position;
    if (opening === null || !hasOrderStop(position) || stops.some((one) => closes(one, position)))
      return position;
    return { ...position, opening: { ...opening, stop: null, stopSource: null } };
  });
  await positionBook.saveSynced(owner, { connection: id, at, positions });
  await connections.checked(owner, id, at);
  return { account, positions };
}

/** Orders of the book, those with a stop that work in it as much filled as the broker says by now. */
async function withBrokerFills(
  orders: readonly Order[],
  broker: OpenConnection["broker"],
  asked: CallOptions,
): Promise<readonly Order[]> {
  const open = orders.filter((order) => isWorking(order) && order.intent.stop_loss !== null);
  if (open.length === 0) return orders;
  const since = open.map(({ created_at }) => created_at).sort()[0]!;
  const told = new Map((await broker.orders({ since, ...asked })).map((one) => [one.clientOrderId, one]));
  return orders.map((order) => {
    const found = isWorking(order) ? told.get(order.client_order_id) : undefined;
    return found === undefined ? order : { ...order, filled_quantity: found.filledQuantity };
  });
}

const lacksSignal = (opening: Opening | null): boolean => opening === null || opening.direction === null;

/** What was known, with a signal that could be read only now; the stop of an order stays. */
function mergeOpening(known: Opening | null, read: Opening | null): Opening | null {
  if (known === null || known.direction !== null || read === null) return known ?? read;
  return known.stopSource === "order" ? { ...read, stop: known.stop, stopSource: "order" } : read;
}

function withOrderStop(opening: Opening | null, of: StopQuery, orders: readonly Order[]): Opening | null {
  const own = orderStop(orders, of);
  if (own === null) return opening;
  const rest = opening ?? { at: own.at, direction: null, grade: null, score: null };
  return { ...rest, stop: own.stop, stopSource: "order" };
}

const hasOrderStop = ({ opening }: PositionRecord): boolean => opening?.stopSource === "order";
const isStop = ({ stopPrice }: BrokerOrder): boolean => stopPrice !== null;
const closes = ({ symbol, side }: BrokerOrder, position: PositionRecord): boolean =>
  symbol === position.symbol && side === (isShort(position.quantity) ? "buy" : "sell");

const isShort = (quantity: string): boolean => quantity.startsWith("-");
