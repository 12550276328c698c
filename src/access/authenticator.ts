import type { Principal } from "../domain/accounts/access.ts";
import { ToolError } from "../kernel/errors.ts";
import type { Access } from "./access.ts";
import { anonymousPrincipal } from "./callers.ts";

export interface AuthenticatorOptions {
  readonly access: Pick<Access, "identify">;
  /** Counts an invalid key of this address. Rejects with RATE_LIMITED after too many. */
  readonly countInvalidKey: (address: string) => Promise<void>;
}

/** Resolves a network caller: the principal of its key, or an anonymous one without a key. Rejects and counts an invalid key. */
export const createAuthenticator =
  ({ access, countInvalidKey }: AuthenticatorOptions) =>
  async (key: string | null, address: string): Promise<Principal> => {
    if (key === null) return anonymousPrincipal(address);
    try {
      return await access.identify(key);
    } catch (refusal) {
      if (refusal instanceof ToolError && refusal.code === "UNAUTHENTICATED") await countInvalidKey(address);
      throw refusal;
    }
  };
