import { MIN_PASSWORD, type SignInMethods } from "../../access/sign-in/sign-in.ts";
import type { ConnectedApp } from "../../domain/accounts/connected-apps.ts";
import type { Person } from "../../domain/accounts/people.ts";
import { plainText } from "../../lib/plain-text.ts";
import { IdentityPart } from "./identity-pages.tsx";
import type { PasskeyPlace } from "./page-address.ts";
import { Remove } from "./remove-button.tsx";
import { type Frame, framedPage, Status } from "./sign-in-frame.tsx";

const MAX_TEXT = 100;

interface AccountPage {
  readonly person: Person;
  readonly methods: SignInMethods;
  readonly apps: readonly ConnectedApp[];
  /** Sign-in name. */
  readonly name: string;
  readonly passkeys: PasskeyPlace;
  /** What the external issuer of identities is called; null: there is none. */
  readonly issuer: string | null;
  /** Address that apps connect to; null: apps may not sign in here. */
  readonly mcp: string | null;
}

/** Renders the page on which a person sets how they sign in, and disconnects apps. */
export const accountPage = (frame: Frame, page: AccountPage): string =>
  framedPage({
    frame,
    title: "sign-in and apps",
    script: "/sign-in.js",
    children: (
      <>
        <Status />
        <SignInCard {...page} />
        <AppsCard {...page} />
        <nav aria-label="Leave this page">
          <a href="/">Back to the dashboard</a>
          <form method="post" action="/sign-out">
            <button type="submit">Sign out</button>
          </form>
        </nav>
      </>
    ),
  });

const SignInCard = ({ person, methods, name, passkeys, issuer }: AccountPage) => (
  <section class="card">
    <h1>Sign-in</h1>
    <p>
      You are <b>{person.name}</b>, {person.role} of the account <code>{person.account}</code>. Sign-in name:{" "}
      <code>{name}</code>
    </p>
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
      <p>There is none.</p>
    ) : (
      <ul class="rows">
        {methods.passkeys.map((key) => (
          <li>
            <p>{passkeyName(key)}</p>
            <Remove
              path="/api/v1/sign-in/remove-passkey"
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
      <PasskeyAddress place={passkeys} />
    )}
    {issuer !== null && <IdentityPart name={issuer} connected={methods.identity} />}
  </section>
);

const AppsCard = ({ apps, mcp }: AccountPage) => (
  <section class="card">
    <h1>Connected apps</h1>
    {apps.length === 0 ? (
      <p>No app is connected.</p>
    ) : (
      <ul class="rows">
        {apps.map(({ client_id, name, uri, scopes, connected_at }) => (
          <li>
            <div>
              <p>
                <b>{plainText(name ?? client_id, MAX_TEXT)}</b>
              </p>
              {uri !== null && <p class="quiet">{plainText(uri, MAX_TEXT)} (as it states)</p>}
              <p class="quiet">
                {scopes.filter((scope) => scope !== "offline_access").join(", ")}, since{" "}
                {connected_at.slice(0, 10)}
              </p>
            </div>
            <Remove
              path="/api/v1/sign-in/disconnect"
              body={{ client_id }}
              label="Disconnect"
              done="The app is disconnected."
            />
          </li>
        ))}
      </ul>
    )}
    {mcp === null ? (
      <p class="quiet">
        Apps cannot sign in here: that is off. The owner switches it on by the setting <code>OAUTH=on</code>.
      </p>
    ) : (
      <>
        <p>Give an app that supports sign-in over MCP this address; it needs no key:</p>
        <code class="address">{mcp}</code>
      </>
    )}
  </section>
);

/** Says where passkeys work, on a page at whose address they do not. */
export const PasskeyAddress = ({ place }: { readonly place: Exclude<PasskeyPlace, { kind: "here" }> }) =>
  place.kind === "there" ? (
    <p class="quiet">
      Browsers keep passkeys for names only, not for addresses such as this one: open{" "}
      <a href={place.address}>{place.address.replace(/\?.*/s, "")}</a>.
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
