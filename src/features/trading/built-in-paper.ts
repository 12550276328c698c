import { createHash } from "node:crypto";
import type { Audit } from "../../domain/audit/audit-port.ts";
import type { Clock } from "../../domain/ports.ts";
import type { PaperRepository } from "../../domain/trading/paper-repository-port.ts";
import type { Connection } from "../../domain/trading/trading.ts";
import type { Connections } from "../../domain/trading/trading-port.ts";

interface PaperAccountOptions {
  readonly connections: Connections;
  readonly paperBook: Pick<PaperRepository, "read">;
  readonly market: string;
  readonly audit: Audit;
  readonly clock: Clock;
  /** Returns the account number that the paper exchange gives an account. */
  readonly numberOf: (account: string, connection: string) => string;
}

/**
 * Adds the built-in paper account to the connections of accounts that have none. It is stored on its first use; once
 * disconnected, a new one takes its place. With another connection, it is listed only if it has had an order, so that an
 * account connected after a preview is the default.
 */
export function withPaperAccount({
  connections,
  paperBook,
  market,
  audit,
  clock,
  numberOf,
}: PaperAccountOptions): Connections {
  /** Returns the id of the first built-in account that was never opened, and the ids of those without an order. */
  async function builtInAccounts(account: string) {
    const unused = new Set<string>();
    for (let number = 0; ; number++) {
      const digits = createHash("sha256")
        .update(JSON.stringify([account, market, number]))
        .digest("hex");
      const connection = `cn_${digits.slice(0, 20)}`;
      const state = await paperBook.read({ account, connection });
      if (state === null || (state.fills === 0 && state.working.length === 0)) unused.add(connection);
      if (state === null) return { unused, next: connection };
    }
  }
  async function builtIn(account: string): Promise<Connection> {
    const connection_id = (await builtInAccounts(account)).next;
    return {
      connection_id,
      broker: "paper",
      account_type: "paper",
      account_mask: numberOf(account, connection_id).slice(-4),
      market,
      connected_at: null,
      checked_at: clock.now().toISOString(),
    };
  }
  return {
    ...connections,
    async list(account) {
      const stored = await connections.list(account);
      if (stored.length === 0) return [await builtIn(account)];
      if (stored.length === 1) return stored;
      const { unused } = await builtInAccounts(account);
      return stored.filter(({ connection_id }) => !unused.has(connection_id));
    },
    async find(account, id) {
      const found = await connections.find(account, id);
      if (found !== null) return found;
      // a concurrent call may have stored it meanwhile
      if ((await connections.list(account)).length > 0) return connections.find(account, id);
      const unused = await builtIn(account);
      if (unused.connection_id !== id) return null;
      const { connection_id, broker, account_type, account_mask } = unused;
      const about = { connection_id, broker, account_type, account_mask, replaced: false };
      await audit.write(account, "connection_added", about);
      // the paper exchange takes no credentials
      const credentials = { api_key: id, api_secret: id };
      const connection = await connections.add(account, unused, credentials);
      return { connection, credentials };
    },
  };
}
