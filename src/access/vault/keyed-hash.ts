import { createHmac, createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { FirstSecrets, KeyedHash } from "../../domain/vault/secrets-port.ts";
import { SYSTEM_ACCOUNT } from "./signing-key.ts";
import { masterKey } from "./vault.ts";

/** File of the key in data folders of earlier versions, beside the master key. */
const HASH_KEY_FILE = "hash.key";
const NAME = "hash key";
const BYTES = 32;

/**
 * Returns the keyed hash of an installation, for cookies, recovery codes, stream tokens, repeated
 * requests. Its key is created on first use and sealed in the database, so that all processes have the same one and a new
 * master key leaves it unchanged. The file of an earlier version is moved into the database.
 */
export function keyedHashOf(secrets: FirstSecrets, dataDir: string): KeyedHash {
  const file = join(dataDir, HASH_KEY_FILE);
  let key: KeyObject | undefined;
  const openKey = async (): Promise<KeyObject> => {
    const text =
      (await secrets.open(SYSTEM_ACCOUNT, NAME)) ??
      (await secrets.saveIfAbsent(SYSTEM_ACCOUNT, NAME, earlierKey(file) ?? newKey()));
    rmSync(file, { force: true });
    return createSecretKey(Buffer.from(text, "base64url"));
  };
  return async (text) => {
    key ??= await openKey();
    return createHmac("sha256", key).update(text).digest();
  };
}

const newKey = (): string => randomBytes(BYTES).toString("base64url");

/** Returns the key of an earlier version in base64url; null without its file, or if it is damaged. */
function earlierKey(file: string): string | null {
  try {
    const text = readFileSync(file, "utf8");
    return masterKey(text)?.secret.export().toString("base64url") ?? null;
  } catch {
    return null;
  }
}
