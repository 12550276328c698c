import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;
/** A message is believed for so long before and after the moment it names. */
const WINDOW_S = 300;

/** A new secret by which webhooks are signed: `whsec_` and 32 random bytes in base64. */
export const newSigningSecret = (): string => `${PREFIX}${randomBytes(SECRET_BYTES).toString("base64")}`;

/** What is signed: the id is the same at every attempt, the time is that of this one. */
export interface SignedMessage {
  readonly id: string;
  readonly at: Date;
  readonly body: string;
}

/**
 * Headers `webhook-id`, `webhook-timestamp` (seconds) and `webhook-signature` (`v1,` and the base64 HMAC-SHA256 of
 * `id.timestamp.body`, keyed by the bytes behind `whsec_`).
 * @see Standard Webhooks, specification 1.0
 */
export function signatureHeaders(
  { id, at, body }: SignedMessage,
  secret: string,
): Readonly<Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${hmac(secret, `${id}.${timestamp}.${body}`).toString("base64")}`,
  };
}

/**
 * Whether a message was signed with this secret within five minutes of `now`; header names in lower case. One signature
 * of several, separated by spaces, is enough.
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
  if (Math.abs(Math.floor(now.getTime() / 1_000) - Number(timestamp)) > WINDOW_S) return false;
  const right = hmac(secret, `${id}.${timestamp}.${body}`);
  return signatures.split(" ").some((one) => {
    const [version, text = ""] = one.split(",");
    const given = Buffer.from(text, "base64");
    return version === "v1" && given.length === right.length && timingSafeEqual(given, right);
  });
}

const hmac = (secret: string, text: string): Buffer =>
  createHmac("sha256", Buffer.from(secret.slice(PREFIX.length), "base64"))
    .update(text)
    .digest();
