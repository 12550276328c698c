import type { Principal } from "../domain/accounts/access.ts";
import { ToolError } from "../kernel/errors.ts";
import type { Access } from "./access.ts";
import { anonymousPrincipal } from "./callers.ts";

export interface AuthenticatorOptions {
  readonly access: Pick<Access, "identify">;
  /** Counts a wrong key against the address; rejects with RATE_LIMITED where there were too many. */
  readonly wrongKeys: (address: string) => Promise<void>;
}

/** Who stands at a network door: the key's holder, or an open caller where no key was shown. A wrong key is refused and counted. */
export const createAuthenticator =
  ({ access, wrongKeys }: AuthenticatorOptions) =>
  async (key: string | null, address: string): Promise<Principal> => {
    if (key === null) return anonymousPrincipal(address);
    try {
      return await access.identify(key);
    } catch (refusal) {
      if (refusal instanceof ToolError && refusal.code === "UNAUTHENTICATED") await wrongKeys(address);
      throw refusal;
    }
  };
