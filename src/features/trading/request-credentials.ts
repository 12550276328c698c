import type { Principal } from "../../domain/accounts/access.ts";
import type { Ports } from "../../domain/ports.ts";
import type { Connection } from "../../domain/trading/trading.ts";
import type { BrokerAccount } from "../../domain/trading/trading-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { type ConnectPorts, type ConnectRequest, connect, requireConnectable } from "./connect.ts";
import { resolveConnection } from "./resolve-connection.ts";

/**
 * Connects a broker account with the given credentials. Without those that the broker needs, asks a person of the
 * account to type them on a page of the server, and returns the connection once they have. @throws ToolError REFUSED
 * with the address of the page while it waits
 */
export async function connectOrRequest(
  request: ConnectRequest,
  principal: Principal,
  ports: ConnectPorts & Pick<Ports, "confirmations">,
): Promise<{ readonly connection: Connection; readonly created: boolean; readonly account: BrokerAccount }> {
  const { broker, type, signal } = request;
  if (broker === "paper" || request.credentials !== undefined) return connect(request, principal, ports);
  const { confirmations, market } = ports;
  const { account, scopes, keyId = "" } = principal;
  requireConnectable(request, scopes, market);
  ports.brokers.requireAvailable(broker);
  const proposal = { kind: "credentials", broker, account_type: type } as const;
  const { id, expiresAt, decision, connection } = await confirmations.request(account, proposal, keyId);
  if (decision === "refused")
    throw new ToolError("REFUSED", "A person of this account refused this connection", {
      hint: "Do not ask for the same again without talking to the person.",
    });
  if (decision === null) {
    const url = confirmations.urlOf(id);
    throw new ToolError(
      "REFUSED",
      `The broker ${broker} requires credentials, which a person types on a page`,
      {
        hint: `Until ${expiresAt} a person of this account types them at ${url}; then call connect_broker again in the same way. Never ask for them in a conversation. The owner of the server may also pass credentials.`,
        data: { confirmation: { id, url, expires_at: expiresAt } },
      },
    );
  }
  const opened = await resolveConnection(ports, account, connection!);
  return {
    connection: opened.connection,
    created: false,
    account: await opened.broker.account(signal === undefined ? {} : { signal }),
  };
}
