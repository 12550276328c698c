import type { Principal } from "../../domain/accounts/access.ts";
import type { Ports } from "../../domain/ports.ts";
import type { PositionRecord } from "../../domain/trading/positions-port.ts";
import type { Connection } from "../../domain/trading/trading.ts";
import { asToolError, isCallError, ToolError } from "../../kernel/errors.ts";
import { isWithin } from "../../lib/expiry.ts";
import { createOpeningsReader, type PositionPorts } from "./position-signals.ts";
import { type ConnectionPorts, resolveConnection } from "./resolve-connection.ts";
import { type ReadPositions, readPositions, savePositions } from "./sync.ts";

export type CurrentPositionPorts = ConnectionPorts &
  PositionPorts &
  Pick<Ports, "cache" | "positionRepository" | "tradeRepository" | "log">;

/** Positions of a connection; `failure` is why the broker could not be read, then they are those stored at `at`. */
export interface CurrentPositions {
  readonly connection: string;
  /** ISO 8601 UTC; null: never read. */
  readonly at: string | null;
  readonly positions: readonly PositionRecord[];
  /** Number of stored entries that can no longer be parsed; omitted if 0. */
  readonly unread?: number;
  readonly failure: ToolError | null;
}

type Outcome = { readonly read: ReadPositions } | { readonly failure: ToolError };

/** Age at which an outside broker is read again. */
const MAX_AGE_MS = 60_000;
/** Time after which stored positions are returned while the reading of the broker goes on. */
const MAX_WAIT_MS = 10_000;

/**
 * Returns the current positions of a connection: those of a paper account from its ledger at every call, those of an
 * outside broker when the last reading is a minute old or an order of ours changed since. Calls share one reading per
 * minute, failed or not; after `maxWaitMs` those that are stored are returned, and the reading goes on. Stores the reading
 * only for callers that may write.
 */
export async function currentPositions(
  principal: Principal,
  connection: Connection,
  ports: CurrentPositionPorts,
  maxWaitMs?: number,
): Promise<CurrentPositions> {
  const { connection_id: id, broker, connected_at } = connection;
  const { account } = principal;
  const now = ports.clock.now();
  // the built-in paper account before its first order
  if (connected_at === null) return { connection: id, at: now.toISOString(), positions: [], failure: null };
  const stored = (await ports.positionRepository.listSynced(account)).find((one) => one.connection === id);
  const changed = broker === "paper" ? "" : await lastOrderChange(account, id, ports);
  const isCurrent =
    broker !== "paper" &&
    stored !== undefined &&
    isWithin(Date.parse(stored.at), now.getTime(), MAX_AGE_MS) &&
    changed <= stored.at;
  if (isCurrent) return { ...stored, failure: null };
  const read = () => readOutcome(principal, id, ports);
  const reading = readOncePerMinute("positions", { principal, connection, changed }, ports, read);
  const outcome = await (stored === undefined ? reading : beforeTimeout(reading, maxWaitMs));
  if ("read" in outcome) return { connection: id, ...outcome.read, failure: null };
  const { failure } = outcome;
  return stored === undefined ? { connection: id, at: null, positions: [], failure } : { ...stored, failure };
}

interface ReadingOf {
  readonly principal: Principal;
  readonly connection: Connection;
  /** When an order of the connection last changed, if that was read already. */
  readonly changed?: string;
}

/**
 * Reads a paper account at every call, and an outside broker at most once a minute for all calls of an account, unless an
 * order of ours changed since.
 */
export async function readOncePerMinute<T extends object>(
  what: string,
  { principal, connection, ...known }: ReadingOf,
  ports: Pick<Ports, "cache" | "tradeRepository">,
  read: () => Promise<T>,
): Promise<T> {
  if (connection.broker === "paper") return read();
  const { account } = principal;
  const { connection_id: id } = connection;
  const changed = known.changed ?? (await lastOrderChange(account, id, ports));
  return ports.cache.remember(`${what} ${account} ${id} ${changed}`, MAX_AGE_MS, read);
}

/** Returns a reading, or after `ms` the failure that the broker is slow; the reading goes on. */
export async function beforeTimeout<T>(
  reading: Promise<T>,
  ms = MAX_WAIT_MS,
): Promise<T | { readonly failure: ToolError }> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<{ readonly failure: ToolError }>((resolve) => {
    const message = `The broker has not answered within ${ms / 1_000} seconds`;
    const failure = new ToolError("UPSTREAM_UNAVAILABLE", message, { hint: "Call it again in a minute." });
    timer = setTimeout(() => resolve({ failure }), ms);
  });
  reading.catch(() => {}); // it may fail after the timeout
  return Promise.race([reading, late]).finally(() => clearTimeout(timer));
}

/** Reads the positions from the broker; a failure of the broker is returned, so that it is shared too. */
async function readOutcome(
  { account, scopes }: Principal,
  id: string,
  ports: CurrentPositionPorts,
): Promise<Outcome> {
  try {
    const connection = await resolveConnection(ports, account, id);
    // shared by several calls, so that none of them aborts it
    const openings = createOpeningsReader(new AbortController().signal, ports);
    const read = await readPositions(account, connection, ports, { openings });
    if (scopes.includes("write"))
      await savePositions(account, id, read, ports).catch((cause: unknown) =>
        ports.log.error("positions", { account, connection: id, cause }),
      );
    return { read };
  } catch (thrown) {
    return { failure: brokerFailure(thrown) };
  }
}

/** Returns the failure of a broker, so that calls can share it. Rethrows errors of the call or of the server. */
export function brokerFailure(thrown: unknown): ToolError {
  const failure = asToolError(thrown);
  if (failure.code === "INTERNAL" || (isCallError(failure) && failure.code !== "NOT_CONNECTED")) throw thrown;
  return failure;
}

/** Returns when an order of a connection last changed; "" without orders. */
async function lastOrderChange(
  account: string,
  connection: string,
  { tradeRepository }: Pick<Ports, "tradeRepository">,
): Promise<string> {
  const orders = await tradeRepository.orders(account, { connection, limit: MAX_ORDERS });
  return (
    orders
      .map(({ updated_at }) => updated_at)
      .sort()
      .at(-1) ?? ""
  );
}

const MAX_ORDERS = 200;
