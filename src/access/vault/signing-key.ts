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

/** No account has this name: those of keys are UUIDs, others `owner` or `addr:` and an address. */
export const SYSTEM_ACCOUNT = "system:installation";
const NAME = "signing key";

/** Signs by the one Ed25519 key of an installation, made at first use and kept under seal as PKCS #8 in base64url. */
export function signerOf(secrets: FirstSecrets): Signer {
  const made = async (): Promise<KeyObject | null> => {
    const kept = await secrets.open(SYSTEM_ACCOUNT, NAME);
    return kept === null ? null : privateKey(kept);
  };
  return {
    async sign(textWith) {
      const key = (await made()) ?? privateKey(await secrets.saveIfAbsent(SYSTEM_ACCOUNT, NAME, newKey()));
      const publicKey = publicKeyOf(key);
      const signature = sign(null, Buffer.from(textWith(publicKey), "utf8"), key).toString("base64url");
      return { publicKey, signature };
    },

    async publicKey() {
      const key = await made();
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

const privateKey = (kept: string): KeyObject =>
  createPrivateKey({ key: Buffer.from(kept, "base64url"), format: "der", type: "pkcs8" });

const publicKeyOf = (key: KeyObject): string => createPublicKey(key).export({ format: "jwk" }).x ?? "";

/** The bytes of base64url in its one canonical form; null for any other text. */
function bytesOf(text: string, length: number): Buffer | null {
  const bytes = Buffer.from(text, "base64url");
  return bytes.length === length && bytes.toString("base64url") === text ? bytes : null;
}
