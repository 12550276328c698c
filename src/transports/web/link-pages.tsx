import { SIGN_IN_PATH } from "../../access/sign-in/paths.ts";
import { type Frame, framedPage } from "./sign-in-frame.tsx";

/** Renders the page of a link that was used or has expired. */
export const spentLinkPage = (frame: Frame): string =>
  framedPage({
    frame,
    title: "the link was used",
    children: (
      <section class="card">
        <h1>This link was used before, or is too old</h1>
        <p>
          A link that signs a browser in works once, within 30 minutes. On the machine of the server,{" "}
          <code>npx market-signal open</code> prints a new one.
        </p>
        <p>
          A browser that is signed in needs none: <a href="/">open the dashboard</a>.
        </p>
      </section>
    ),
  });

/** Renders the page of an invitation that was used or has expired. */
export const spentInvitationPage = (frame: Frame): string =>
  framedPage({
    frame,
    title: "the invitation was used",
    children: (
      <section class="card">
        <h1>This invitation was used before, or is too old</h1>
        <p>An invitation works once, within 30 minutes. Ask the person who invited you for a new link.</p>
        <p>
          Have you set a password or a passkey? Then <a href={SIGN_IN_PATH}>sign in</a> with it.
        </p>
      </section>
    ),
  });

/** Renders the page of an invitation, whose button opens the link. */
export const invitedPage = (frame: Frame, link: string): string =>
  framedPage({
    frame,
    title: "invitation",
    children: (
      <section class="card">
        <h1>You are invited</h1>
        <p>
          The button signs this browser in. It works once: afterwards set a password or a passkey, to sign in
          again.
        </p>
        <form method="post" action={link}>
          <button class="primary wide" type="submit">
            Sign in
          </button>
        </form>
      </section>
    ),
  });
