import type { KillSwitch, RiskLimits } from "./risk.ts";
import type { TicketRecord } from "./trading-port.ts";

/** A ticket and whose it is. */
export interface OwnedTicket {
  readonly account: string;
  readonly ticket: TicketRecord;
}

/**
 * What the owner of the server alone does about an account's trades. Each act is written down first and not done where
 * that fails, except for engaging the kill switch, which nothing may block: an unwritten act is reported in the log.
 */
export interface TradeOwner {
  /** Changes those that are named; null puts back the defaults. */
  setLimits(account: string, change: Partial<RiskLimits> | null): Promise<RiskLimits>;
  /** Changes nothing if it already has that state. */
  switchOrders(account: string, engaged: boolean, reason: string | null): Promise<KillSwitch>;
  /** Tickets of live accounts that are neither used nor expired, the newest first. */
  pendingTickets(accounts: readonly string[]): Promise<readonly OwnedTicket[]>;
  /** The ticket of that id. NOT_FOUND for none of these accounts', INVALID_INPUT where several have one. */
  find(accounts: readonly string[], id: string): Promise<OwnedTicket>;
  /** Lets a live ticket be sent. Rejects where it needs none, was used or has expired; confirming it again changes nothing. */
  confirm(found: OwnedTicket): Promise<TicketRecord>;
}
