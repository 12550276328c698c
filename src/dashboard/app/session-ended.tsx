import { Card } from "@mantine/core";

/** Stands in place of the page once the session of this browser has ended. */
export const SessionEnded = () => (
  <Card withBorder maw={560} mx="auto" mt="xl" role="alert">
    <h1 className="page-title">This browser is signed out</h1>
    <p>
      A session lasts 12 hours, or until you sign out. Nothing is lost: your watchlists, levels and settings
      are on the server.
    </p>
    <p>Open a new link to sign in again. You find one</p>
    <ul>
      <li>in the terminal of the server,</li>
      <li>
        in <code>open-link.txt</code> in its data folder,
      </li>
      <li>
        with <code>npx market-signal open</code> on its machine.
      </li>
    </ul>
  </Card>
);
