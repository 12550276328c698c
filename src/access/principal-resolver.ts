import type { Principal, Scope } from "../domain/accounts/access.ts";
import type { KeyRecord, Keyring } from "../domain/accounts/keyring-port.ts";
import type { Clock } from "../domain/ports.ts";
import { ToolError } from "../kernel/errors.ts";
import { ownerPrincipal } from "./callers.ts";
import { keyFault, stateOf } from "./keys/key-state.ts";

/** On whose word something goes on while nobody calls: an account, the key that began it, and what that key might do. */
export interface Delegation {
  readonly account: string;
  /** null: whoever runs commands on this machine. */
  readonly key: string | null;
  readonly scopes: readonly Scope[];
}

/** The caller that a mandate stands for now. Rejects with UNAUTHENTICATED where its key is good no more. */
export type PrincipalResolver = (mandate: Delegation) => Promise<Principal>;

/** Keys that took over one from another are followed so far. */
const MAX_ROTATIONS = 100;

/**
 * Reads accounts and keys as they are now: the plan is that of today, the scopes are those of the beginning. A key that
 * was rotated stands as long as the one that took over from it.
 */
export const createPrincipalResolver =
  ({
    keyring,
    clock,
  }: {
    readonly keyring: Pick<Keyring, "account" | "key">;
    readonly clock: Clock;
  }): PrincipalResolver =>
  async ({ account, key, scopes }) => {
    if (key !== null) await good(account, key);
    const owner = ownerPrincipal();
    const record = account === owner.account ? null : await keyring.account(account);
    const plan = record?.plan ?? (account === owner.account ? owner.plan : null);
    if (plan === null) throw new ToolError("UNAUTHENTICATED", "The account is not known here any more");
    return {
      account,
      plan,
      scopes,
      ...(record !== null && record.terms !== null && { terms: record.terms }),
      ...(key !== null && { keyId: key }),
    };

    async function good(holder: string, first: string): Promise<void> {
      let id: string | null = first;
      for (let turn = 0; id !== null && turn < MAX_ROTATIONS; turn++) {
        const found: KeyRecord | null = await keyring.key(holder, id);
        if (found === null) throw keyFault("unknown");
        const state = stateOf(found, clock.now().toISOString());
        if (state === "active" || state === "grace") return;
        if (state !== "replaced") throw keyFault(state);
        id = found.replaced_by;
      }
      throw keyFault("replaced");
    }
  };
