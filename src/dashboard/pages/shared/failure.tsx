import { Alert } from "@mantine/core";
import { MarketSignalError } from "../../api/client.ts";
import { CodeText } from "../../views/code-text.tsx";

const TITLES: Readonly<Record<string, string>> = {
  UNREACHABLE: "The server does not answer",
  UNAUTHENTICATED: "This browser is not signed in",
  FORBIDDEN: "This is not allowed here",
  RATE_LIMITED: "Too many calls",
};

/** Says what went wrong, and what to do next. */
export function Failure({ error }: { readonly error: Error }) {
  const { code, hint } =
    error instanceof MarketSignalError ? error : { code: "INTERNAL", hint: "Load the page again." };
  return (
    <Alert color="red" role="alert" title={TITLES[code] ?? "The request failed"}>
      <CodeText text={error.message} />
      {hint !== null && (
        <p>
          <CodeText text={hint} />
        </p>
      )}
    </Alert>
  );
}
