import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** Returns a new signing secret: `whsec_` and 32 random bytes in base64. */
export const newSigningSecret = (): string => `${PREFIX}${randomBytes(SECRET_BYTES).toString("base64")}`;

export interface SignedMessage {
  /** Id of the message; the same in every attempt. */
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
 * Creates the signer of a secret. Decodes the secret itself, because the package rejects unpadded and URL-safe base64,
 * which A2A clients also use. The package also rejects an empty key; HMAC pads keys with zero bytes, so one zero byte
 * gives the same signature.
 */
function signerOf(secret: string): Webhook {
  const key = Buffer.from(secret.slice(PREFIX.length), "base64");
  return new Webhook(key.length === 0 ? Buffer.of(0) : key, { format: "raw" });
}
