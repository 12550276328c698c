import { Button } from "@mantine/core";

import { Snippet } from "../shared/snippet.tsx";

/** Lets the owner make a key for a client; it is shown once. */
export function YourKey({
  secret,
}: {
  readonly secret: string | null;
  readonly onCreate: (secret: string) => void;
}) {
  return (
    <>
      <p>
        The first start saved a key in <code>first-key.txt</code> in the data folder.
      </p>
      <Snippet text="export MARKET_SIGNAL_KEY=ms_live_..." what="line that sets the key" />
      <Button disabled>{secret}</Button>
    </>
  );
}
