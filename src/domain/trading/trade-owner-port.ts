import type { KillSwitch, RiskLimits } from "./risk.ts";
import type { TicketRecord } from "./trading-port.ts";

export interface OwnedTicket {
  readonly account: string;
  readonly ticket: TicketRecord;
}

/**
 * Actions on an account's trades that only the owner of the server may take. Each is written to the audit log, once, and
 * not done if that fails, except for engaging the kill switch and refusing a ticket, which nothing may block: a failed
 * write is logged.
 */
export interface TradeOwner {
  /** Changes the given limits; null restores the defaults. */
  setLimits(account: string, change: Partial<RiskLimits> | null): Promise<RiskLimits>;
  /** Engages or releases the kill switch; changes nothing if it already has that state. */
  switchOrders(account: string, engaged: boolean, reason: string | null): Promise<KillSwitch>;
  /** Returns tickets of live accounts that are neither used nor expired, newest first. */
  pendingTickets(accounts: readonly string[]): Promise<readonly OwnedTicket[]>;
  /** Rejects with NOT_FOUND if none of the accounts has a ticket with that id, with INVALID_INPUT if several have. */
  find(accounts: readonly string[], id: string): Promise<OwnedTicket>;
  /**
   * Allows a live ticket to be sent; confirming it again changes nothing. Rejects if it needs no confirmation, was used,
   * was refused or has expired. `by` names the person. Default: the owner at the server.
   */
  confirm(found: OwnedTicket, by?: string): Promise<TicketRecord>;
  /** Makes a ticket unusable that was not used yet. Rejects if it was used, was refused or has expired. */
  refuse(found: OwnedTicket, by?: string): Promise<TicketRecord>;
}
