import { placedBy } from "../../domain/agents/agent-pass.ts";
import { NO_BROKER } from "../../domain/trading/positions.ts";
import type { Connection, OrderShown } from "../../domain/trading/trading.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { Pass } from "./pass.ts";
import type { PassActions } from "./pass-actions.ts";

/** What an agent may act on at a connection. */
export interface Holdings {
  readonly connection: Connection;
  /** Units of what is held there, decimal text, below 0 for short; nothing for "0". */
  heldQuantity(symbol: string): string;
  /** An order of that side that still waits; null for none. */
  workingOrder(symbol: string, side: "buy" | "sell"): OrderShown | null;
  /** The orders that earlier passes of the same run placed. */
  readonly placed: readonly OrderShown[];
}

/** As many orders as list_orders tells. */
const MAX_ORDERS = 200;

/**
 * What is held and waits at the connection meant, as its broker says now. Null where no broker is connected and nothing is
 * to be placed. REFUSED where something is; INVALID_INPUT where several are connected and none is named; NOT_FOUND for one
 * that is not the account's.
 */
export async function readHoldings(
  pass: Pick<Pass, "agent" | "connection_id" | "dry_run" | "run_id">,
  desk: PassActions,
): Promise<Holdings | null> {
  const { connection_id, dry_run, run_id } = pass;
  const { connections } = await desk.connections();
  if (connections.length === 0 && connection_id === undefined) {
    if (dry_run) return null;
    throw new ToolError("REFUSED", "No broker is connected", { hint: NO_BROKER });
  }
  const connection = selectConnection(connections, connection_id);
  const mine = { connection_id: connection.connection_id };
  // orders before positions: what is filled meanwhile counts twice and never not at all
  const { orders: working } = await desk.orders({ status: "working", limit: MAX_ORDERS });
  const sent =
    run_id === undefined || dry_run ? [] : (await desk.orders({ status: "all", limit: MAX_ORDERS })).orders;
  await desk.sync(mine);
  const { positions } = await desk.positions(mine);
  const waits = working.filter((order) => order.connection_id === connection.connection_id);
  return {
    connection,
    heldQuantity: (symbol) => positions.find((one) => one.symbol === symbol)?.quantity ?? "0",
    workingOrder: (symbol, side) =>
      waits.find(({ intent }) => intent.symbol === symbol && intent.side === side) ?? null,
    placed: placedBy(pass, sent),
  };
}

/** The connection of that id; unsaid, the only one, or the only one on paper. */
function selectConnection(connections: readonly Connection[], asked: string | undefined): Connection {
  if (asked !== undefined) {
    const found = connections.find(({ connection_id }) => connection_id === asked);
    if (found !== undefined) return found;
    throw new ToolError("NOT_FOUND", "There is no connection of that id", {
      hint: "list_connections shows those of this account.",
    });
  }
  const paper = connections.filter(({ account_type }) => account_type === "paper");
  const [one, ...others] = connections.length === 1 ? connections : paper;
  if (one !== undefined && others.length === 0) return one;
  throw new ToolError("INVALID_INPUT", "Several brokers are connected: say connection_id", {
    hint: "list_connections shows them.",
  });
}
