import { SIGN_IN_PATH } from "../../access/sign-in/paths.ts";
import { ACCOUNT_PATH } from "../connect.ts";
import { pageOf } from "./page.tsx";

/** Why a sign-in by the external issuer failed, by the code of the error, and what to do next. */
const FAULTS: Readonly<Record<string, string>> = {
  signup_disabled:
    "Nobody here is connected to the identity that you signed in with. Sign in another way once, then connect it on the page of your sign-in and apps.",
  account_already_linked_to_different_user:
    "Another person of this server is connected to this identity. They disconnect it first.",
  session_ended: "Your session ended before you came back. Sign in again, then connect the identity.",
  state_mismatch: "This took too long, or began in another browser. Begin again.",
  access_denied: "The sign-in was refused there. Begin again if you did not mean to.",
};
const OTHER_FAULT =
  "The answer could not be verified. Begin again; if it stays so, ask the owner of this server.";

/** Renders the page that says why a sign-in by the external issuer failed. */
export const identityFaultPage = (name: string, error: string): string =>
  pageOf({
    title: "Market Signal: not signed in",
    style: "/home.css",
    children: (
      <main class="narrow">
        <section class="panel">
          <h1>Not signed in with {name}</h1>
          <p>{Object.hasOwn(FAULTS, error) ? FAULTS[error] : OTHER_FAULT}</p>
          <p>
            <a href={SIGN_IN_PATH}>Sign in</a> or see <a href={ACCOUNT_PATH}>your sign-in and apps</a>.
          </p>
        </section>
      </main>
    ),
  });
