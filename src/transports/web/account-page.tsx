import { SIGN_IN_PATH } from "../../access/sign-in/paths.ts";
import { MIN_PASSWORD, type SignInMethods } from "../../access/sign-in/sign-in.ts";
import type { ConnectedAppUse, UnlistedApp } from "../../domain/accounts/connected-apps.ts";
import { mayConfirm, type Person } from "../../domain/accounts/people.ts";
import type { StoredSession, UnusedCodes } from "../../domain/accounts/sign-in-port.ts";
import { CONFIRM_PATH } from "../../domain/trading/confirmation.ts";
import { plainText } from "../../lib/plain-text.ts";
import { ACCOUNT_PATH, MCP_PLAN, PEOPLE_PATH } from "../connect.ts";
import { AppRow } from "./app-limits.tsx";
import { browserText } from "./browser-text.ts";
import { IdentityPart } from "./identity-pages.tsx";
import type { PasskeyPlace } from "./page-address.ts";
import { ActionButton, Result, SignInAgain, Time, timeText } from "./sign-in-actions.tsx";
import { SIGN_IN_API } from "./sign-in-change.ts";
import { type Frame, framedPage, SCRIPT, Status } from "./sign-in-frame.tsx";

const MAX_TEXT = 100;

interface AccountPage {
  readonly person: Person;
  /** Whether the session began within the hour. */
  readonly isRecent: boolean;
  /** Whether the person has just used a recovery code. */
  readonly isRecovered: boolean;
  readonly methods: SignInMethods;
  readonly codes: UnusedCodes;
  readonly sessions: readonly StoredSession[];
  readonly apps: readonly ConnectedAppUse[];
  /** With an external issuer of tokens: apps that called lately and are not allowed here now. */
  readonly unlistedApps: readonly UnlistedApp[];
  /** True while apps have the tokens of an external issuer. */
  readonly hasTokenIssuer: boolean;
  /** Sign-in name. */
  readonly name: string;
  readonly passkeys: PasskeyPlace;
  /** Name of the external issuer of identities; null: there is none. */
  readonly issuerName: string | null;
  /** Address that apps connect to; null: apps may not sign in here. */
  readonly mcpUrl: string | null;
  /** Whether the plan of the account includes MCP. */
  readonly hasMcp: boolean;
}

/** Renders the page on which a person sets how they sign in, and disconnects apps. */
export const accountPage = (frame: Frame, page: AccountPage): string =>
  framedPage({
    frame,
    title: "sign-in and apps",
    script: SCRIPT,
    children: (
      <>
        <Status />
        <Result />
        <SignInCard {...page} />
        <SessionsCard {...page} />
        <AppsCard {...page} />
        <nav aria-label="Leave this page">
          <a href="/">Back to the dashboard</a>
          {mayConfirm(page.person) && <a href={CONFIRM_PATH}>Confirmations</a>}
          {page.person.role === "owner" && <a href={PEOPLE_PATH}>People</a>}
          <form method="post" action="/sign-out">
            <button type="submit">Sign out</button>
          </form>
        </nav>
      </>
    ),
  });

const SignInCard = ({ person, methods, codes, name, passkeys, issuerName, ...page }: AccountPage) => (
  <section class="card">
    <h1>Sign-in</h1>
    <p>
      You are <b>{person.name}</b>, {person.role} of the account <code>{person.account}</code>. Sign-in name:{" "}
      <code>{name}</code>
    </p>
    {!page.isRecent && <SignInAgain page={ACCOUNT_PATH} />}
    {page.isRecovered && (
      <p class="notice">
        You signed in with a recovery code, which is used up. Set a new password now, and remove passkeys that
        you no longer have.
      </p>
    )}
    {!methods.password && !methods.identity && methods.passkeys.length === 0 && (
      <p class="notice">
        Set a password or a passkey now, to sign in again: the link that signed you in works once, and this
        session ends within 12 hours.
      </p>
    )}
    <h2>Password</h2>
    <p>{methods.password ? "A password is set." : "No password is set."}</p>
    <form
      id="set-password"
      method="post"
      data-done={`The password is ${methods.password ? "changed" : "set"}. Your other sessions have ended.`}
    >
      <input type="text" name="username" value={name} autocomplete="username" hidden />
      <div class="field">
        <label for="password">New password</label>
        <input
          id="password"
          name="password"
          type="password"
          autocomplete="new-password"
          minlength={MIN_PASSWORD}
          aria-describedby="password-hint"
          required
        />
        <p class="hint" id="password-hint">
          At least {MIN_PASSWORD} characters. It ends your other sessions.
        </p>
      </div>
      <button class="primary" type="submit">
        {methods.password ? "Change the password" : "Set the password"}
      </button>
    </form>
    <h2>Passkeys</h2>
    {methods.passkeys.length === 0 ? (
      <p>No passkeys.</p>
    ) : (
      <ul class="rows">
        {methods.passkeys.map((key) => (
          <li>
            <p>{passkeyName(key)}</p>
            <ActionButton
              path={`${SIGN_IN_API}/remove-passkey`}
              body={{ id: key.id }}
              label="Remove"
              done="The passkey is removed."
            />
          </li>
        ))}
      </ul>
    )}
    {passkeys.kind === "here" ? (
      <button id="add-passkey" type="button">
        Add a passkey
      </button>
    ) : (
      <PasskeyAddress place={passkeys} signedIn={methods} />
    )}
    {issuerName !== null && <IdentityPart name={issuerName} connected={methods.identity} />}
    <h2>Recovery codes</h2>
    <p>
      {codes.made_at === null
        ? "No recovery codes. Each code signs you in once, when you have lost your password and passkeys."
        : `${codes.left} ${codes.left === 1 ? "is" : "are"} left of those made on ${codes.made_at.slice(0, 10)}. New ones replace them.`}
    </p>
    <ActionButton
      path={`${SIGN_IN_API}/recovery-codes`}
      body={{}}
      label={codes.made_at === null ? "Make recovery codes" : "Make new recovery codes"}
      {...(codes.made_at !== null && { confirm: "Ends the codes that are left. Make new ones?" })}
      done="Your recovery codes, shown only now. Write them down or store them apart from your password; each works once."
    />
  </section>
);

const SessionsCard = ({ sessions }: AccountPage) => (
  <section class="card">
    <h1>Sessions</h1>
    <ul class="rows">
      {sessions.map(({ id, began_at, seen_at, user_agent, current }) => (
        <li>
          <div>
            <p>
              <b>{browserText(user_agent)}</b> {current && <span class="badge new">this one</span>}
            </p>
            <p class="quiet">
              Began <Time at={began_at} />, last used <Time at={seen_at} />
            </p>
          </div>
          {!current && (
            <ActionButton
              path={`${SIGN_IN_API}/end-session`}
              body={{ id }}
              label="End"
              of={`${browserText(user_agent)}, began ${timeText(began_at)}`}
              done="The session has ended."
            />
          )}
        </li>
      ))}
    </ul>
    <p class="quiet">Browser names are what browsers report, not verified. Last use is recorded hourly.</p>
    {sessions.length > 1 && (
      <ActionButton
        path={`${SIGN_IN_API}/end-other-sessions`}
        body={{}}
        label="End all others"
        done="Your other sessions have ended."
      />
    )}
  </section>
);

/** Said where an app could be connected, to a person whose account lacks the plan. */
export const LACKS_MCP = `Apps connect over MCP, which needs the plan ${MCP_PLAN} or above. The owner of the server changes the plan of your account.`;

const AppsCard = ({ apps, unlistedApps, hasTokenIssuer, mcpUrl, hasMcp }: AccountPage) => (
  <section class="card">
    <h1>Connected apps</h1>
    {apps.length + unlistedApps.length === 0 ? (
      <p>No app is connected.</p>
    ) : (
      <ul class="rows">
        {apps.map((app, index) => (
          <AppRow app={app} index={index} />
        ))}
        {unlistedApps.map(({ client_id, last_used_on, calls_30_days }) => (
          <li>
            <div>
              <p>
                <b>{plainText(client_id, MAX_TEXT)}</b>
              </p>
              <p class="quiet">
                Last used {last_used_on}, calls in 30 days: {calls_30_days}. Not connected on this server: if
                it still calls, disconnect it at the external issuer.
              </p>
            </div>
          </li>
        ))}
      </ul>
    )}
    {apps.length > 0 && hasTokenIssuer && (
      <p class="quiet">Apps that you allowed here cannot act while an external issuer gives out tokens.</p>
    )}
    {mcpUrl === null ? (
      <p class="quiet">
        Sign-in for apps is off. The owner turns it on with <code>npx market-signal config set OAUTH on</code>{" "}
        and a restart of the server.
      </p>
    ) : !hasMcp ? (
      <p class="quiet">{LACKS_MCP}</p>
    ) : (
      <>
        <p>Give an app that supports sign-in over MCP this address; it needs no key:</p>
        <code class="address">{mcpUrl}</code>
      </>
    )}
  </section>
);

interface PasskeyAddressProps {
  readonly place: Exclude<PasskeyPlace, { kind: "here" }>;
  /** How the person of the page signs in; omitted on a page without a session. The session is valid at this address only. */
  readonly signedIn?: Pick<SignInMethods, "password">;
}

/** Says where passkeys work, on a page at whose address they do not. */
export const PasskeyAddress = ({ place, signedIn }: PasskeyAddressProps) =>
  place.kind === "there" ? (
    <p class="quiet">
      Passkeys work only at a host name, not at an IP address such as this one:{" "}
      {signedIn === undefined
        ? "open"
        : signedIn.password
          ? "sign in at"
          : "set a password first, then sign in at"}{" "}
      {signedIn === undefined ? (
        <a href={place.address}>{place.address.replace(/\?.*/s, "")}</a>
      ) : (
        <a href={`${new URL(SIGN_IN_PATH, place.address)}?next=${ACCOUNT_PATH}`}>
          {new URL(SIGN_IN_PATH, place.address).href}
        </a>
      )}
      .
    </p>
  ) : (
    <p class="quiet">
      Passkeys need a name with https: the owner of the server sets <code>PUBLIC_URL</code> to it.
    </p>
  );

/** Returns the name of a passkey. Its name is the day on which it was added, unless the person gave it another. */
const passkeyName = ({ name, created_at }: SignInMethods["passkeys"][number]): string => {
  const day = created_at.slice(0, 10);
  return name === null || /^\d{4}-\d\d-\d\d$/.test(name)
    ? `Passkey of ${day}`
    : `${plainText(name, MAX_TEXT)}, added ${day}`;
};
