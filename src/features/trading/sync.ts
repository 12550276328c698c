import type { CallOptions, Ports } from "../../domain/ports.ts";
import type { KeptPosition, Opening } from "../../domain/trading/positions-port.ts";
import { isWorking, type Order } from "../../domain/trading/trading.ts";
import type { BrokerAccount, BrokerOrder } from "../../domain/trading/trading-port.ts";
import type { Connected } from "./connected.ts";
import { guarding } from "./guards.ts";
import { orderStop, type StopOf } from "./order-stop.ts";

/** What a first look at a symbol says, by the symbol and the side held. */
export type Openings = (
  wanted: readonly { readonly symbol: string; readonly side: "LONG" | "SHORT" }[],
) => Promise<ReadonlyMap<string, Opening>>;

/** A broker's account and the positions kept of it. */
export interface SyncedAccount {
  readonly account: BrokerAccount;
  readonly positions: readonly KeptPosition[];
}

/** So many orders are looked through for the stop of a position. */
const MOST = 1_000;

/**
 * Asks a broker for account and positions and keeps these. A position that was there before on the same side keeps when
 * it was first seen and what the signal said then. Its stop is that of the order which opened it, or added to it last,
 * as long as the broker has one that works: where its bracket was cancelled it has none.
 */
export async function sync(
  owner: string,
  { connection, broker }: Connected,
  ports: Pick<Ports, "clock" | "connections" | "positionBook" | "tradeBook">,
  { openings, ...asked }: CallOptions & { readonly openings: Openings },
): Promise<SyncedAccount> {
  const { clock, connections, positionBook, tradeBook } = ports;
  const id = connection.connection_id;
  const at = clock.now().toISOString();
  const told = await broker.positions(asked);
  const account = await broker.account(asked);
  const kept = (await positionBook.list(owner)).find((one) => one.connection === id) ?? null;
  const orders = await asFilled(
    await tradeBook.orders(owner, { connection: id, limit: MOST }),
    broker,
    asked,
  );
  const before = (symbol: string, quantity: string) =>
    kept?.positions.find((one) => one.symbol === symbol && isShort(one.quantity) === isShort(quantity));
  const fresh = told.filter(({ symbol, quantity }) => unread(before(symbol, quantity)?.opening ?? null));
  const seen = await openings(
    fresh.map(({ symbol, quantity }) => ({ symbol, side: isShort(quantity) ? "SHORT" : "LONG" })),
  );
  const read = told.map((position): KeptPosition => {
    const { symbol, quantity } = position;
    const known = before(symbol, quantity);
    const of: StopOf =
      known === undefined
        ? { symbol, quantity, madeAfter: null, absentAt: kept?.at ?? null }
        : { symbol, quantity, madeAfter: known.since, absentAt: null };
    const first = withRead(known?.opening ?? null, seen.get(symbol) ?? null);
    return { ...position, since: known?.since ?? at, opening: withOrder(first, of, orders) };
  });
  const stops = read.some(hasOrderStop)
    ? guarding(await broker.orders({ since: at, ...asked })).filter(isStop)
    : [];
  const positions = read.map((position): KeptPosition => {
    const { opening } = position;
    if (opening === null || !hasOrderStop(position) || stops.some((one) => closes(one, position)))
      return position;
    return { ...position, opening: { ...opening, stop: null, stopSource: null } };
  });
  await positionBook.keep(owner, { connection: id, at, positions });
  await connections.checked(owner, id, at);
  return { account, positions };
}

/** Orders of the book, those with a stop that work in it as much filled as the broker says by now. */
async function asFilled(
  orders: readonly Order[],
  broker: Connected["broker"],
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

const unread = (opening: Opening | null): boolean => opening === null || opening.direction === null;

/** What was known, with a signal that could be read only now; the stop of an order stays. */
function withRead(known: Opening | null, read: Opening | null): Opening | null {
  if (known === null || known.direction !== null || read === null) return known ?? read;
  return known.stopSource === "order" ? { ...read, stop: known.stop, stopSource: "order" } : read;
}

function withOrder(opening: Opening | null, of: StopOf, orders: readonly Order[]): Opening | null {
  const own = orderStop(orders, of);
  if (own === null) return opening;
  const rest = opening ?? { at: own.at, direction: null, grade: null, score: null };
  return { ...rest, stop: own.stop, stopSource: "order" };
}

const hasOrderStop = ({ opening }: KeptPosition): boolean => opening?.stopSource === "order";
const isStop = ({ stopPrice }: BrokerOrder): boolean => stopPrice !== null;
const closes = ({ symbol, side }: BrokerOrder, position: KeptPosition): boolean =>
  symbol === position.symbol && side === (isShort(position.quantity) ? "buy" : "sell");

const isShort = (quantity: string): boolean => quantity.startsWith("-");
