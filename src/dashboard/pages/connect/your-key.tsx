import { KeyMaker } from "../shared/key-maker.tsx";

/** Creates a key for a client, which the settings then contain. */
export const YourKey = ({ onCreate }: { readonly onCreate: (secret: string) => void }) => (
  <>
    <KeyMaker suggested="assistant" onCreate={onCreate} />
    <p className="muted after">
      The settings on this page contain a key that is created here. Without one they read it from the variable{" "}
      <code>MARKET_SIGNAL_KEY</code>; the first start saved a key for that in <code>first-key.txt</code> in
      the data folder.
    </p>
  </>
);
