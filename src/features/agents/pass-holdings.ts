import { placedBy } from "../../domain/agents/agent-pass.ts";
import type { Connection, OrderShown } from "../../domain/trading/trading.ts";
import { ToolError } from "../../kernel/errors.ts";
import { liveAccountError } from "./live-plan.ts";
import type { PassSettings } from "./pass.ts";
import type { PassActions } from "./pass-actions.ts";

/** Positions and orders at the connection an agent uses. */
export interface Holdings {
  readonly connection: Connection;
  /** Returns the units held as a decimal string, negative for short; "0" for none. */
  heldQuantity(symbol: string): string;
  /** Returns the working order on that side; null for none. */
  workingOrder(symbol: string, side: "buy" | "sell"): OrderShown | null;
  /** Orders placed by earlier passes of the same run. */
  readonly placed: readonly OrderShown[];
}

/** Maximum limit of list_orders. */
const MAX_ORDERS = 200;

/**
 * Reads positions and working orders of the selected connection. Returns null in a dry run of a plan without live
 * accounts, if only those are connected. @throws ToolError PLAN_REQUIRED for a live account on a lower plan, INVALID_INPUT when
 * no default can be chosen, NOT_FOUND for an unknown one
 */
export async function readHoldings(
  pass: Pick<PassSettings, "agent" | "connection_id" | "dry_run" | "run_id">,
  actions: PassActions,
): Promise<Holdings | null> {
  const { connection_id, dry_run, run_id } = pass;
  const { connections } = await actions.connections();
  const connection = await connectionFor({ connection_id, dry_run }, connections, actions.openPaper);
  if (connection === null) return null;
  const only = { connection_id: connection.connection_id };
  // read orders before positions: a fill in between counts twice rather than never
  const { orders: working } = await actions.orders({ status: "working", limit: MAX_ORDERS });
  const sent =
    run_id === undefined || dry_run
      ? []
      : (await actions.orders({ status: "all", limit: MAX_ORDERS })).orders;
  await actions.sync(only);
  const { positions } = await actions.positions(only);
  const waits = working.filter((order) => order.connection_id === connection.connection_id);
  return {
    connection,
    heldQuantity: (symbol) => positions.find((position) => position.symbol === symbol)?.quantity ?? "0",
    workingOrder: (symbol, side) =>
      waits.find(({ intent }) => intent.symbol === symbol && intent.side === side) ?? null,
    placed: placedBy(pass, sent),
  };
}

/**
 * Returns the connection of a pass; null in a dry run without one. On a plan without live accounts, it is a paper
 * account, which is opened if there is none.
 */
async function connectionFor(
  { connection_id: id, dry_run }: Pick<PassSettings, "connection_id" | "dry_run">,
  connections: readonly Connection[],
  openPaper: PassActions["openPaper"],
): Promise<Connection | null> {
  const isLive = ({ account_type }: Connection) => account_type === "live";
  const usable =
    openPaper === null || id !== undefined ? connections : connections.filter((one) => !isLive(one));
  if (id !== undefined || usable.length > 0) {
    const connection = selectConnection(usable, id);
    if (openPaper !== null && isLive(connection)) throw liveAccountError();
    return connection;
  }
  return dry_run || openPaper === null ? null : openPaper();
}

/** Selects a connection by id. Default: the only connection, or else the only paper connection. */
function selectConnection(connections: readonly Connection[], id: string | undefined): Connection {
  if (id !== undefined) {
    const found = connections.find(({ connection_id }) => connection_id === id);
    if (found !== undefined) return found;
    throw new ToolError("NOT_FOUND", "Connection not found", {
      hint: "list_connections lists the connections of this account.",
    });
  }
  const paper = connections.filter(({ account_type }) => account_type === "paper");
  const [connection, ...others] = connections.length === 1 ? connections : paper;
  if (connection !== undefined && others.length === 0) return connection;
  throw new ToolError("INVALID_INPUT", "Several brokers are connected: connection_id is required", {
    hint: "list_connections lists them.",
  });
}
