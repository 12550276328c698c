import { KeyMaker } from "../shared/key-maker.tsx";

/** Lets the owner make a key for a client; it is then in the settings beside. */
export const YourKey = ({ onCreate }: { readonly onCreate: (secret: string) => void }) => (
  <>
    <KeyMaker suggested="assistant" onCreate={onCreate} />
    <p className="muted after">
      A key made here goes into the settings on this page. Without one they name the variable{" "}
      <code>MARKET_SIGNAL_KEY</code>; the first start saved a key for it in <code>first-key.txt</code> in the
      data folder.
    </p>
  </>
);
