import { RECOVERY_PATH } from "../../access/sign-in/paths.ts";
import type { Scope } from "../../domain/accounts/access.ts";
import type { AppLimits } from "../../domain/accounts/connected-apps.ts";
import type { Person } from "../../domain/accounts/people.ts";
import { plainText } from "../../lib/plain-text.ts";
import { LINK_PATH } from "../connect.ts";
import { LACKS_MCP, PasskeyAddress } from "./account-page.tsx";
import { ConsentLimits } from "./app-limits.tsx";
import { REQUEST_TOO_OLD } from "./consent.ts";
import { IssuerButton } from "./identity-pages.tsx";
import type { PasskeyPlace } from "./page-address.ts";
import { Row } from "./sign-in-actions.tsx";
import { type Frame, framedPage, SCRIPT, Status } from "./sign-in-frame.tsx";

const MAX_TEXT = 100;

/** What each scope allows, for a person. */
const MEANING: Readonly<Record<Scope | "offline_access", string>> = {
  read: "Read market data, signals, and the watchlists, alerts, positions and orders of this account",
  write:
    "Change watchlists, alerts, agents and saved levels of this account, and ask for changes of its limits and for broker accounts, which a person confirms",
  "trade:paper": "Place and cancel paper orders, without money",
  "trade:live": "Place and cancel orders at a connected broker, with money",
  admin: "Administrate this server: keys, accounts, limits",
  offline_access: "Stay connected until 90 days pass without use",
};

interface SignInPage {
  readonly domain: string;
  /** App that asks for access; null: none does. */
  readonly app: string | null;
  /** Code with which a request of an app was refused. */
  readonly refused: string | null;
  /** Page of this server that is shown afterwards. */
  readonly next: string;
  /** Query of the page, with `?`, if an app asks for access; else empty. */
  readonly query: string;
  readonly passkeys: PasskeyPlace;
  /** Name of the external issuer of identities; null: there is none. */
  readonly issuerName: string | null;
}

/** Renders the page that signs a person in. */
export const signInPage = (
  frame: Frame,
  { domain, app, refused, next, query, passkeys, issuerName }: SignInPage,
): string =>
  framedPage({
    frame,
    title: "sign in",
    script: SCRIPT,
    children: (
      <>
        <Status />
        <section class="card">
          <h1>Sign in</h1>
          {refused !== null && (
            <p class="notice">
              The request of the app is not valid ({refused}): connect it again from the app, or remove this
              server there and add it again.
            </p>
          )}
          {app !== null && (
            <p>
              An app that calls itself <b>{plainText(app, MAX_TEXT)}</b> asks for access. Sign in to see what
              it asks for.
            </p>
          )}
          <form id="password-form" method="post" data-domain={domain} data-next={next}>
            <div class="field">
              <label for="name">Name</label>
              <input
                id="name"
                name="name"
                autocomplete="username webauthn"
                autocapitalize="none"
                spellcheck={false}
                aria-describedby="name-hint"
                required
              />
              <p class="hint" id="name-hint">
                The name of your account; the owner's is <code>owner</code>.
              </p>
            </div>
            <div class="field">
              <label for="password">Password</label>
              <input id="password" name="password" type="password" autocomplete="current-password" required />
            </div>
            <button class="primary wide" type="submit">
              Sign in
            </button>
          </form>
          {(issuerName !== null || passkeys.kind === "here") && <p class="or">or</p>}
          {issuerName !== null && <IssuerButton name={issuerName} />}
          {passkeys.kind === "here" ? (
            <button id="passkey" class="wide" type="button">
              Sign in with a passkey
            </button>
          ) : (
            <div class="foot">
              <PasskeyAddress place={passkeys} />
            </div>
          )}
          <div class="foot quiet">
            <p>
              <b>Lost your password?</b> <a href={`${RECOVERY_PATH}${query}`}>Use a recovery code</a>.
            </p>
            <p>
              <b>Invited?</b> The link that you were sent signs you in the first time. If it was used or is
              too old, ask the person who invited you for a new one.
            </p>
            <p>
              <b>The owner</b> signs in the first time by the link that the server prints at its start (
              {LINK_PATH}/...); on its machine, <code>npx market-signal open</code> prints another one. Then
              set a password or a passkey.
            </p>
          </div>
        </section>
      </>
    ),
  });

interface Consent {
  readonly clientId: string;
  readonly name: string | null;
  readonly uri: string | null;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  /** Scopes that the person allowed the app before; null: none of them yet. */
  readonly allowed: readonly string[] | null;
  /** Limits that the app has; null: none yet. */
  readonly limits: AppLimits | null;
  readonly person: Person;
  /** Whether the request is too old to be answered. */
  readonly isExpired: boolean;
  /** Address at which to sign in again first; null: the session may allow the app. */
  readonly signInAgain: string | null;
  /** Whether the plan of the account includes MCP. */
  readonly hasMcp: boolean;
}

/** Renders the page that asks a person whether an app may act for them. */
export function consentPage(frame: Frame, consent: Consent): string {
  const { clientId, name, uri, redirectUri, allowed, person } = consent;
  const isNew = (scope: string) => allowed !== null && !allowed.includes(scope);
  const scopes = [...consent.scopes].sort((a, b) => Number(isNew(b)) - Number(isNew(a)));
  return framedPage({
    frame,
    title: "allow an app",
    script: SCRIPT,
    children: (
      <>
        <Status />
        <section class="card">
          <h1>{allowed === null ? "Allow this app?" : "Allow this app more?"}</h1>
          <p>
            It calls itself <b>{plainText(name ?? clientId, MAX_TEXT)}</b>. The name and the address are not
            verified.
          </p>
          <dl>
            {uri !== null && <Row name="Its address" value={plainText(uri, MAX_TEXT)} />}
            <Row name="You are sent back to" value={plainText(hostOf(redirectUri), MAX_TEXT)} />
            <Row name="Account" value={`${person.name} (${person.account})`} />
          </dl>
          <p>It asks to:</p>
          <ul class="scopes">
            {scopes.map((scope) => (
              <li>
                {isNew(scope) && (
                  <>
                    <span class="badge new">new</span>{" "}
                  </>
                )}
                {Object.hasOwn(MEANING, scope)
                  ? MEANING[scope as keyof typeof MEANING]
                  : plainText(scope, MAX_TEXT)}
              </li>
            ))}
          </ul>
          {consent.isExpired ? (
            <p class="notice">{REQUEST_TOO_OLD}</p>
          ) : (
            <>
              <ConsentLimits scopes={consent.scopes} allowed={allowed} limits={consent.limits} />
              {!consent.hasMcp && <p class="notice">{LACKS_MCP}</p>}
              {consent.signInAgain !== null && (
                <p class="notice">
                  Allowing this needs a session that began within the hour:{" "}
                  <a href={consent.signInAgain}>sign in again</a>.
                </p>
              )}
              <div class="choice">
                <button id="refuse" type="button">
                  Refuse
                </button>
                <button id="allow" class="primary" type="button">
                  Allow
                </button>
              </div>
            </>
          )}
          <p class="quiet">
            Calls of the app count towards the limits of your account too. You can change its limits and
            disconnect it at any time: <a href="/account">your sign-in and apps</a>.
          </p>
        </section>
      </>
    ),
  });
}

const hostOf = (uri: string): string => {
  try {
    const { host, protocol } = new URL(uri);
    return host === "" ? protocol : host;
  } catch {
    return uri;
  }
};
