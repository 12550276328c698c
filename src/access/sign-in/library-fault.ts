import { ToolError } from "../../kernel/errors.ts";

/** Codes of a row that refers to a row which does not exist, of SQLite and PostgreSQL. */
const MISSING_ROW: ReadonlySet<unknown> = new Set(["SQLITE_CONSTRAINT_FOREIGNKEY", "23503"]);

/**
 * Maps an error thrown by better-auth: returns CONFLICT if the person or the app was deleted meanwhile, else the cause.
 */
export const libraryFault = (cause: unknown): unknown =>
  MISSING_ROW.has((cause as { readonly code?: unknown } | null)?.code)
    ? new ToolError("CONFLICT", "The account or the app was removed meanwhile", {
        hint: "Sign in again, or connect it again from the app.",
        cause,
      })
    : cause;
