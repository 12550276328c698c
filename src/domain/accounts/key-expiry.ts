/** Lifetime of a key without another expiry, in milliseconds: 365 days. */
export const KEY_LIFETIME_MS = 365 * 86_400_000;
/** Time before its expiry from which a key is reported, in milliseconds. */
const WARNING_MS = 30 * 86_400_000;

/** Returns true for a key that expires within 30 days and is still valid; null: it does not expire. */
export function expiresSoon(expiresAt: string | null, now: Date): boolean {
  if (expiresAt === null) return false;
  const left = Date.parse(expiresAt) - now.getTime();
  return left > 0 && left <= WARNING_MS;
}

/** Returns the notes of answers on the key of their caller: one if it expires within 30 days, else none. */
export const keyExpiryNotes = (expiresAt: string | null | undefined, now: Date): readonly string[] =>
  expiresAt != null && expiresSoon(expiresAt, now)
    ? [`This API key expires at ${expiresAt}; the owner of the server can replace it.`]
    : [];
