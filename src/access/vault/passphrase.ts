import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from "node:crypto";

const CIPHER = "aes-256-gcm";
/** Required explicitly: Node also accepts shorter tags. */
const TAG = { authTagLength: 16 } as const;
/** Cost of deriving the key: about half a second and 128 MB. */
const COST = { N: 2 ** 17, r: 8, p: 1 } as const;
const MAX_MEMORY = 256 * 1024 ** 2;
const SEAL = /^p1\.([\w-]{22})\.([\w-]{16})\.([\w-]*)\.([\w-]{22})$/;
const ABOUT = Buffer.from("market-signal backup keys|p1");

/** Minimum length of a passphrase, characters. */
export const MIN_PASSPHRASE = 12;

/**
 * Encrypts a text with AES-256-GCM under a key that scrypt derives from the passphrase. Returns
 * `p1.<salt>.<IV>.<cipher text>.<tag>` in base64url.
 */
export function sealWithPassphrase(plain: string, passphrase: string): string {
  const [salt, iv] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv(CIPHER, keyOf(passphrase, salt), iv, TAG).setAAD(ABOUT);
  const text = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  const parts = [salt, iv, text, cipher.getAuthTag()].map((part) => part.toString("base64url"));
  return ["p1", ...parts].join(".");
}

/** Decrypts a text; null if the passphrase or the text is wrong. */
export function openWithPassphrase(sealed: string, passphrase: string): string | null {
  const [salt, iv, text, tag] = (SEAL.exec(sealed) ?? [])
    .slice(1)
    .map((part) => Buffer.from(part, "base64url"));
  if (salt === undefined || iv === undefined || text === undefined || tag === undefined) return null;
  try {
    const cipher = createDecipheriv(CIPHER, keyOf(passphrase, salt), iv, TAG).setAAD(ABOUT).setAuthTag(tag);
    return Buffer.concat([cipher.update(text), cipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}

const keyOf = (passphrase: string, salt: Buffer): Buffer =>
  scryptSync(passphrase.normalize("NFKC"), salt, 32, { ...COST, maxmem: MAX_MEMORY });
