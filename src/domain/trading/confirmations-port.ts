import type { ConfirmationProposal, ConfirmationState, PendingConfirmation } from "./confirmation.ts";
import type { LimitChange } from "./limits.text.ts";
import type { Credentials, TicketRecord } from "./trading-port.ts";

/** A stored request for a person's confirmation. Times are ISO 8601 UTC. */
export interface ConfirmationRequest {
  readonly id: string;
  readonly proposal: ConfirmationProposal;
  /** Id of the key or grant that asked; empty for the command line and the dashboard. */
  readonly requestedBy: string;
  readonly requestedAt: string;
  readonly expiresAt: string;
  readonly decision: "confirmed" | "refused" | null;
  readonly decidedBy: string | null;
  readonly decidedAt: string | null;
  /** Connection made with the credentials of the person; null before, and for limits. */
  readonly connection: string | null;
}

/** Stored requests of accounts in one market. */
export interface ConfirmationRequests {
  /**
   * Adds a request and deletes the waiting ones with the ids of `outdated`. Rejects with REFUSED beyond `MAX_WAITING`
   * others, and names `page`, the URL at which people decide.
   */
  add(
    account: string,
    request: ConfirmationRequest,
    options: { readonly outdated: readonly string[]; readonly page: string },
  ): Promise<void>;
  find(account: string, id: string): Promise<ConfirmationRequest | null>;
  /** Newest first; requests that ended more than a day ago are deleted at some time. */
  list(account: string): Promise<readonly ConfirmationRequest[]>;
  /** Decides a request that waits at `decidedAt`, once; false if it does not wait. */
  decide(
    account: string,
    id: string,
    decision: Pick<ConfirmationRequest, "decision" | "decidedBy" | "decidedAt">,
  ): Promise<boolean>;
  /** Lets a confirmed request wait again, because what was confirmed could not be done. */
  reopen(account: string, id: string): Promise<void>;
  /** Stores the connection that a confirmed request made. */
  saveConnection(account: string, id: string, connection: string): Promise<void>;
}

/** An order, or a request, with what a person must know to decide. */
export type ConfirmationDetails = {
  readonly id: string;
  /** Since when it waits. */
  readonly at: string;
  readonly state: ConfirmationState;
  readonly requestedBy: string | null;
  readonly expiresAt: string;
} & (
  | { readonly kind: "order"; readonly ticket: TicketRecord; readonly accountMask: string | null }
  | {
      readonly kind: "limits";
      readonly request: ConfirmationRequest;
      readonly limits: readonly LimitChange[];
    }
  | { readonly kind: "credentials"; readonly request: ConfirmationRequest }
);

/** How an agent asks the people of its account. */
export interface ConfirmationPort {
  /** Address of the page of a request. */
  urlOf(id: string): string;
  /**
   * Asks the people of an account to confirm the order of a live ticket, and notifies them once. The ticket then waits for
   * 15 minutes. Rejects with REFUSED beyond `MAX_WAITING` requests.
   */
  requestOrder(account: string, ticket: TicketRecord, by: string): Promise<PendingConfirmation>;
  /**
   * Asks the people of an account for a change. The same proposal of the same key or grant is the same request for as
   * long as it is valid. Rejects with REFUSED beyond `MAX_WAITING` requests.
   */
  request(account: string, proposal: ConfirmationProposal, by: string): Promise<ConfirmationRequest>;
  /** Null: there is no such request. */
  state(account: string, id: string): Promise<ConfirmationState | null>;
}

/** How people decide. `by` names the person; the audit log has an entry for each decision. */
export interface Confirmations extends ConfirmationPort {
  /** What waits for the people of an account, newest first; of the same millisecond by id. */
  waiting(account: string): Promise<readonly ConfirmationDetails[]>;
  /** Null: the account has no such request. */
  find(account: string, id: string): Promise<ConfirmationDetails | null>;
  /**
   * Confirms a request that waits, once; confirming a confirmed order again changes nothing. Rejects with NOT_FOUND, with
   * CONFLICT if it was decided, with REFUSED if it has expired, and with INVALID_INPUT if it needs credentials.
   */
  confirm(account: string, id: string, by: string, credentials?: Credentials): Promise<void>;
  /** Refuses a request that waits, or a confirmed order that is not sent yet. A refused ticket is never sent. Rejects as `confirm` does. */
  refuse(account: string, id: string, by: string): Promise<void>;
}
