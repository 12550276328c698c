import { PLAN_RANK, type Plan } from "../domain/accounts/access.ts";
import type { Keyring } from "../domain/accounts/keyring-port.ts";
import type { Clock } from "../domain/ports.ts";
import { ownerPrincipal } from "./callers.ts";
import { stateOf } from "./keys/key-state.ts";

/** Returns true if the scheduled work of an account may continue: its current plan is `minPlan` or above, and one of its keys is valid. */
export type EntitlementCheck = (account: string, minPlan: Plan) => Promise<boolean>;

/** Creates a check of the stored accounts and keys. The owner account always passes. */
export const createEntitlementCheck =
  ({
    keyring,
    clock,
  }: {
    readonly keyring: Pick<Keyring, "account" | "keys">;
    readonly clock: Clock;
  }): EntitlementCheck =>
  async (account, minPlan) => {
    if (account === ownerPrincipal().account) return true;
    const record = await keyring.account(account);
    if (record === null || PLAN_RANK[record.plan] < PLAN_RANK[minPlan]) return false;
    const now = clock.now().toISOString();
    const keys = await keyring.keys(account);
    return keys.map((key) => stateOf(key, now)).some((state) => state === "active" || state === "grace");
  };
