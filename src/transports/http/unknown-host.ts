import { ToolError } from "../../kernel/errors.ts";
import { plainText } from "../../lib/plain-text.ts";

/** Returns the refusal of a request whose Host header names another server. */
export const unknownHost = (host: string): ToolError =>
  new ToolError("FORBIDDEN", `The host name "${plainText(host, 100)}" is not one of this server's`, {
    hint: "If it is yours, set PUBLIC_URL to the address that people type (behind a proxy), or add the name to ALLOWED_HOSTS.",
  });
