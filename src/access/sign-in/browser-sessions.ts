import { createHash, randomBytes } from "node:crypto";
import { OWNER_ACCOUNT, type Principal } from "../../domain/accounts/access.ts";
import {
  type Invited,
  type Person,
  RECENT_SIGN_IN,
  ROLE_SCOPES,
  SESSION_SCOPES,
} from "../../domain/accounts/people.ts";
import type { NewSession, People, SignedIn } from "../../domain/accounts/people-port.ts";
import type { SignInRecords, StoredSession } from "../../domain/accounts/sign-in-port.ts";
import type { Clock, Ids } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { PrincipalResolver } from "../principal-resolver.ts";
import { RECENT_SECONDS, SIGN_IN_PATH } from "./paths.ts";
import { signedToken, tokenOf } from "./session-cookie.ts";

/** Lifetime of a session that began with a link. */
export const LINK_SESSION_MS = 12 * 3_600_000;
/** Lifetime of an unused link. */
const LINK_MS = 30 * 60_000;
/** Time after which a use of a session is recorded again. */
const SEEN_MS = 3_600_000;
const MAX_USER_AGENT = 300;
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
   * was used, has expired or never was one. `userAgent`: what the browser calls itself.
   */
  begin(link: string, userAgent?: string | null): Promise<IssuedToken>;
  /** Returns true for a link that `begin` would use now. */
  isUsable(link: string): Promise<boolean>;
  /** Returns a new session that is not stored yet, and the value of its cookie. */
  draft(userAgent: string | null): Promise<{ readonly session: NewSession; readonly issued: IssuedToken }>;
  /** Returns the person of a cookie. Rejects with UNAUTHENTICATED once the session has ended. */
  person(cookie: string): Promise<SignedIn>;
  /**
   * Like `person`, but rejects with FORBIDDEN and the reason RECENT_SIGN_IN for a session that began more than an hour
   * ago: a page then offers to sign in again.
   */
  recentPerson(cookie: string): Promise<Person>;
  /** Resolves the caller of a cookie as of now. Rejects with UNAUTHENTICATED once the session has ended. */
  resolve(cookie: string): Promise<Principal>;
  /** Returns the sessions of the person of a cookie, newest first. */
  list(cookie: string): Promise<readonly StoredSession[]>;
  /** Ends a session of the person of a cookie. Rejects with NOT_FOUND if they have none with this id. */
  endOne(cookie: string, id: string): Promise<void>;
  /** Ends the session of a cookie. */
  end(cookie: string): Promise<void>;
  /** Ends the other sessions of the person of a cookie. */
  endOthers(cookie: string): Promise<void>;
}

/** Creates the sessions of an installation. `secret` signs the cookies. */
export function createBrowserSessions({
  people,
  records,
  clock,
  ids,
  secret,
  resolvePrincipal,
}: {
  readonly people: People;
  readonly records: Pick<SignInRecords, "sessions" | "endSession" | "useSession">;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly secret: () => Promise<string>;
  readonly resolvePrincipal: PrincipalResolver;
}): BrowserSessions {
  const newToken = (ms: number) => {
    const token = randomBytes(32).toString("base64url");
    const now = clock.now().getTime();
    const [created_at, expires_at] = [now, now + ms].map((time) => new Date(time).toISOString());
    return { token, created_at: created_at!, expires_at: expires_at! };
  };
  async function draft(userAgent: string | null) {
    const { token, created_at: createdAt, expires_at: expiresAt } = newToken(LINK_SESSION_MS);
    const described = userAgent?.slice(0, MAX_USER_AGENT) ?? null;
    const session = { id: ids.uuid(), token, createdAt, expiresAt, userAgent: described };
    return { session, issued: { token: signedToken(token, await secret()), expires_at: expiresAt } };
  }
  async function personOf(cookie: string): Promise<SignedIn> {
    const token = tokenOf(cookie, await secret());
    const now = clock.now();
    const person = token === null ? null : await people.session(token, now.toISOString());
    if (token !== null && person !== null) {
      if (now.getTime() - Date.parse(person.seen_at) > SEEN_MS)
        await records.useSession(token, now.toISOString());
      return person;
    }
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
    isUsable: async (link) => SHAPE.test(link) && people.hasLink(hashOf(link), clock.now().toISOString()),
    async begin(link, userAgent = null) {
      const { session, issued } = await draft(userAgent);
      if (!SHAPE.test(link) || !(await people.useLink(hashOf(link), session, ids.uuid())))
        throw new ToolError(
          "UNAUTHENTICATED",
          "This link was used before, has expired, or its account is suspended",
          {
            hint: "The owner prints a link for themselves or another person.",
            command: "market-signal open",
          },
        );
      return issued;
    },
    draft,
    person: personOf,
    async recentPerson(cookie) {
      const person = await personOf(cookie);
      if (clock.now().getTime() - Date.parse(person.since) <= RECENT_SECONDS * 1_000) return person;
      throw new ToolError("FORBIDDEN", "This session began more than an hour ago", {
        hint: `Sign in again at ${SIGN_IN_PATH}, then repeat the change.`,
        data: { reason: RECENT_SIGN_IN },
      });
    },
    async resolve(cookie) {
      const { account, role } = await personOf(cookie);
      const scopes = SESSION_SCOPES.filter((scope) => ROLE_SCOPES[role].includes(scope));
      return resolvePrincipal({ account, key: null, scopes });
    },
    async list(cookie) {
      const { id } = await personOf(cookie);
      return records.sessions(id, tokenOf(cookie, await secret()) ?? "", clock.now().toISOString());
    },
    async endOne(cookie, id) {
      const person = await personOf(cookie);
      if (!(await records.endSession(person.id, id)))
        throw new ToolError("NOT_FOUND", "This session has ended already", { hint: "Load the page again." });
    },
    async end(cookie) {
      const token = tokenOf(cookie, await secret());
      if (token !== null) await people.endSession(token);
    },
    async endOthers(cookie) {
      const token = tokenOf(cookie, await secret());
      if (token !== null) await people.endOtherSessions(token);
    },
  };
}

const hashOf = (token: string): string => createHash("sha256").update(token).digest("base64url");
