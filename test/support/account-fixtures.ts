import { catalogue } from "../../src/app/catalogue.ts";
import type { Principal } from "../../src/domain/accounts/access.ts";
import type { Ports } from "../../src/domain/ports.ts";
import { asToolError } from "../../src/kernel/errors.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import type { InputOf, OutputOf, Tool } from "../../src/kernel/tool.ts";
import { DIP_BUYER } from "./agents.ts";
import { newClaim } from "./claims.ts";

/** Ids of objects that an account owns, by the input field that accepts them. */
export type OwnIds = Readonly<Record<string, string>>;

const PAPER = { broker: "paper", account_type: "paper" } as const;
const credentials = { api_key: "any-key", api_secret: "any-secret" };
const COIN = { symbol: "BTC-USD", side: "buy", quantity: "0.0001" } as const;

const caller =
  (ports: Ports, principal: Principal) =>
  <T extends Tool>(tool: T, input: InputOf<T>): Promise<OutputOf<T>> =>
    invoke(tool, input, { ports, principal, transport: "test", nested: true });

/** Connects the account's paper broker, as its only connection: examples name none. */
export async function createConnection(ports: Ports, principal: Principal): Promise<OwnIds> {
  const call = caller(ports, principal);
  const { connection } = await call(catalogue.connectBroker, { ...PAPER, credentials });
  for (const { connection_id } of await ports.connections.list(principal.account))
    if (connection_id !== connection.connection_id)
      await call(catalogue.disconnectBroker, { connection_id, force: true });
  return { connection_id: connection.connection_id };
}

/** A connected paper account; if the market can be traded, also an unused ticket and a working limit order. */
export async function createTradingFixture(ports: Ports, principal: Principal): Promise<OwnIds> {
  const call = caller(ports, principal);
  const { connection_id } = await createConnection(ports, principal);
  const preview = (trade: object) =>
    call(catalogue.previewTrade, { ...COIN, connection_id: connection_id!, ...trade }).catch(
      (thrown: unknown) => {
        if (asToolError(thrown).code === "INTERNAL") throw thrown;
        return null;
      },
    );
  const market = await preview({});
  if (market?.ticket_id == null) return { connection_id: connection_id! };
  const limit_price = (Number(market.quote.price) * 0.95).toFixed(2);
  const limit = await preview({ type: "limit", limit_price, time_in_force: "gtc" });
  const { order } = await call(catalogue.executeTrade, { ticket_id: limit!.ticket_id! });
  return { connection_id: connection_id!, ticket_id: market.ticket_id, order_id: order.order_id };
}

/** Issues a receipt of the account. */
export async function createReceipt(ports: Ports, principal: Principal): Promise<OwnIds> {
  const { receipt } = await caller(ports, principal)(catalogue.issueReceipt, { symbol: "AAPL" });
  return { receipt_id: receipt.receipt_id };
}

let level = 1_000;

/** Creates a subscription of the account, another one at each call: a repeat would return the active one. */
export async function createSubscription(ports: Ports, principal: Principal): Promise<OwnIds> {
  const { subscription } = await caller(ports, principal)(catalogue.createSubscription, {
    symbols: ["AAPL"],
    on: "price",
    above: level++,
  });
  return { subscription_id: subscription.subscription_id };
}

/** Stores a claim of the account. */
export async function createClaim({ claims }: Ports, { account }: Principal): Promise<OwnIds> {
  const { claim } = await claims.add(account, newClaim());
  return { claim_id: claim.claim_id };
}

/** Creates the agents named in a tool's example: the saved one, and a running one for stop_agent. */
export async function prepareAgents(
  { name }: Tool,
  { automation }: Ports,
  principal: Principal,
): Promise<void> {
  const missing = (thrown: unknown): void => {
    if (asToolError(thrown).code === "INTERNAL") throw thrown;
  };
  for (const agent of ["momentum", DIP_BUYER.name])
    await automation.stop(principal, { agent }).catch(missing);
  await automation.remove(principal, DIP_BUYER.name).catch(missing);
  if (name !== catalogue.saveAgent.name) await automation.save(principal, DIP_BUYER);
  if (name === catalogue.stopAgent.name)
    await automation.start(principal, { agent: "momentum", every: "1h", input: { symbols: ["AAPL"] } });
}

/** The input with the account's own ids in place of the example's ids. */
export const withOwnIds = (input: Readonly<Record<string, unknown>>, own: OwnIds): Record<string, unknown> =>
  Object.fromEntries(Object.entries(input).map(([field, value]) => [field, own[field] ?? value]));
