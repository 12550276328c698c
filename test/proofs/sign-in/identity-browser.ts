import type { IssuerFault, TestIssuer } from "../../support/issuer.ts";
import type { Answer } from "../../support/oauth-app.ts";
import { refusedWith } from "./kinds.ts";
import type { SignedIn, SignInSite } from "./site.ts";

/** Where a browser begins a sign-in by the issuer, and where a person begins to connect an identity. */
export const BEGIN = "/sign-in/issuer";
export const CONNECT = "/api/v1/sign-in/connect-identity";
const NAVIGATION = { accept: "text/html", "sec-fetch-mode": "navigate" };

const pairsIn = (answer: Answer) => answer.cookies.map((cookie) => cookie.split(";")[0]!);
/** Returns a Cookie header. */
export const together = (...cookies: readonly string[]): string =>
  cookies.filter((cookie) => cookie !== "").join("; ");

/** A sign-in that a browser began: the address of the issuer, and the browser's cookies. */
export interface Begun {
  readonly url: string;
  readonly cookie: string;
}
/** Somebody who connected an identity. */
export interface Identified extends SignedIn {
  readonly subject: string;
}

/** Browsers that sign in to a server by its external issuer. */
export type IdentityBrowser = ReturnType<typeof identityBrowser>;

/** Creates the browsers of people with an identity. */
export function identityBrowser(site: SignInSite, issuer: TestIssuer) {
  /** Begins a sign-in, or with a session and CONNECT the connection of an identity. */
  async function begin(path = BEGIN, session = "", body: object = {}): Promise<Begun> {
    const answer = await site.post(path, session, body);
    if (answer.status !== 200) throw new Error(`${path} is answered with ${answer.status}: ${answer.body}`);
    return { url: JSON.parse(answer.body).url, cookie: together(session, ...pairsIn(answer)) };
  }
  /** Opens the address to which an issuer sends a browser back. */
  function sendBack(address: string, cookie: string): Promise<Answer> {
    const { pathname, search } = new URL(address);
    return site.send(`${pathname}${search}`, { ...NAVIGATION, ...(cookie !== "" && { cookie }) });
  }
  /** Ends a sign-in as a subject. */
  async function end({ url, cookie }: Begun, subject: string, fault: IssuerFault = {}): Promise<Answer> {
    return sendBack(await issuer.answer(url, { subject, fault }), cookie);
  }
  const signIn = async (subject: string, fault: IssuerFault = {}) => end(await begin(), subject, fault);
  const connect = async (subject: string, session: string) => end(await begin(CONNECT, session), subject);
  return {
    begin,
    sendBack,
    end,
    signIn,
    connect,
    /** Invites a person, who connects an identity. */
    async identified(account: string): Promise<Identified> {
      const person = await site.invited(account);
      const subject = `${account} at the issuer`;
      const { headers } = await connect(subject, person.cookie);
      if (headers.location !== "/account?connected")
        throw new Error(`an identity of ${account} is not connected: ${headers.location}`);
      return { ...person, subject };
    },
    /** Returns the account that an identity signs in to; null for none. */
    async accountOf(subject: string): Promise<string | null> {
      const session = pairsIn(await signIn(subject)).find((pair) => /^market_signal_session=./.test(pair));
      const { body } = await site.send("/account", { cookie: session ?? "" });
      return /of the account <code>(.*?)<\/code>/.exec(body)?.[1] ?? null;
    },
  };
}

/** Judges the answer to a browser that comes back: no session, and led to the page that says what is wrong. */
export function isRefused(answer: Answer): string | null {
  const wrong = refusedWith(answer, [302, 400, 404]);
  if (wrong !== null || answer.status !== 302) return wrong;
  const { location } = answer.headers;
  return /^\/sign-in\/issuer\?error=\w+(&error_description=\w+)?$/.test(location ?? "")
    ? null
    : `sent to ${location}`;
}
