import { ToolError } from "../../kernel/errors.ts";

/** Codes of a row that refers to a row which does not exist, of SQLite and PostgreSQL. */
const MISSING_ROW: ReadonlySet<unknown> = new Set(["SQLITE_CONSTRAINT_FOREIGNKEY", "23503"]);

const TOKEN_ENDPOINT = /\/oauth2\/token$/;

/**
 * Answers a request during which better-auth met a row that was deleted meanwhile. An app that asks for tokens gets the
 * error of its protocol (RFC 6749, 5.2), as what it sent is valid no longer.
 * @throws CONFLICT for any other request, and the cause if it is another error
 */
export function libraryFault(cause: unknown, { url }: Request): Response {
  if (!MISSING_ROW.has((cause as { readonly code?: unknown } | null)?.code)) throw cause;
  if (TOKEN_ENDPOINT.test(new URL(url).pathname))
    return Response.json(
      { error: "invalid_grant", error_description: "The code or token was revoked meanwhile" },
      { status: 400 },
    );
  throw new ToolError("CONFLICT", "The account or the app was removed meanwhile", {
    hint: "Sign in again, or connect it again from the app.",
    cause,
  });
}
