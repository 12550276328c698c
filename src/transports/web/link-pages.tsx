import { pageOf } from "./page.tsx";

/** Renders what a browser is told that opens a link which signs nobody in any more. */
export const spentLinkPage = (): string =>
  pageOf({
    title: "Market Signal: the link was used",
    style: "/home.css",
    children: (
      <main>
        <section class="panel">
          <h1>This link was used before, or is too old</h1>
          <p>
            A link that signs a browser in works once, within 30 minutes. On the machine of the server,{" "}
            <code>npx market-signal open</code> prints a new one. Invited people ask the owner for another
            link.
          </p>
          <p>
            A browser that is signed in needs none: <a href="/">open the dashboard</a>.
          </p>
        </section>
      </main>
    ),
  });

/** Renders the page of an invitation, whose button opens the link. */
export const invitedPage = (link: string): string =>
  pageOf({
    title: "Market Signal: invitation",
    style: "/home.css",
    children: (
      <main>
        <section class="panel">
          <h1>You are invited</h1>
          <p>
            The button signs this browser in. It works once: afterwards set a password or a passkey, to sign
            in again.
          </p>
          <form method="post" action={link}>
            <button type="submit">Sign in</button>
          </form>
        </section>
      </main>
    ),
  });
