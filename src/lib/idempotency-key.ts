import { createHash } from "node:crypto";

/** Idempotency key format: 1 to 255 printable ASCII characters. */
export const IDEMPOTENCY_KEY: RegExp = /^[ -~]{1,255}$/;

/**
 * Returns a key that is a UUID in lower case, and for any other key a UUID derived from its SHA-256 hash. @see RFC
 * 9562, version 8
 */
export function idempotencyUuid(key: string): string {
  if (/^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i.test(key))
    return key.toLowerCase();
  const hex = createHash("sha256").update(key).digest("hex");
  const variant = ((Number.parseInt(hex[16]!, 16) & 3) | 8).toString(16);
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ];
  return parts.join("-");
}
