import { appOf, PLAN_RANK, type Plan, type Principal, type Scope } from "../domain/accounts/access.ts";
import type { AppRepository } from "../domain/accounts/connected-apps.ts";
import type { KeyRecord, Keyring } from "../domain/accounts/keyring-port.ts";
import type { People } from "../domain/accounts/people-port.ts";
import type { Clock } from "../domain/ports.ts";
import { ToolError } from "../kernel/errors.ts";
import { ownerPrincipal } from "./callers.ts";
import { isValid, keyFault, stateOf, suspendedError } from "./keys/key-state.ts";

/** The authority of unattended work: the account, the key that started it and the scopes that the key had then. */
export interface Delegation {
  readonly account: string;
  /** Id of the key, or of the grant of an app. Null: started by the local owner. */
  readonly key: string | null;
  readonly scopes: readonly Scope[];
}

interface KeyDeps {
  readonly keyring: Pick<Keyring, "account" | "key" | "keys">;
  readonly clock: Clock;
}

/**
 * Resolves a delegation to its principal as of now. Rejects with UNAUTHENTICATED when its key is no longer valid, and
 * with FORBIDDEN while its account is suspended.
 */
export type PrincipalResolver = (delegation: Delegation) => Promise<Principal>;

/** Maximum length of a chain of rotated keys. */
const MAX_ROTATIONS = 100;

/**
 * Resolves the current plan of the account with the scopes of the delegation. A rotated key counts as valid while its
 * replacement is valid.
 */
export const createPrincipalResolver =
  ({ keyring, apps, clock }: KeyDeps & { readonly apps: Pick<AppRepository, "limits"> }): PrincipalResolver =>
  async ({ account, key, scopes }) => {
    const app = appOf(key);
    const dailyCalls = app === null ? null : await callsOf(account, app);
    if (key !== null && app === null) await assertValid(account, key);
    const owner = ownerPrincipal();
    const record = account === owner.account ? null : await keyring.account(account);
    const plan = record?.plan ?? (account === owner.account ? owner.plan : null);
    if (plan === null) throw new ToolError("UNAUTHENTICATED", "The account does not exist any more");
    if (record !== null && record.suspended_at !== null) throw suspendedError(account);
    return {
      account,
      plan,
      scopes,
      ...(record !== null && record.terms !== null && { terms: record.terms }),
      ...(key !== null && { keyId: key }),
      ...(dailyCalls !== null && { dailyCalls }),
    };

    async function callsOf(holder: string, client: string): Promise<number | null> {
      const limits = await apps.limits(holder, client);
      if (limits !== null) return limits.calls_daily;
      throw new ToolError("UNAUTHENTICATED", "The app that started this was disconnected", {
        hint: "Connect the app again, and start this again from it.",
      });
    }

    async function assertValid(holder: string, first: string): Promise<void> {
      let id: string | null = first;
      for (let rotation = 0; id !== null && rotation < MAX_ROTATIONS; rotation++) {
        const found: KeyRecord | null = await keyring.key(holder, id);
        if (found === null) throw keyFault("unknown");
        const state = stateOf(found, clock.now().toISOString());
        if (isValid(state)) return;
        if (state !== "replaced") throw keyFault(state);
        id = found.replaced_by;
      }
      throw keyFault("replaced");
    }
  };

/**
 * Returns true if the scheduled work of an account may continue: it is not suspended, its current plan is `minPlan` or
 * above, and one of its keys is valid or a person signs in to it.
 */
export type EntitlementCheck = (account: string, minPlan: Plan) => Promise<boolean>;

/** The owner account always passes the check. */
export const createEntitlementCheck =
  ({ keyring, people, clock }: KeyDeps & { readonly people: Pick<People, "hasPerson"> }): EntitlementCheck =>
  async (account, minPlan) => {
    if (account === ownerPrincipal().account) return true;
    const record = await keyring.account(account);
    if (record === null || record.suspended_at !== null || PLAN_RANK[record.plan] < PLAN_RANK[minPlan])
      return false;
    const now = clock.now().toISOString();
    const hasKey = (await keyring.keys(account)).some((key) => isValid(stateOf(key, now)));
    return hasKey || people.hasPerson(account);
  };
