import { createHmac, randomInt } from "node:crypto";
import { NAME_DOMAIN, type Person } from "../../domain/accounts/people.ts";
import type { SignInRecords, UnusedCodes } from "../../domain/accounts/sign-in-port.ts";
import type { Clock, Ids } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { BrowserSessions, IssuedToken } from "./browser-sessions.ts";
import type { LockOut } from "./lock-out.ts";

/** Codes of one person. */
export const RECOVERY_CODES = 10;
/** Letters and digits that are not mistaken for one another. @see https://www.crockford.com/base32.html */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
/** Characters of a code; each has 5 bits, so that a code has 80 and its hash needs no slow function. */
const LENGTH = 16;
const GROUP = /.{4}(?=.)/g;
const SHAPE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);

/** Single-use codes that sign a person in who lost their password and passkeys. */
export interface RecoveryCodes {
  /** Makes new codes for a person, in place of the earlier ones. Only their hashes are stored. */
  make(person: Person): Promise<readonly string[]>;
  unused(person: Person): Promise<UnusedCodes>;
  /**
   * Begins a session with a code, which is used up. Rejects with UNAUTHENTICATED for a code that is not valid, and with
   * RATE_LIMITED after too many failed attempts with a name.
   */
  signIn(
    name: string,
    code: string,
    userAgent: string | null,
  ): Promise<{ readonly session: IssuedToken; readonly person: Person }>;
}

/** Creates the recovery codes of an installation. `secret` keys their hashes. */
export function createRecoveryCodes({
  records,
  sessions,
  lockOut,
  secret,
  ids,
  clock,
}: {
  readonly records: Pick<SignInRecords, "replaceCodes" | "unusedCodes" | "useCode">;
  readonly sessions: Pick<BrowserSessions, "draft">;
  readonly lockOut: LockOut;
  readonly secret: () => Promise<string>;
  readonly ids: Ids;
  readonly clock: Clock;
}): RecoveryCodes {
  const hashOf = async (code: string) =>
    createHmac("sha256", await secret())
      .update(`recovery code ${code}`)
      .digest("base64url");
  return {
    async make({ id }) {
      const codes = Array.from({ length: RECOVERY_CODES }, newCode);
      const rows = await Promise.all(
        codes.map(async (code) => ({ id: ids.uuid(), hash: await hashOf(code) })),
      );
      await records.replaceCodes(id, rows, clock.now().toISOString());
      return codes.map((code) => code.replaceAll(GROUP, "$&-"));
    },
    unused: ({ id }) => records.unusedCodes(id),
    async signIn(name, given, userAgent) {
      const email = emailOf(name);
      const code = normalCode(given);
      const { session, issued } = await sessions.draft(userAgent);
      const use = async () => (SHAPE.test(code) ? records.useCode(email, await hashOf(code), session) : null);
      const person = await lockOut(email, use, (found) => found !== null);
      if (person !== null) return { session: issued, person };
      throw new ToolError("UNAUTHENTICATED", "The name or the recovery code is wrong, or the code was used", {
        hint: "Each code works once. Try another, or ask the owner for a new link.",
      });
    },
  };
}

const newCode = (): string =>
  Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");

/** Returns a code as it is hashed: without spaces and hyphens, and with the letters that are mistaken for digits. */
const normalCode = (code: string): string =>
  code.toLowerCase().replaceAll(/[\s-]/g, "").replaceAll("o", "0").replaceAll(/[il]/g, "1");

/** Returns the address of a sign-in name. */
function emailOf(name: string): string {
  const typed = name.trim().toLowerCase().slice(0, 320);
  return typed.includes("@") ? typed : `${typed}${NAME_DOMAIN}`;
}
