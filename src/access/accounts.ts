import type { AccountRepository, AccountSummary, Accounts } from "../domain/accounts/accounts-port.ts";
import type { AuditEvent } from "../domain/audit/audit-events.ts";
import type { Audit } from "../domain/audit/audit-port.ts";
import type { Clock } from "../domain/ports.ts";
import { ToolError } from "../kernel/errors.ts";
import { misspeltName } from "../lib/nearest-names.ts";
import type { Access } from "./access.ts";
import { ownerPrincipal } from "./callers.ts";

export interface AccountsOptions {
  readonly repository: AccountRepository;
  readonly access: Pick<Access, "list" | "checkTerms" | "setAccount" | "forgetCallers">;
  readonly audit: Audit;
  readonly clock: Clock;
}

/** Creates the administration of accounts. Each change is written to the audit log before it is made. */
export function createAccounts({ repository, access, audit, clock }: AccountsOptions): Accounts {
  async function find(id: string): Promise<AccountSummary> {
    const found = await repository.find(id);
    if (found !== null) return found;
    const accounts = (await repository.list()).map((account) => account.id);
    const meant = misspeltName(id, accounts);
    throw new ToolError("NOT_FOUND", "Account not found", {
      hint: meant === undefined ? "List the accounts first." : `Did you mean ${meant}?`,
      command: "market-signal accounts list",
    });
  }

  /** Returns an account that may be changed. */
  async function findChangeable(id: string): Promise<AccountSummary> {
    if (id !== ownerPrincipal().account) return find(id);
    throw new ToolError("INVALID_INPUT", "The owner account cannot be changed, suspended or deleted", {
      hint: "It is the account of the server's owner and is always on the enterprise plan. Create another account, or revoke single keys.",
      command: "market-signal keys list --account owner",
    });
  }

  async function setSuspended(id: string, event: AuditEvent, by: string): Promise<AccountSummary> {
    const before = await findChangeable(id);
    const isSuspending = event === "account_suspended";
    if ((before.suspended_at !== null) === isSuspending) return before;
    await audit.write(id, event, { by });
    await repository.setSuspended(id, isSuspending ? clock.now().toISOString() : null);
    access.forgetCallers();
    return find(id);
  }

  return {
    list: () => repository.list(),

    async show(id) {
      const account = await find(id);
      const keys = await access.list(id);
      return {
        ...account,
        keys: keys.map(({ id: key, name, last4, state, scopes, expires_at, last_used_at }) => ({
          id: key,
          name,
          last4,
          state,
          scopes,
          expires_at,
          last_used_at,
        })),
        stored: await repository.countRows(id),
        open_live_orders: await repository.openLiveOrders(id),
      };
    },

    async setPlan(id, change, by) {
      await findChangeable(id);
      access.checkTerms(change.terms);
      await audit.write(id, "account_plan", { by, ...change });
      await access.setAccount(id, change);
      return find(id);
    },

    suspend: (id, by) => setSuspended(id, "account_suspended", by),
    resume: (id, by) => setSuspended(id, "account_resumed", by),

    async export(id, by) {
      await find(id);
      await audit.write(id, "account_exported", { by });
      return exportText(id, clock.now(), repository);
    },

    async delete(id, by) {
      await findChangeable(id);
      const open = await repository.openLiveOrders(id);
      if (open.length === 0) await audit.write(id, "account_deleted", { by });
      // rejects if there is an open order, also one that was sent meanwhile
      const deleted = await repository.delete(id);
      access.forgetCallers();
      return deleted;
    },
  };
}

/** Yields a JSON document: the account, the time of the export, and the rows of each table. */
async function* exportText(id: string, at: Date, repository: AccountRepository): AsyncGenerator<string> {
  yield `{"account":${JSON.stringify(id)},"exported_at":${JSON.stringify(at.toISOString())},"tables":{`;
  let current: string | null = null;
  for await (const { table, rows } of repository.rows(id)) {
    const text = rows.map((row) => JSON.stringify(row)).join(",\n");
    yield table === current
      ? `,\n${text}`
      : `${current === null ? "" : "]"}${current === null ? "" : ","}\n${JSON.stringify(table)}:[\n${text}`;
    current = table;
  }
  yield `${current === null ? "" : "]"}}}\n`;
}
