import { createHash, randomBytes } from "node:crypto";
import { OWNER_ACCOUNT, type Principal } from "../domain/accounts/access.ts";
import type { BrowserTokens } from "../domain/accounts/browser-port.ts";
import type { Clock } from "../domain/ports.ts";
import { ToolError } from "../kernel/errors.ts";
import type { PrincipalResolver } from "./principal-resolver.ts";

/** Lifetime of a session, and of an unused link. */
export const SESSION_MS = 12 * 3_600_000;
const LINK_MS = 30 * 60_000;
const SHAPE = /^[\w-]{43}$/;

export interface IssuedToken {
  readonly token: string;
  /** ISO 8601 UTC. */
  readonly expires_at: string;
}

/** Sessions of browsers, each begun by a link that works once. A session reads and writes as the owner, without trading. */
export interface BrowserSessions {
  /** Creates a link for the owner. */
  issueLink(): Promise<IssuedToken>;
  /** Begins a session. Rejects with UNAUTHENTICATED for a link that was used, has expired or never was one. */
  begin(link: string): Promise<IssuedToken>;
  /** Resolves the caller of a session as of now. Rejects with UNAUTHENTICATED once it has ended. */
  resolve(session: string): Promise<Principal>;
  end(session: string): Promise<void>;
}

/** Creates the sessions of an installation. */
export function createBrowserSessions({
  tokens,
  clock,
  resolvePrincipal,
}: {
  readonly tokens: BrowserTokens;
  readonly clock: Clock;
  readonly resolvePrincipal: PrincipalResolver;
}): BrowserSessions {
  const newToken = (ms: number) => {
    const token = randomBytes(32).toString("base64url");
    const now = clock.now().getTime();
    const times = { created_at: new Date(now).toISOString(), expires_at: new Date(now + ms).toISOString() };
    return { token, row: { hash: hashOf(token), ...times } };
  };
  return {
    async issueLink() {
      const { token, row } = newToken(LINK_MS);
      await tokens.addLink({ ...row, account: OWNER_ACCOUNT });
      return { token, expires_at: row.expires_at };
    },
    async begin(link) {
      const { token, row } = newToken(SESSION_MS);
      const isBegun = SHAPE.test(link) && (await tokens.exchange(hashOf(link), row, row.created_at));
      if (!isBegun)
        throw new ToolError("UNAUTHENTICATED", "This link was used before, has expired, or is not one", {
          hint: "The owner of the server makes a new link.",
          command: "market-signal open",
        });
      return { token, expires_at: row.expires_at };
    },
    async resolve(session) {
      const account = SHAPE.test(session)
        ? await tokens.session(hashOf(session), clock.now().toISOString())
        : null;
      if (account === null)
        throw new ToolError("UNAUTHENTICATED", "The session of this browser has ended", {
          hint: "A new link begins another.",
          command: "market-signal open",
        });
      return resolvePrincipal({ account, key: null, scopes: ["read", "write"] });
    },
    end: (session) => tokens.endSession(hashOf(session)),
  };
}

const hashOf = (token: string): string => createHash("sha256").update(token).digest("base64url");
