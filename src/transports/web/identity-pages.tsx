import { ISSUER_PATH, SIGN_IN_PATH } from "../../access/sign-in/paths.ts";
import { ACCOUNT_PATH } from "../connect.ts";
import { ActionButton } from "./sign-in-actions.tsx";
import { SIGN_IN_API } from "./sign-in-change.ts";
import { type Frame, framedPage } from "./sign-in-frame.tsx";

export const CONNECT_IDENTITY = `${SIGN_IN_API}/connect-identity`;
/** Name of the change that disconnects an identity. */
export const DISCONNECT_IDENTITY = "disconnect-identity";

/** Why a sign-in by the external issuer failed, by the code of the error, and what to do next. */
const FAULTS: Readonly<Record<string, string>> = {
  signup_disabled:
    "No person of this server is connected to the identity that you signed in with. Sign in another way once, then connect it on the page of your sign-in and apps.",
  account_already_linked_to_different_user:
    "Another person of this server is connected to this identity. They disconnect it first.",
  session_ended: "Your session ended before you came back. Sign in again, then connect the identity.",
  state_mismatch: "This took too long, or began in another browser. Begin again.",
  access_denied: "The sign-in was refused there. Begin again if you did not mean to.",
};
const OTHER_FAULT =
  "The answer could not be verified. Begin again; if this persists, ask the owner of this server.";

/** Renders the page that says why a sign-in by the external issuer failed. */
export const identityFaultPage = (frame: Frame, name: string, error: string): string =>
  framedPage({
    frame,
    title: "not signed in",
    children: (
      <section class="card">
        <h1>Not signed in with {name}</h1>
        <p>{Object.hasOwn(FAULTS, error) ? FAULTS[error] : OTHER_FAULT}</p>
        <p>
          <a href={SIGN_IN_PATH}>Sign in</a> or see <a href={ACCOUNT_PATH}>your sign-in and apps</a>.
        </p>
      </section>
    ),
  });

/** The issuer on the page of sign-in. */
export const IssuerButton = ({ name }: { readonly name: string }) => (
  <button class="wide" type="button" data-go={ISSUER_PATH} data-asks>
    Sign in with {name}
  </button>
);

/** The identity of a person on the page of their sign-in and apps. */
export const IdentityPart = ({ name, connected }: { readonly name: string; readonly connected: boolean }) => (
  <>
    <h2>{name}</h2>
    {connected ? (
      <ul class="rows">
        <li>
          <p>Your identity at {name} is connected: you can sign in with it.</p>
          <ActionButton
            path={`${SIGN_IN_API}/${DISCONNECT_IDENTITY}`}
            body={{}}
            label="Disconnect"
            done="The identity is disconnected."
          />
        </li>
      </ul>
    ) : (
      <>
        <p>No identity is connected.</p>
        <button type="button" data-go={CONNECT_IDENTITY}>
          Connect {name}
        </button>
      </>
    )}
  </>
);
