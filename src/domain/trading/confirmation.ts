import { z } from "zod";
import { Iso } from "../answers.ts";
import type { RiskLimits } from "./risk.ts";
import type { AccountType, BrokerName } from "./trading.ts";

/** Path of the pages on which a person confirms what an agent asked for. */
export const CONFIRM_PATH = "/confirm";
/** Maximum length of an agent's reason for a change of limits, characters. */
export const MAX_REASON_LENGTH = 200;

/**
 * Maximum number of orders that wait for a person at a time, and of other requests: of one key or app, and of an account,
 * in each market.
 */
export const MAX_WAITING = { requester: 10, account: 50 } as const;

/** State of a request for the confirmation of a person. */
export const ConfirmationState = z.enum(["waiting", "confirmed", "refused", "expired"]);
export type ConfirmationState = z.infer<typeof ConfirmationState>;

/** Where a person decides on a request, and until when. */
export const PendingConfirmation = z.object({
  id: z.string().describe("Ticket, or id of the request"),
  url: z.string().describe("Page on which a person of the account decides, in a browser that is signed in"),
  expires_at: Iso.describe("Time after which the request cannot be confirmed any more"),
});
export type PendingConfirmation = z.infer<typeof PendingConfirmation>;

/** What an agent asks a person for, besides an order. */
export type ConfirmationProposal =
  | {
      readonly kind: "limits";
      readonly change: Partial<RiskLimits>;
      /** The same limits when the agent asked. */
      readonly from: Partial<RiskLimits>;
      readonly reason: string | null;
    }
  | { readonly kind: "credentials"; readonly broker: BrokerName; readonly account_type: AccountType };
