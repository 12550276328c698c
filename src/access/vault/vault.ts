import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import type { Vault } from "../../domain/trading/trading-port.ts";

const VERSION = "v1";
const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const IV_BYTES = 12;
/** Required explicitly: Node also accepts shorter tags. */
const TAG = { authTagLength: 16 } as const;
const SEAL = /^v1\.([0-9a-f]{16})\.([\w-]+)\.([\w-]+)$/;

/** The key that wraps all data keys. `id` reveals nothing about it; `secret` is not printable. */
export interface MasterKey {
  readonly id: string;
  readonly secret: KeyObject;
}

/** Parses a master key of 32 bytes in hex or base64; null for any other text. */
export function masterKey(text: string): MasterKey | null {
  const trimmed = text.trim();
  const bytes = /^[0-9a-f]{64}$/i.test(trimmed)
    ? Buffer.from(trimmed, "hex")
    : /^[\w+/-]{43}=?$/.test(trimmed)
      ? Buffer.from(trimmed, "base64")
      : null;
  if (bytes === null || bytes.length !== KEY_BYTES) return null;
  const id = createHmac("sha256", bytes).update("market-signal master key").digest("hex").slice(0, 16);
  return { id, secret: createSecretKey(bytes) };
}

/** Returns a new random master key in base64. */
export const newMasterKeyText = (): string => randomBytes(KEY_BYTES).toString("base64");

/**
 * Creates a vault with envelope encryption: each text has its own data key, wrapped by the master key. A seal is
 * `v1.<id of the master key>.<wrapped data key>.<text>`, the last two in base64url of IV, AES-256-GCM cipher text and
 * tag; `<about>|v1` is authenticated with both. `keyOf` returns the key with an id, or the current key; it may throw.
 */
export function createVault(keyOf: (id: string | null) => MasterKey): Vault {
  return {
    seal(plain, about, keyId) {
      const master = keyOf(keyId ?? null);
      const data = randomBytes(KEY_BYTES);
      const text = encrypt(createSecretKey(data), Buffer.from(plain, "utf8"), authenticatedData(about));
      return [VERSION, master.id, wrap(master, data, about), text].join(".");
    },
    open(sealed, about) {
      const { id, wrapped, text } = partsOf(sealed);
      const data = unwrap(keyOf(id), wrapped, about);
      return decrypt(createSecretKey(data), text, authenticatedData(about)).toString("utf8");
    },
    keyIdOf: (sealed) => SEAL.exec(sealed)?.[1] ?? null,
  };
}

/**
 * Wraps the data key of a seal with another master key; the sealed text stays unchanged. @throws when `from` does not
 * open it.
 */
export function rewrap(sealed: string, about: string, from: MasterKey, to: MasterKey): string {
  const { id, wrapped, text } = partsOf(sealed);
  if (id !== from.id) throw new Error(`The seal is under the master key ${id}, not ${from.id}`);
  return [VERSION, to.id, wrap(to, unwrap(from, wrapped, about), about), text].join(".");
}

const authenticatedData = (about: string): string => `${about}|${VERSION}`;
/** The id of the master key is authenticated too, so that it cannot be exchanged. */
const wrap = ({ id, secret }: MasterKey, data: Buffer, about: string): string =>
  encrypt(secret, data, `${authenticatedData(about)}|${id}`);
const unwrap = ({ id, secret }: MasterKey, wrapped: string, about: string): Buffer =>
  decrypt(secret, wrapped, `${authenticatedData(about)}|${id}`);

function partsOf(sealed: string): { readonly id: string; readonly wrapped: string; readonly text: string } {
  const [, id, wrapped, text] = SEAL.exec(sealed) ?? [];
  if (id === undefined || wrapped === undefined || text === undefined) throw new Error("Not a valid seal");
  return { id, wrapped, text };
}

function encrypt(key: KeyObject, plain: Buffer, aad: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv, TAG).setAAD(Buffer.from(aad, "utf8"));
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString("base64url");
}

function decrypt(key: KeyObject, text: string, aad: string): Buffer {
  const bytes = Buffer.from(text, "base64url");
  if (bytes.length < IV_BYTES + TAG.authTagLength || bytes.toString("base64url") !== text)
    throw new Error("Not a valid seal");
  const tag = bytes.subarray(-TAG.authTagLength);
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), TAG)
    .setAAD(Buffer.from(aad, "utf8"))
    .setAuthTag(tag);
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG.authTagLength)), decipher.final()]);
}
