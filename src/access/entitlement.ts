import { PLAN_RANK, type Plan } from "../domain/accounts/access.ts";
import type { Keyring } from "../domain/accounts/keyring-port.ts";
import type { Clock } from "../domain/ports.ts";
import { ownerPrincipal } from "./callers.ts";
import { stateOf } from "./keys/key-state.ts";

/** Whether what an account left running goes on: its plan of today is the least one or above, and one of its keys is good. */
export type EntitlementCheck = (account: string, least: Plan) => Promise<boolean>;

/** Reads accounts and keys as they are now; whoever runs commands on this machine needs neither. */
export const createEntitlementCheck =
  ({
    keyring,
    clock,
  }: {
    readonly keyring: Pick<Keyring, "account" | "keys">;
    readonly clock: Clock;
  }): EntitlementCheck =>
  async (account, least) => {
    if (account === ownerPrincipal().account) return true;
    const record = await keyring.account(account);
    if (record === null || PLAN_RANK[record.plan] < PLAN_RANK[least]) return false;
    const now = clock.now().toISOString();
    const keys = await keyring.keys(account);
    return keys.map((key) => stateOf(key, now)).some((state) => state === "active" || state === "grace");
  };
