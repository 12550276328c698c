import type { ConfirmationProposal } from "../../domain/trading/confirmation.ts";
import type { ConfirmationRequest } from "../../domain/trading/confirmations-port.ts";
import { canonicalJson } from "../../lib/canonical-json.ts";

/** Returns true if a request is valid and was made by the same key or grant with the same content. */
export const isSameRequest = (
  { proposal, requestedBy, expiresAt }: ConfirmationRequest,
  wanted: { proposal: ConfirmationProposal; by: string; at: string },
): boolean =>
  requestedBy === wanted.by &&
  expiresAt > wanted.at &&
  canonicalJson(subjectOf(proposal)) === canonicalJson(subjectOf(wanted.proposal));

/** Returns a proposal without the reason that the agent gave. */
const subjectOf = (proposal: ConfirmationProposal) =>
  proposal.kind === "limits" ? { kind: proposal.kind, change: proposal.change } : { ...proposal };
