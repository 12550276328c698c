import { catalogue } from "../../src/app/catalogue.ts";
import type { Principal } from "../../src/domain/accounts/access.ts";
import type { Ports } from "../../src/domain/ports.ts";
import { asToolError } from "../../src/kernel/errors.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import type { InputOf, OutputOf, Tool } from "../../src/kernel/tool.ts";
import { DIP_BUYER } from "./agents.ts";

/** Names of an account's own, by the field of an input that takes them. */
export type OwnIds = Readonly<Record<string, string>>;

const PAPER = { broker: "paper", account_type: "paper" } as const;
const credentials = { api_key: "any-key", api_secret: "any-secret" };
const COIN = { symbol: "BTC-USD", side: "buy", quantity: "0.0001" } as const;

/**
 * What a trader has at hand: a paper account, a ticket that is not used yet and, where the market is one that can be
 * traded, an order that waits below the price.
 */
export async function createTradingFixture(ports: Ports, principal: Principal): Promise<OwnIds> {
  const ask = <T extends Tool>(tool: T, input: InputOf<T>): Promise<OutputOf<T>> =>
    invoke(tool, input, { ports, principal, transport: "test", nested: true });
  const connection_id = await ask(catalogue.connectBroker, { ...PAPER, credentials }).then(
    ({ connection }) => connection.connection_id,
  );
  const preview = (trade: object) =>
    ask(catalogue.previewTrade, { ...COIN, connection_id, ...trade }).catch((thrown: unknown) => {
      if (asToolError(thrown).code === "INTERNAL") throw thrown;
      return null;
    });
  const shown = await preview({});
  if (shown?.ticket_id == null) return { connection_id };
  const limit_price = (Number(shown.quote.price) * 0.95).toFixed(2);
  const waiting = await preview({ type: "limit", limit_price, time_in_force: "gtc" });
  const ticket_id = waiting!.ticket_id!;
  const { order } = await ask(catalogue.executeTrade, { ticket_id });
  return { connection_id, ticket_id: shown.ticket_id, order_id: order.order_id };
}

/** A receipt of the account. */
export async function createReceipt(ports: Ports, principal: Principal): Promise<OwnIds> {
  const call = { ports, principal, transport: "test", inner: true };
  const { receipt } = await invoke(catalogue.issueReceipt, { symbol: "AAPL" }, call);
  return { receipt_id: receipt.receipt_id };
}

/** A subscription of the account. */
export async function createSubscription(ports: Ports, principal: Principal): Promise<OwnIds> {
  const call = { ports, principal, transport: "test", inner: true };
  const { subscription } = await invoke(catalogue.createSubscription, { symbols: ["AAPL"] }, call);
  return { subscription_id: subscription.subscription_id };
}

/** Agents of the account as one of these tools is to find them: the saved one of the examples, and one that runs where it is to be stopped. */
export async function prepareAgents(
  { name }: Tool,
  { automation }: Ports,
  principal: Principal,
): Promise<void> {
  const missing = (thrown: unknown): void => {
    if (asToolError(thrown).code === "INTERNAL") throw thrown;
  };
  await automation.stop(principal, { agent: "momentum" }).catch(missing);
  await automation.remove(principal, DIP_BUYER.name).catch(missing);
  if (name !== catalogue.saveAgent.name) await automation.save(principal, DIP_BUYER);
  if (name === catalogue.stopAgent.name)
    await automation.start(principal, { agent: "momentum", every: "1h", input: { symbols: ["AAPL"] } });
}

/** The input with the account's own names in place of those it names as an example. */
export const withOwnIds = (input: Readonly<Record<string, unknown>>, own: OwnIds): Record<string, unknown> =>
  Object.fromEntries(Object.entries(input).map(([field, value]) => [field, own[field] ?? value]));
