import type { CallOptions, Ports } from "../../domain/ports.ts";
import type { Opening, PositionRecord } from "../../domain/trading/positions-port.ts";
import { isWorking, type Order } from "../../domain/trading/trading.ts";
import type { BrokerAccount, BrokerOrder } from "../../domain/trading/trading-port.ts";
import { isAhead } from "../../lib/expiry.ts";
import { effectiveOrders } from "./effective-orders.ts";
import { orderStop, type StopQuery } from "./order-stop.ts";
import { type OpeningsReader, samePosition, sideOf } from "./position-signals.ts";
import type { BrokerConnection } from "./resolve-connection.ts";

/** Positions of a broker account with the time at which they were read. */
export interface ReadPositions {
  readonly at: string;
  readonly positions: readonly PositionRecord[];
}

export interface SyncedAccount extends ReadPositions {
  readonly account: BrokerAccount;
}

type ReadPorts = Pick<Ports, "clock" | "positionRepository" | "tradeRepository">;
type ReadOptions = CallOptions & { readonly openings: OpeningsReader };

/** Maximum number of orders searched for the stop of a position. */
const MAX_ORDERS = 1_000;

/** Reads account and positions from a broker and stores the positions. */
export async function syncConnection(
  owner: string,
  brokerConnection: BrokerConnection,
  ports: ReadPorts & Pick<Ports, "connections">,
  options: ReadOptions,
): Promise<SyncedAccount> {
  const read = await readPositions(owner, brokerConnection, ports, options);
  const account = await brokerConnection.broker.account({ signal: options.signal });
  await savePositions(owner, brokerConnection.connection.connection_id, read, ports);
  return { ...read, account };
}

/** Stores positions that were read from a broker. */
export async function savePositions(
  owner: string,
  connection: string,
  { at, positions }: ReadPositions,
  { connections, positionRepository }: Pick<Ports, "connections" | "positionRepository">,
): Promise<void> {
  await positionRepository.saveSynced(owner, { connection, at, positions });
  await connections.checked(owner, connection, at);
}

/**
 * Reads positions from a broker and stores nothing. A position stored before on the same side keeps its first-seen time
 * and opening signal. Its stop is that of the order that opened or last added to it, as long as the broker still has a
 * working stop.
 */
export async function readPositions(
  owner: string,
  { connection, broker }: BrokerConnection,
  { clock, positionRepository, tradeRepository }: ReadPorts,
  { openings, ...options }: ReadOptions,
): Promise<ReadPositions> {
  const id = connection.connection_id;
  const now = clock.now();
  const at = now.toISOString();
  // times from the future were stored while the clock was ahead
  const isPast = (time: string) => !isAhead(Date.parse(time), now.getTime());
  const brokerPositions = await broker.positions(options);
  const stored =
    (await positionRepository.listSynced(owner)).find((candidate) => candidate.connection === id) ?? null;
  const orders = await withBrokerFills(
    await tradeRepository.orders(owner, { connection: id, limit: MAX_ORDERS }),
    broker,
    options,
  );
  const newOpenings = await openings(
    brokerPositions.filter((position) =>
      lacksSignal(samePosition(stored?.positions, position)?.opening ?? null),
    ),
  );
  const notHeldAt = stored !== null && isPast(stored.at) ? stored.at : null;
  const withStops = brokerPositions.map((position): PositionRecord => {
    const { symbol, quantity } = position;
    const known = samePosition(stored?.positions, position);
    const since = known !== undefined && isPast(known.since) ? known.since : at;
    const query: StopQuery =
      known === undefined
        ? { symbol, quantity, createdAfter: null, notHeldAt }
        : { symbol, quantity, createdAfter: since, notHeldAt: null };
    const merged = mergeOpening(known?.opening ?? null, newOpenings.get(symbol) ?? null);
    return { ...position, since, opening: withOrderStop(merged, query, orders) };
  });
  const stops = withStops.some(hasOrderStop)
    ? effectiveOrders(await broker.orders({ since: at, ...options })).filter(isStop)
    : [];
  const positions = withStops.map((position): PositionRecord => {
    const { opening } = position;
    if (opening === null || !hasOrderStop(position) || stops.some((candidate) => closes(candidate, position)))
      return position;
    return { ...position, opening: { ...opening, stop: null, stopSource: null } };
  });
  return { at, positions };
}

/** Returns the orders; those that are working and have a stop get their filled quantity from the broker. */
async function withBrokerFills(
  orders: readonly Order[],
  broker: BrokerConnection["broker"],
  options: CallOptions,
): Promise<readonly Order[]> {
  const open = orders.filter((order) => isWorking(order) && order.intent.stop_loss !== null);
  if (open.length === 0) return orders;
  const since = open.map(({ created_at }) => created_at).sort()[0]!;
  const byClientId = new Map(
    (await broker.orders({ since, ...options })).map((candidate) => [candidate.clientOrderId, candidate]),
  );
  return orders.map((order) => {
    const found = isWorking(order) ? byClientId.get(order.client_order_id) : undefined;
    return found === undefined ? order : { ...order, filled_quantity: found.filledQuantity };
  });
}

const lacksSignal = (opening: Opening | null): boolean => opening === null || opening.direction === null;

/** Fills in a stored opening that lacks a signal; a stop set by an order is preserved. */
function mergeOpening(known: Opening | null, withStops: Opening | null): Opening | null {
  if (known === null || known.direction !== null || withStops === null) return known ?? withStops;
  return known.stopSource === "order" ? { ...withStops, stop: known.stop, stopSource: "order" } : withStops;
}

function withOrderStop(opening: Opening | null, query: StopQuery, orders: readonly Order[]): Opening | null {
  const stop = orderStop(orders, query);
  if (stop === null) return opening;
  const rest = opening ?? { at: stop.at, direction: null, grade: null, score: null };
  return { ...rest, stop: stop.stop, stopSource: "order" };
}

const hasOrderStop = ({ opening }: PositionRecord): boolean => opening?.stopSource === "order";
const isStop = ({ stopPrice }: BrokerOrder): boolean => stopPrice !== null;
const closes = ({ symbol, side }: BrokerOrder, position: PositionRecord): boolean =>
  symbol === position.symbol && side === (sideOf(position.quantity) === "SHORT" ? "buy" : "sell");
