import { randomBytes, timingSafeEqual } from "node:crypto";
import { Webhook } from "standardwebhooks";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;
/** Accepted difference between the clock of the sender and ours, in seconds. */
const TOLERANCE_S = 300;

/** Returns a new signing secret: `whsec_` and 32 random bytes in base64. */
export const newSigningSecret = (): string => `${PREFIX}${randomBytes(SECRET_BYTES).toString("base64")}`;

/** A message to sign. */
export interface SignedMessage {
  /** The same in every attempt. */
  readonly id: string;
  /** Time of this attempt. */
  readonly at: Date;
  readonly body: string;
}

/**
 * Returns the headers `webhook-id`, `webhook-timestamp` (seconds) and `webhook-signature` of a message.
 * @see Standard Webhooks, specification 1.0
 */
export function signatureHeaders(
  { id, at, body }: SignedMessage,
  secret: string,
): Readonly<Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>> {
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": signerOf(secret).sign(id, at, body),
  };
}

/**
 * Returns true if one of the space-separated signatures was made with this secret within five minutes of `now`. Header
 * names are in lower case. The package verifies against the system clock only, so the time is checked here.
 */
export function verifySignature(
  headers: Readonly<Record<string, string | undefined>>,
  body: string,
  secret: string,
  now: Date,
): boolean {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures } = headers;
  if (id === undefined || timestamp === undefined || signatures === undefined) return false;
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  const seconds = Number(timestamp);
  if (Math.abs(Math.floor(now.getTime() / 1_000) - seconds) > TOLERANCE_S) return false;
  const expected = Buffer.from(signerOf(secret).sign(id, new Date(seconds * 1_000), body));
  return signatures.split(" ").some((signature) => {
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/**
 * Decodes the secret itself: A2A clients choose secrets in unpadded or URL-safe base64 too, which the package refuses. It
 * also refuses an empty key; HMAC pads keys with zero bytes, so one zero byte signs the same.
 */
function signerOf(secret: string): Webhook {
  const key = Buffer.from(secret.slice(PREFIX.length), "base64");
  return new Webhook(key.length === 0 ? Buffer.of(0) : key, { format: "raw" });
}
