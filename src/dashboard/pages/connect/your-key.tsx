import { isOwner } from "../../api/rights.ts";
import { KeyMaker } from "../shared/key-maker.tsx";

/** Creates a key for a client, which the settings then contain; anybody but the owner must ask for one. */
export const YourKey = ({ onCreate }: { readonly onCreate: (secret: string) => void }) =>
  isOwner() ? (
    <>
      <KeyMaker suggested="assistant" onCreate={onCreate} />
      <p className="muted after">
        The settings on this page contain a key that is created here. Without one they read it from the
        variable <code>MARKET_SIGNAL_KEY</code>; the first start saved a key for that in{" "}
        <code>first-key.txt</code> in the data folder.
      </p>
    </>
  ) : (
    <>
      <p>
        The owner of this server creates keys: ask them for one. An app that opens the sign-in of this server
        needs none; <a href="/account">Sign-in and apps</a> shows the address for it.
      </p>
      <p className="muted after">
        The settings on this page read the key from the variable <code>MARKET_SIGNAL_KEY</code>.
      </p>
    </>
  );
