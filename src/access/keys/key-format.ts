import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import type { KeyRecord } from "../../domain/accounts/keyring-port.ts";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SECRET_LENGTH = 32;
const CHECK_LENGTH = 6;
const SHAPE = /^ms_(?:live|test)_[0-9A-Za-z]{38}$/;

/**
 * Creates a secret key: `ms_live_` or `ms_test_`, 32 random base62 characters (190 bits), and a checksum of 6
 * characters.
 */
export function newKey(kind: KeyRecord["kind"], random: (size: number) => Uint8Array = randomBytes): string {
  const body = `ms_${kind}_${secret(random)}`;
  return body + checksum(body);
}

/** Returns true if a text has the format and checksum of a key; the key need not exist. */
export const isWellFormed = (text: string): boolean =>
  SHAPE.test(text) && checksum(text.slice(0, -CHECK_LENGTH)) === text.slice(-CHECK_LENGTH);

/** Returns the SHA-256 of the whole key, hex, which is stored and looked up instead of the key. */
export const hashOf = (key: string): string => createHash("sha256").update(key).digest("hex");

/** Returns the CRC-32 (IEEE) of the text as 6 base62 digits, most significant first. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let position = 0; position < CHECK_LENGTH; position++) {
    digits = ALPHABET.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

function secret(random: (size: number) => Uint8Array): string {
  let text = "";
  while (text.length < SECRET_LENGTH)
    // 248 is the largest multiple of 62 in a byte; above it some characters would come up more often.
    for (const byte of random(SECRET_LENGTH))
      if (byte < 248 && text.length < SECRET_LENGTH) text += ALPHABET.charAt(byte % 62);
  return text;
}
