import { z } from "zod";
import { MarketMode, outsideTextNotice, Succeeded } from "../src/domain/answers.ts";
import { CLAIMS_OUTSIDE_TEXT, Claim, ClaimId } from "../src/domain/claims/claims.ts";
import { formatClaim } from "../src/features/claims/claims.text.ts";
import { ToolError } from "../src/kernel/errors.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Marks a claim as withdrawn; it still counts. */
export const withdrawClaim = defineTool({
  name: "withdraw_claim",
  title: "Withdraw claim",
  description:
    "Withdraws a recorded claim, tip or prediction that its author, a pundit or a newsletter took back, backed out of or retracted: it is marked as withdrawn, but settled and counted all the same. Use it to mark that; the ids are in get_claims.",
  topics: ["withdraw a claim", "take back a prediction", "retract a call", "claim taken back"],
  toolset: "signal",
  plan: "pro",
  effect: "write",
  listed: "toolset",
  route: "POST /api/v1/claims/:claim_id/withdraw",
  cli: { command: "retract", positionals: ["claim_id"] },
  needs: ["claims", "clock", "market"],
  input: z.object({ claim_id: ClaimId }),
  output: z.object({
    ...Succeeded,
    outside_text: outsideTextNotice(CLAIMS_OUTSIDE_TEXT),
    claim: Claim,
    market: MarketMode,
  }),
  examples: [{ ask: "They took that claim back", input: { claim_id: `cl_${"0".repeat(20)}` } }],
  terminal: ({ claim }, paint) => formatClaim(claim, paint),

  async handler({ claim_id }, { claims, clock, market, principal }) {
    const claim = await claims.withdraw(principal.account, claim_id, clock.now().toISOString());
    if (claim === null)
      throw new ToolError("NOT_FOUND", "There is no such claim", {
        hint: "get_claims lists the claims of this account.",
      });
    return { claim, market: market.mode };
  },
});
