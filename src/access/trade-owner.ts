import type { KillSwitch, RiskLimits } from "../domain/risk.ts";
import { ToolError } from "../kernel/errors.ts";
import type { Clock, Log } from "../ports/index.ts";
import type { Audit, KeptTicket, TradeBook, TradeRules } from "../ports/trading.ts";

export interface TradeOwnerPorts {
  readonly tradeRules: TradeRules;
  readonly tradeBook: TradeBook;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly log: Log;
}

/** A ticket and whose it is. */
export interface OwnedTicket {
  readonly account: string;
  readonly ticket: KeptTicket;
}

/**
 * What the owner of the server alone does about an account's trades. Each act is written down first and not done where
 * that fails, but for engaging the kill switch, which nothing is in the way of: the log tells where it is not written down.
 */
export interface TradeOwner {
  /** Changes those that are named; null puts back the defaults. */
  setLimits(account: string, change: Partial<RiskLimits> | null): Promise<RiskLimits>;
  /** Where it stands so already nothing is changed. */
  turnKillSwitch(account: string, engaged: boolean, reason: string | null): Promise<KillSwitch>;
  /** Tickets of live accounts that are neither used nor expired, the newest first. */
  waiting(accounts: readonly string[]): Promise<readonly OwnedTicket[]>;
  /** The ticket of that id. NOT_FOUND for none of these accounts', INVALID_INPUT where several have one. */
  find(accounts: readonly string[], id: string): Promise<OwnedTicket>;
  /** Lets a live ticket be sent. Rejects where it needs none, was used or has expired; confirming it again changes nothing. */
  confirm(found: OwnedTicket): Promise<KeptTicket>;
}

export function tradeOwner({ tradeRules, tradeBook, audit, clock, log }: TradeOwnerPorts): TradeOwner {
  const now = () => clock.now().toISOString();
  return {
    async setLimits(account, change) {
      await audit.write(account, "limits", { by: "owner", change: change ?? "defaults" });
      return tradeRules.setLimits(account, change, now());
    },

    async turnKillSwitch(account, engaged, reason) {
      const before = await tradeRules.killSwitch(account);
      if (before.engaged === engaged) return before;
      const after: KillSwitch = { engaged, since: now(), reason };
      const about = { by: "owner", engaged, reason };
      const write = () => audit.write(account, "kill_switch", about);
      if (!engaged) await write();
      await tradeRules.setKillSwitch(account, after);
      if (engaged)
        await write().catch((cause: unknown) => {
          log.error("audit", { account, audited: "kill_switch", ...about, cause });
        });
      return after;
    },

    async waiting(accounts) {
      const found: OwnedTicket[] = [];
      for (const account of accounts)
        for (const ticket of await tradeBook.tickets(account, now()))
          if (isLive(ticket)) found.push({ account, ticket });
      return found.toSorted((a, b) => (a.ticket.createdAt < b.ticket.createdAt ? 1 : -1));
    },

    async find(accounts, id) {
      const found: OwnedTicket[] = [];
      for (const account of accounts) {
        const ticket = await tradeBook.ticket(account, id);
        if (ticket !== null) found.push({ account, ticket });
      }
      const [one, ...others] = found;
      if (one === undefined)
        throw new ToolError("NOT_FOUND", "There is no such ticket in this market", {
          hint: "`market-signal trades list` shows those that wait.",
        });
      if (others.length > 0)
        throw new ToolError("INVALID_INPUT", "Several accounts have a ticket of that id", {
          hint: `Say --account: ${found.map(({ account }) => account).join(", ")}.`,
        });
      return one;
    },

    async confirm({ account, ticket }) {
      if (!isLive(ticket))
        throw new ToolError("INVALID_INPUT", "A trade on paper needs no confirmation", {
          hint: "It may be sent as it is.",
        });
      if (ticket.order !== null)
        throw new ToolError("CONFLICT", `The ticket was used: it became the order ${ticket.order}`);
      const at = now();
      if (ticket.expiresAt <= at)
        throw new ToolError("REFUSED", `The ticket expired at ${ticket.expiresAt}`, {
          hint: "The trade has to be previewed again, at the price of then.",
        });
      if (ticket.confirmedAt !== null) return ticket;
      await audit.write(account, "ticket_confirmed", {
        ...{ by: "owner", ticket_id: ticket.id, connection_id: ticket.connection, intent: ticket.intent },
      });
      await tradeBook.confirm(account, ticket.id, at);
      const after = await tradeBook.ticket(account, ticket.id);
      if (after?.confirmedAt == null)
        throw new ToolError("CONFLICT", "The ticket was used or expired meanwhile");
      return after;
    },
  };
}

const isLive = ({ shown }: KeptTicket): boolean => shown.account_type !== "paper";
