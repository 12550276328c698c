import { ToolError } from "../../kernel/errors.ts";

/**
 * Returns the bearer key of an Authorization header, or null without the header. Throws UNAUTHENTICATED for any other
 * scheme or format.
 */
export function bearerOf(header: string | undefined): string | null {
  if (header === undefined) return null;
  const [, key] = /^bearer +([!-~]{1,4096})$/i.exec(header) ?? [];
  if (key !== undefined) return key;
  throw new ToolError("UNAUTHENTICATED", "The Authorization header is not a bearer key", {
    hint: "Send `Authorization: Bearer <key>`.",
  });
}
