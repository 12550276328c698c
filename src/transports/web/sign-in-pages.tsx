import { MIN_PASSWORD, type SignInMethods } from "../../access/sign-in/sign-in.ts";
import type { Scope } from "../../domain/accounts/access.ts";
import type { ConnectedApp, Person } from "../../domain/accounts/people.ts";
import { plainText } from "../../lib/plain-text.ts";
import { LINK_PATH } from "../connect.ts";
import { pageOf } from "./page.tsx";

const STYLE = "/home.css";
const SCRIPT = "/sign-in.js";
const MAX_TEXT = 100;

/** What each scope allows, for a person. */
const MEANING: Readonly<Record<Scope | "offline_access", string>> = {
  read: "Read market data, signals, and the watchlists, alerts, positions and orders of this account",
  write: "Change watchlists, alerts, agents and saved levels of this account",
  "trade:paper": "Place and cancel paper orders, without money",
  "trade:live": "Place and cancel orders at a connected broker, with money",
  admin: "Administrate this server: keys, accounts, limits",
  offline_access: "Stay connected for up to 90 days",
};

const Status = () => <p id="status" role="status"></p>;

/** Renders the page that signs a person in; `app` asks for access if it is given. */
export const signInPage = ({
  domain,
  app,
  refused,
}: {
  readonly domain: string;
  readonly app: string | null;
  /** Code with which a request of an app was refused. */
  readonly refused: string | null;
}): string =>
  pageOf({
    title: "Market Signal: sign in",
    style: STYLE,
    script: SCRIPT,
    children: (
      <main class="narrow">
        <section class="panel">
          <h1>Sign in</h1>
          {refused !== null && (
            <p class="sample">
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
          <form id="password-form" method="post" data-domain={domain}>
            <p>
              <label>
                Name
                <input name="name" autocomplete="username webauthn" required />
              </label>
            </p>
            <p>
              <label>
                Password
                <input name="password" type="password" autocomplete="current-password" required />
              </label>
            </p>
            <button type="submit">Sign in</button>
          </form>
          <p>
            <button id="passkey" type="button">
              Sign in with a passkey
            </button>
          </p>
          <Status />
          <p class="quiet">
            The owner of this server signs in the first time by the link that it prints at its start (
            {LINK_PATH}/...); on its machine, <code>npx market-signal open</code> prints another one. Then set
            a password or a passkey.
          </p>
        </section>
      </main>
    ),
  });

interface Consent {
  readonly clientId: string;
  readonly name: string | null;
  readonly uri: string | null;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly person: Person;
}

/** Renders the page that asks a person whether an app may act for them. */
export const consentPage = ({ clientId, name, uri, redirectUri, scopes, person }: Consent): string =>
  pageOf({
    title: "Market Signal: allow an app",
    style: STYLE,
    script: SCRIPT,
    children: (
      <main class="narrow">
        <section class="panel">
          <h1>Allow this app?</h1>
          <p>
            It calls itself <b>{plainText(name ?? clientId, MAX_TEXT)}</b>. The name and the address are not
            verified.
          </p>
          <dl>
            {uri !== null && <Row name="Its address" value={plainText(uri, MAX_TEXT)} />}
            <Row name="You are sent to" value={plainText(hostOf(redirectUri), MAX_TEXT)} />
            <Row name="Account" value={`${person.name} (${person.account})`} />
          </dl>
          <p>It asks to:</p>
          <ul>
            {scopes.map((scope) => (
              <li>
                {Object.hasOwn(MEANING, scope)
                  ? MEANING[scope as keyof typeof MEANING]
                  : plainText(scope, MAX_TEXT)}
              </li>
            ))}
          </ul>
          <p>
            <button id="allow" type="button">
              Allow
            </button>{" "}
            <button id="refuse" type="button">
              Refuse
            </button>
          </p>
          <Status />
          <p class="quiet">
            Calls of the app count towards the limits of your account. You can disconnect it at any time:{" "}
            <a href="/account">your sign-in and apps</a>.
          </p>
        </section>
      </main>
    ),
  });

interface AccountPage {
  readonly person: Person;
  readonly methods: SignInMethods;
  readonly apps: readonly ConnectedApp[];
  /** Sign-in name. */
  readonly name: string;
  /** Null: passkeys work at this address; else the address at which they do. */
  readonly passkeysAt: string | null;
}

/** Renders the page on which a person sets how they sign in, and disconnects apps. */
export const accountPage = ({ person, methods, apps, name, passkeysAt }: AccountPage): string =>
  pageOf({
    title: "Market Signal: sign-in and apps",
    style: STYLE,
    script: SCRIPT,
    children: (
      <main class="narrow">
        <section class="panel">
          <h1>Sign-in</h1>
          <p>
            You are <b>{person.name}</b>, {person.role} of the account <code>{person.account}</code>. Sign-in
            name: <code>{name}</code>
          </p>
          <Status />
          <h2>Password</h2>
          <p>{methods.password ? "A password is set." : "No password is set."}</p>
          <form id="set-password" method="post">
            <p>
              <label>
                New password, at least {MIN_PASSWORD} characters
                <input
                  name="password"
                  type="password"
                  autocomplete="new-password"
                  minlength={MIN_PASSWORD}
                  required
                />
              </label>
            </p>
            <button type="submit">{methods.password ? "Change the password" : "Set the password"}</button>
          </form>
          <h2>Passkeys</h2>
          {methods.passkeys.length === 0 ? (
            <p>There is none.</p>
          ) : (
            <ul>
              {methods.passkeys.map(({ id, name, created_at }) => (
                <li>
                  {plainText(name ?? "Passkey", MAX_TEXT)}, added {created_at.slice(0, 10)}{" "}
                  <Remove path="/api/v1/sign-in/remove-passkey" body={{ id }} label="Remove" />
                </li>
              ))}
            </ul>
          )}
          {passkeysAt === null ? (
            <button id="add-passkey" type="button">
              Add a passkey
            </button>
          ) : (
            <p class="quiet">
              Browsers keep passkeys for names only, not for addresses such as this one: open{" "}
              <a href={passkeysAt}>{passkeysAt}</a>.
            </p>
          )}
        </section>
        <section class="panel">
          <h1>Connected apps</h1>
          {apps.length === 0 ? (
            <p>
              No app is connected. An app that supports sign-in over MCP needs only the address of this
              server.
            </p>
          ) : (
            <ul>
              {apps.map(({ client_id, name, scopes, connected_at }) => (
                <li>
                  <b>{plainText(name ?? client_id, MAX_TEXT)}</b>, since {connected_at.slice(0, 10)}:{" "}
                  {scopes.filter((scope) => scope !== "offline_access").join(", ")}{" "}
                  <Remove path="/api/v1/sign-in/disconnect" body={{ client_id }} label="Disconnect" />
                </li>
              ))}
            </ul>
          )}
          <p>
            <a href="/">Back to the dashboard</a>
          </p>
        </section>
      </main>
    ),
  });

const Row = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);

const Remove = ({
  path,
  body,
  label,
}: {
  readonly path: string;
  readonly body: object;
  readonly label: string;
}) => (
  <button type="button" data-remove={path} data-body={JSON.stringify(body)}>
    {label}
  </button>
);

const hostOf = (uri: string): string => {
  try {
    const { host, protocol } = new URL(uri);
    return host === "" ? protocol : host;
  } catch {
    return uri;
  }
};
