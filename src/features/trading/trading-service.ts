import { OWNER_ACCOUNT, type Principal } from "../../domain/accounts/access.ts";
import type { Ports } from "../../domain/ports.ts";
import type { Confirmations } from "../../domain/trading/confirmations-port.ts";
import { newestTicketFirst } from "../../domain/trading/newest-first.ts";
import type { OwnedTicket, TradeOwner } from "../../domain/trading/trade-owner-port.ts";
import type { TicketRecord } from "../../domain/trading/trading-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { applyKillSwitch } from "./kill-switch.ts";
import { parseLimits } from "./parse-limits.ts";
import { recordAudit } from "./record-audit.ts";
import { isExpired, unusableTicketError } from "./ticket-expiry.ts";

type TradeOwnerPorts = Pick<Ports, "tradeRules" | "tradeRepository" | "clock" | "audit" | "log">;

/** Creates the operations with which the owner manages risk limits, kill switch and tickets. */
export function createTradeOwner(ports: TradeOwnerPorts): TradeOwner {
  const { tradeRules, tradeRepository, audit, clock } = ports;
  const now = () => clock.now().toISOString();
  return {
    async setLimits(account, change) {
      await audit.write(account, "limits", { by: "owner", change: change ?? "defaults" });
      return tradeRules.setLimits(account, change, now());
    },

    switchOrders: async (account, engaged, reason) =>
      (await applyKillSwitch(account, { engaged, reason, by: "owner" }, ports)).killSwitch,

    async pendingTickets(accounts) {
      const found: OwnedTicket[] = [];
      for (const account of accounts)
        for (const ticket of await tradeRepository.tickets(account, now()))
          if (isLive(ticket)) found.push({ account, ticket });
      return found.toSorted((a, b) => newestTicketFirst(a.ticket, b.ticket));
    },

    async find(accounts, id) {
      const found: OwnedTicket[] = [];
      for (const account of accounts) {
        const ticket = await tradeRepository.ticket(account, id);
        if (ticket !== null) found.push({ account, ticket });
      }
      const [only, ...others] = found;
      if (only === undefined)
        throw new ToolError("NOT_FOUND", "Ticket not found in this market", {
          hint: "List the pending tickets first.",
          command: "market-signal trades list",
        });
      if (others.length > 0)
        throw new ToolError("INVALID_INPUT", "Several accounts have a ticket with that id", {
          hint: `Pass --account: ${found.map(({ account }) => account).join(", ")}.`,
        });
      return only;
    },

    async confirm({ account, ticket }, by = OWNER_ACCOUNT) {
      if (!isLive(ticket))
        throw new ToolError("INVALID_INPUT", "A paper trade needs no confirmation", {
          hint: "Call execute_trade to send it.",
        });
      const at = now();
      requireUsable(ticket, at);
      if (ticket.confirmedAt !== null) return ticket;
      await tradeRepository.confirm(account, ticket.id, at, { by, ...auditDataOf(ticket) });
      const after = await tradeRepository.ticket(account, ticket.id);
      if (after?.confirmedAt == null || after.refusedAt !== undefined) throw changedMeanwhileError();
      return after;
    },

    async refuse({ account, ticket }, by = OWNER_ACCOUNT) {
      const at = now();
      requireUsable(ticket, at);
      if (!(await tradeRepository.refuse(account, ticket.id, at))) throw changedMeanwhileError();
      await recordAudit(ports, account, "confirmation_refused", { by, ...auditDataOf(ticket) });
      return (await tradeRepository.ticket(account, ticket.id))!;
    },
  };
}

/** Throws CONFLICT for a ticket that was used, and REFUSED for one that was refused or has expired. */
function requireUsable(ticket: TicketRecord, at: string): void {
  if (ticket.order !== null)
    throw new ToolError("CONFLICT", `The ticket was already used for order ${ticket.order}`, {
      hint: "Preview the trade again for another order.",
    });
  const now = new Date(at);
  if (ticket.refusedAt !== undefined || isExpired(ticket, now)) throw unusableTicketError(ticket, now);
}

const auditDataOf = ({ id, connection, intent }: TicketRecord) => ({
  ticket_id: id,
  connection_id: connection,
  intent,
});

const changedMeanwhileError = () =>
  new ToolError("CONFLICT", "The ticket was used, refused or expired meanwhile", {
    hint: "Preview the trade again for a new ticket.",
  });

/** Returns true for a ticket of a live account. */
export const isLive = ({ shown }: TicketRecord): boolean => shown.account_type !== "paper";

/** Creates the trading operations of the server's owner for one market. */
export const createTradingService = ({
  accounts,
  owner,
  ports,
  confirmations,
  close,
}: {
  readonly accounts: { list(): Promise<readonly { readonly id: string }[]> };
  readonly owner: Principal;
  readonly confirmations: Confirmations;
  readonly ports: TradeOwnerPorts & Pick<Ports, "symbols" | "brokers">;
  close(): Promise<void>;
}) => ({
  ...createTradeOwner(ports),
  limits: ports.tradeRules.limits,
  killSwitch: ports.tradeRules.killSwitch,
  parseLimits: (terms: readonly string[]) => parseLimits(terms, ports.symbols),
  requests: confirmations,
  live: ports.brokers.live,
  close,
  /** Returns the account names on this server. */
  async accounts(): Promise<readonly string[]> {
    const known = (await accounts.list()).map(({ id }) => id);
    return [...new Set([owner.account, ...known])];
  },
});
