import { createHmac, createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { FirstSecrets, KeyedHash } from "../../domain/vault/secrets-port.ts";
import { SetupError } from "../../lib/setup-error.ts";
import { SYSTEM_ACCOUNT } from "./signing-key.ts";
import { masterKey } from "./vault.ts";

/** File in which earlier versions stored the key. */
const HASH_KEY_FILE = "hash.key";
const NAME = "hash key";
const BYTES = 32;
const REMEDY =
  "Restore the file from a copy, readable for this user, or delete it: people then sign in again, and their recovery codes no longer work.";

/**
 * Returns the keyed hash of an installation, for cookies, recovery codes, stream tokens, repeated requests and checked
 * orders. Its key is created on first use and sealed in the database, so that all processes have the same one and a new
 * master key leaves it unchanged. A key in the file of an earlier version is moved into the database; if the file is
 * unreadable or holds no key, the call rejects with SetupError.
 */
export function keyedHashOf(secrets: FirstSecrets, dataDir: string): KeyedHash {
  const file = join(dataDir, HASH_KEY_FILE);
  let key: KeyObject | undefined;
  const openKey = async (): Promise<KeyObject> => {
    const stored = await secrets.open(SYSTEM_ACCOUNT, NAME);
    const earlier = stored === null ? earlierKey(file) : null;
    const text = stored ?? (await secrets.saveIfAbsent(SYSTEM_ACCOUNT, NAME, earlier ?? newKey()));
    if (earlier === text) rmSync(file, { force: true });
    return createSecretKey(Buffer.from(text, "base64url"));
  };
  return async (text) => {
    key ??= await openKey();
    return createHmac("sha256", key).update(text).digest();
  };
}

const newKey = (): string => randomBytes(BYTES).toString("base64url");

/** @throws SetupError if the database has no key yet, and the file of an earlier version is unreadable or holds none */
export async function verifyHashKey(secrets: FirstSecrets, dataDir: string): Promise<void> {
  if ((await secrets.open(SYSTEM_ACCOUNT, NAME)) === null) earlierKey(join(dataDir, HASH_KEY_FILE));
}

/** Returns the key of an earlier version in base64url; null without its file. @throws SetupError if it cannot be read */
function earlierKey(file: string): string | null {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return null;
    throw new SetupError(`${file} cannot be read. ${REMEDY}`, { cause });
  }
  const key = masterKey(text);
  if (key === null) throw new SetupError(`${file} holds no key. ${REMEDY}`);
  return key.secret.export().toString("base64url");
}
