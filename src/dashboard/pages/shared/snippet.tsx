import { Button } from "@mantine/core";
import { useState } from "react";

/** Time for which a button says that it has copied. */
const COPIED_MS = 2_000;

/** A text to paste elsewhere, with a button that copies it. */
export function Snippet({
  text,
  what,
}: {
  readonly text: string;
  /** Name of the text for the button, such as "settings of Cursor". */
  readonly what: string;
}) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(setCopied, COPIED_MS, false);
  };
  return (
    <div className="snippet">
      <pre>
        <code>{text}</code>
      </pre>
      <Button size="compact-xs" variant="default" onClick={copy} aria-label={`Copy the ${what}`}>
        {isCopied ? "✓ Copied" : "Copy"}
      </Button>
    </div>
  );
}
