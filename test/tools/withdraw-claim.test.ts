import { describe, expect, it } from "vitest";
import { withdrawClaim } from "../../tools/withdraw-claim.ts";
import { newClaim, storedClaims } from "../support/claims.ts";
import { pro, stoppedClock } from "../support/context.ts";
import { smallMarket } from "../support/market.ts";
import { callerOf } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";

const claims = await storedClaims();
const ports = { ...smallMarket().ports, claims };
const { claim } = await claims.add(pro.account, newClaim());

describe("withdraw_claim", () => {
  it("adds the time of the first withdrawal and changes nothing else", async () => {
    const withdraw = (at: string, account = pro.account) =>
      callerOf(
        withdrawClaim,
        { ...ports, clock: stoppedClock(new Date(at)) },
        { ...pro, account },
      )({
        claim_id: claim.claim_id,
      });
    const first = await withdraw("2026-01-20T12:00:00.000Z");
    const again = await withdraw("2026-02-01T12:00:00.000Z");
    expect(again.claim).toEqual(first.claim);
    const { until: _, ...stored } = { until: "", ...claim };
    expect(first.claim).toEqual({ ...stored, withdrawn_at: "2026-01-20T12:00:00.000Z" });
    await expect(withdraw("2026-02-01T12:00:00.000Z", "other")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

/** The example names no stored claim. */
const ofExample = {
  ...claims,
  withdraw: (_: string, __: string, at: string) => claims.withdraw(pro.account, claim.claim_id, at),
};
toolContract(withdrawClaim, { ports: { ...ports, claims: ofExample } });
