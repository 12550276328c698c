import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import type { Signer } from "../../domain/receipts/receipts-port.ts";
import type { FirstSecrets } from "../../domain/vault/secrets-port.ts";

/** Account of secrets of the installation. No real account has this name: they are UUIDs, `owner` or `addr:<network>`. */
export const SYSTEM_ACCOUNT = "system:installation";
const NAME = "signing key";

/** Signs with the Ed25519 key of the installation. The key is created on first use and sealed as PKCS #8 in base64url. */
export function signerOf(secrets: FirstSecrets): Signer {
  const storedKey = async (): Promise<KeyObject | null> => {
    const stored = await secrets.open(SYSTEM_ACCOUNT, NAME);
    return stored === null ? null : privateKey(stored);
  };
  return {
    async sign(textWith) {
      const key =
        (await storedKey()) ?? privateKey(await secrets.saveIfAbsent(SYSTEM_ACCOUNT, NAME, newKey()));
      const publicKey = publicKeyOf(key);
      const signature = sign(null, Buffer.from(textWith(publicKey), "utf8"), key).toString("base64url");
      return { publicKey, signature };
    },

    async publicKey() {
      const key = await storedKey();
      return key === null ? null : publicKeyOf(key);
    },

    verify(text, signature, publicKey) {
      const [bytes, x] = [bytesOf(signature, 64), bytesOf(publicKey, 32)];
      if (bytes === null || x === null) return false;
      try {
        const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: publicKey }, format: "jwk" });
        return verify(null, Buffer.from(text, "utf8"), key, bytes);
      } catch {
        return false;
      }
    },
  };
}

const newKey = (): string =>
  generateKeyPairSync("ed25519").privateKey.export({ format: "der", type: "pkcs8" }).toString("base64url");

const privateKey = (stored: string): KeyObject =>
  createPrivateKey({ key: Buffer.from(stored, "base64url"), format: "der", type: "pkcs8" });

const publicKeyOf = (key: KeyObject): string => createPublicKey(key).export({ format: "jwk" }).x ?? "";

/** Decodes canonical base64url of exactly `length` bytes; null for any other text. */
function bytesOf(text: string, length: number): Buffer | null {
  const bytes = Buffer.from(text, "base64url");
  return bytes.length === length && bytes.toString("base64url") === text ? bytes : null;
}
