import { Card } from "@mantine/core";

/** Stands in place of the page once the session of this browser has ended. */
export const SessionEnded = () => (
  <Card withBorder maw={560} mx="auto" mt="xl" role="alert">
    <h1 className="page-title">This browser is signed out</h1>
    <p>
      A session lasts 12 hours, or until you sign out. Nothing is lost: your watchlists, levels and settings
      are on the server.
    </p>
    <p>
      To sign in again, open the link that <code>npx market-signal open</code> prints on the machine of the
      server.
    </p>
  </Card>
);
