import { createHmac, timingSafeEqual } from "node:crypto";
import type { KeyedHash } from "../../domain/vault/secrets-port.ts";

/** Secret of cookies and stored codes, a keyed hash of the installation. */
export const signInSecret = async (keyedHash: KeyedHash): Promise<string> =>
  (await keyedHash("market-signal sign-in")).toString("base64url");

/** Returns the value of a session's cookie: its token and a signature, as better-auth writes it. */
export const signedToken = (token: string, secret: string): string =>
  `${token}.${signatureOf(token, secret)}`;

/** Returns the token of a cookie; null if its signature is wrong. */
export function tokenOf(cookie: string, secret: string): string | null {
  const dot = cookie.lastIndexOf(".");
  if (dot < 1) return null;
  const token = cookie.slice(0, dot);
  const [given, right] = [Buffer.from(cookie.slice(dot + 1)), Buffer.from(signatureOf(token, secret))];
  return given.length === right.length && timingSafeEqual(given, right) ? token : null;
}

const signatureOf = (token: string, secret: string): string =>
  createHmac("sha256", secret).update(token).digest("base64");
