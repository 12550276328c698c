import type { Principal } from "../domain/accounts/access.ts";
import { ToolError } from "../kernel/errors.ts";
import type { Access } from "./access.ts";
import { openCaller } from "./callers.ts";

export interface DoorkeeperOptions {
  readonly access: Pick<Access, "identify">;
  /** Counts a wrong key against the address; rejects with RATE_LIMITED where there were too many. */
  readonly wrongKeys: (address: string) => Promise<void>;
}

/** Who stands at a network door: the key's holder, or an open caller where no key was shown. A wrong key is refused and counted. */
export const doorkeeper =
  ({ access, wrongKeys }: DoorkeeperOptions) =>
  async (key: string | null, address: string): Promise<Principal> => {
    if (key === null) return openCaller(address);
    try {
      return await access.identify(key);
    } catch (refusal) {
      if (refusal instanceof ToolError && refusal.code === "UNAUTHENTICATED") await wrongKeys(address);
      throw refusal;
    }
  };
