import type { Windows } from "../../domain/accounts/windows-port.ts";
import type { KeyedHash } from "../../domain/vault/secrets-port.ts";
import { ToolError } from "../../kernel/errors.ts";

/** Failed attempts after which a name must wait; `window` in seconds. */
const ATTEMPTS = { quota: 10, window: 900 } as const;
/** The wait, a window that starts with the first refused attempt. */
const LOCK = { quota: 1, window: 900 } as const;

/**
 * Makes an attempt to sign in with a name, by password or recovery code. Rejects with RATE_LIMITED after too many failed
 * ones, from any address. Every attempt counts until it has succeeded, so that attempts at the same time count too.
 */
export type LockOut = <T>(
  email: string,
  attempt: () => Promise<T>,
  isSuccess: (answer: T) => boolean,
) => Promise<T>;

/** Creates the lock-out of an installation, which counts the attempts in all its processes. */
export function createLockOut(windows: Windows, keyedHash: KeyedHash): LockOut {
  return async (email, attempt, isSuccess) => {
    const name = (await keyedHash(email)).toString("hex");
    const lock = await windows.usage("sign_in_lock", LOCK, name);
    if (lock.remaining === 0) throw lockedOut(lock.msLeft);
    if ((await windows.take("sign_in", ATTEMPTS, name)) !== null) {
      await windows.take("sign_in_lock", LOCK, name);
      throw lockedOut(LOCK.window * 1_000);
    }
    const answer = await attempt();
    if (isSuccess(answer)) {
      const { remaining } = await windows.usage("sign_in", ATTEMPTS, name);
      for (let count = remaining; count < ATTEMPTS.quota; count++)
        await windows.refund("sign_in", ATTEMPTS, name);
    }
    return answer;
  };
}

const lockedOut = (waitMs: number) =>
  new ToolError("RATE_LIMITED", "Too many failed sign-ins for this name", {
    hint: "Wait a quarter of an hour, sign in with a passkey, or ask the owner for a new link.",
    data: { retry_after: Math.ceil(waitMs / 1_000) },
  });
