import { createHash, randomBytes } from "node:crypto";
import { OWNER_ACCOUNT, type Principal } from "../../domain/accounts/access.ts";
import { type Invited, type Person, ROLE_SCOPES, SESSION_SCOPES } from "../../domain/accounts/people.ts";
import type { People, SignedIn } from "../../domain/accounts/people-port.ts";
import type { Clock, Ids } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { PrincipalResolver } from "../principal-resolver.ts";
import { signedToken, tokenOf } from "./session-cookie.ts";

/** Lifetime of a session that began with a link. */
export const LINK_SESSION_MS = 12 * 3_600_000;
/** Lifetime of an unused link. */
const LINK_MS = 30 * 60_000;
/** Age of a session up to which a person may change how they sign in. */
const RECENT_MS = 3_600_000;
const SHAPE = /^[\w-]{43}$/;
const OWNER: Invited = { account: OWNER_ACCOUNT, name: "Owner", role: "owner" };

export interface IssuedToken {
  readonly token: string;
  /** ISO 8601 UTC. */
  readonly expires_at: string;
}

/** Sessions of browsers. A session reads and writes as its person, without trading. */
export interface BrowserSessions {
  /** Creates a link that signs a person in once. Default: the owner. */
  issueLink(invited?: Invited): Promise<IssuedToken>;
  /**
   * Begins the session of a link's person; `token` is the value of its cookie. Rejects with UNAUTHENTICATED for a link that
   * was used, has expired or never was one.
   */
  begin(link: string): Promise<IssuedToken>;
  /** Returns the person of a cookie. Rejects with UNAUTHENTICATED once the session has ended. */
  person(cookie: string): Promise<Person>;
  /** Like `person`, but rejects with UNAUTHENTICATED for a session that began more than an hour ago. */
  recentPerson(cookie: string): Promise<Person>;
  /** Resolves the caller of a cookie as of now. Rejects with UNAUTHENTICATED once the session has ended. */
  resolve(cookie: string): Promise<Principal>;
  /** Ends the session of a cookie. */
  end(cookie: string): Promise<void>;
  /** Ends the other sessions of the person of a cookie. */
  endOthers(cookie: string): Promise<void>;
}

/** Creates the sessions of an installation. `secret` signs the cookies. */
export function createBrowserSessions({
  people,
  clock,
  ids,
  secret,
  resolvePrincipal,
}: {
  readonly people: People;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly secret: () => string;
  readonly resolvePrincipal: PrincipalResolver;
}): BrowserSessions {
  const newToken = (ms: number) => {
    const token = randomBytes(32).toString("base64url");
    const now = clock.now().getTime();
    const [created_at, expires_at] = [now, now + ms].map((time) => new Date(time).toISOString());
    return { token, created_at: created_at!, expires_at: expires_at! };
  };
  async function personOf(cookie: string): Promise<SignedIn> {
    const token = tokenOf(cookie, secret());
    const person = token === null ? null : await people.session(token, clock.now().toISOString());
    if (person !== null) return person;
    throw new ToolError("UNAUTHENTICATED", "The session of this browser has ended", {
      hint: "Sign in again with a password or a passkey, or ask the owner for a new link.",
    });
  }
  return {
    async issueLink({ account, name, role } = OWNER) {
      const { token, ...times } = newToken(LINK_MS);
      await people.addLink({ hash: hashOf(token), account, name, role, ...times });
      return { token, expires_at: times.expires_at };
    },
    async begin(link) {
      const { token, created_at, expires_at } = newToken(LINK_SESSION_MS);
      const session = { id: ids.uuid(), token, createdAt: created_at, expiresAt: expires_at };
      if (!SHAPE.test(link) || !(await people.useLink(hashOf(link), session, ids.uuid())))
        throw new ToolError("UNAUTHENTICATED", "This link was used before, has expired, or is not one", {
          hint: "The owner prints a link for themselves or another person.",
          command: "market-signal open",
        });
      return { token: signedToken(token, secret()), expires_at };
    },
    person: personOf,
    async recentPerson(cookie) {
      const person = await personOf(cookie);
      if (clock.now().getTime() - Date.parse(person.since) <= RECENT_MS) return person;
      throw new ToolError("UNAUTHENTICATED", "This session began more than an hour ago", {
        hint: "Sign in again, then change how you sign in.",
      });
    },
    async resolve(cookie) {
      const { account, role } = await personOf(cookie);
      const scopes = SESSION_SCOPES.filter((scope) => ROLE_SCOPES[role].includes(scope));
      return resolvePrincipal({ account, key: null, scopes });
    },
    async end(cookie) {
      const token = tokenOf(cookie, secret());
      if (token !== null) await people.endSession(token);
    },
    async endOthers(cookie) {
      const token = tokenOf(cookie, secret());
      if (token !== null) await people.endOtherSessions(token);
    },
  };
}

const hashOf = (token: string): string => createHash("sha256").update(token).digest("base64url");
