import { Alert } from "@mantine/core";
import { RECENT_SIGN_IN } from "../../../domain/accounts/people.ts";
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
  if (error instanceof MarketSignalError && error.data.reason === RECENT_SIGN_IN)
    return (
      <Alert color="yellow" role="alert" title="Sign in again">
        This session began more than an hour ago.{" "}
        <a href={`/sign-in?next=${encodeURIComponent(location.pathname)}`}>Sign in again</a> to come back here
        and repeat it.
      </Alert>
    );
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
