import { AUDIT_SEAL, type SealCounts, type Seals, type Vault } from "../../domain/trading/trading-port.ts";
import { MASTER_KEY_HINT, SECRET_SEAL } from "../../domain/vault/secrets-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { SetupError } from "../../lib/setup-error.ts";
import { type MasterKeys, makeKeyFile, readKey } from "./master-key.ts";
import { createVault, type MasterKey, rewrap } from "./vault.ts";

export interface MasterKeyRotation {
  /** Number of connections sealed under the new key. */
  readonly connections: number;
  /** Number of other secrets sealed under it: of alerts and settings, and the keys of receipts and of hashes. */
  readonly secrets: number;
  /** True when the key of the audit log is sealed under it. */
  readonly audit_key: boolean;
  readonly key_id: string;
  /** File or setting that holds the new key. */
  readonly file: string;
  /** Previous location of the key when the settings must change; null when they need no change. */
  readonly instead_of: string | null;
}

export interface SecretStore {
  readonly vault: Vault;
  /**
   * Completes an interrupted rotation. Rejects with SetupError when secrets are stored and their master key is missing
   * or different.
   */
  verify(): Promise<void>;
  /**
   * Seals all secrets under a new master key, all or none. Default: a new key in the same file; `file` is created when
   * missing.
   */
  rotate(file?: string): Promise<MasterKeyRotation>;
  /**
   * Deletes all connections, secrets and the key of the audit log, for a lost master key. Returns the number of
   * connections and secrets.
   */
  forget(): Promise<SealCounts>;
}

export function createSecretStore({
  keys,
  seals,
}: {
  readonly keys: MasterKeys;
  readonly seals: Seals;
}): SecretStore {
  /**
   * Returns the key of the existing seals; null if there are neither seals nor a key. @throws SetupError when seals
   * exist without their key.
   */
  const currentKey = async (): Promise<MasterKey | null> => {
    const { keyId, ...sealed } = await seals.status();
    keys.finishRotation(keyId);
    const key = keys.find(keyId);
    if (key === null && (sealed.count > 0 || sealed.secrets > 0 || sealed.audit))
      throw lostKeyError(keyId, sealed, keys);
    if (key === null && keyId !== null) await seals.release();
    return key;
  };
  return {
    vault: createVault((id) =>
      id === null ? keys.getOrCreate() : (keys.find(id) ?? masterKeyUnavailable()),
    ),

    async verify() {
      const { keyId, count, secrets, audit } = await seals.status();
      if (keyId !== null || count > 0 || secrets > 0 || audit) await seals.withLock(currentKey);
    },

    rotate: (file) =>
      seals.withLock(async () => {
        const old = await currentKey();
        const next = file === undefined ? keys.prepareRotation() : readOrCreateKey(file);
        if (next.id === old?.id)
          throw new SetupError(`${file} holds the current master key; name a file for a new one`);
        const move = (sealed: string, about: string): string => {
          try {
            if (old === null) throw new Error("There was no master key");
            return rewrap(sealed, about, old, next);
          } catch (cause) {
            throw new SetupError(unsealErrorMessage(about), { cause });
          }
        };
        try {
          const changed = await seals.rewrapAll(next.id, move);
          return {
            ...changed,
            audit_key: (await seals.status()).audit,
            key_id: next.id,
            file: file ?? keys.location,
            instead_of: file === undefined ? null : keys.location,
          };
        } finally {
          keys.finishRotation((await seals.status()).keyId);
        }
      }),

    forget: () =>
      seals.withLock(async () => {
        const forgotten = await seals.forget();
        keys.finishRotation(null);
        return forgotten;
      }),
  };
}

function readOrCreateKey(file: string): MasterKey {
  makeKeyFile(file);
  const key = readKey(file);
  if (key === null) throw new SetupError(`There is no master key in ${file}`);
  return key;
}

const RECOVERY_HINT = "restore a backup, or delete all secrets with `market-signal vault forget --yes`";

/** Returns the message for a seal that the current master key does not open; `about` is its context. */
function unsealErrorMessage(about: string): string {
  if (about === AUDIT_SEAL)
    return `The key of the audit log cannot be opened, and no key was changed; ${RECOVERY_HINT}`;
  if (about.startsWith(`${SECRET_SEAL}[`)) {
    const [account, name] = JSON.parse(about.slice(SECRET_SEAL.length)) as readonly [string, string];
    return `The secret ${name} of ${account} cannot be opened, and no key was changed; ${RECOVERY_HINT}`;
  }
  return `The credentials of a connection of ${about.replace("|", " with ")} cannot be opened, and no key was changed; remove that connection first`;
}

function lostKeyError(
  keyId: string | null,
  { count, secrets, audit }: Omit<Awaited<ReturnType<Seals["status"]>>, "keyId">,
  keys: MasterKeys,
): SetupError {
  const textIf = (isSealed: boolean, text: string) => (isSealed ? [text] : []);
  const joinTexts = (texts: readonly string[]) =>
    [texts.slice(0, -1).join(", "), ...texts.slice(-1)].filter((part) => part !== "").join(" and ");
  const things = joinTexts([
    ...textIf(
      count > 0,
      `the credentials of ${count === 1 ? "1 broker connection" : `${count} broker connections`}`,
    ),
    ...textIf(secrets > 0, secrets === 1 ? "1 secret" : `${secrets} secrets`),
    ...textIf(audit, "the key of the audit log"),
  ]);
  const isPlural = count > 0 || secrets > 1 || (secrets > 0 && audit);
  const sealed = `${things.charAt(0).toUpperCase()}${things.slice(1)} ${isPlural ? "are" : "is"} sealed by the master key ${keyId ?? "of an unknown id"}`;
  const other = keys.find(null);
  const present =
    other === null
      ? `there is none in ${keys.location}`
      : `${keys.location} holds a different one, ${other.id}`;
  const remedy = keys.isDefaultFile
    ? "Restore that key to the file, or set MASTER_KEY to it or MASTER_KEY_FILE to its path"
    : "Set that key";
  const losses = joinTexts([
    ...textIf(count > 0, "those connections"),
    ...textIf(
      secrets > 0,
      "those secrets (alerts that use one stop, keys of providers have to be set again, people have to sign in again, recovery codes end, and receipts are signed by a new key)",
    ),
    ...textIf(audit, "the key of the audit log (entries written so far can no longer be verified)"),
  ]);
  return new SetupError(
    `${sealed}, and ${present}. ${remedy}. If it is lost: \`market-signal vault forget --yes\` deletes ${losses}.`,
  );
}

function masterKeyUnavailable(): never {
  throw new ToolError("NOT_CONNECTED", "The master key of the stored credentials is not available", {
    hint: MASTER_KEY_HINT,
  });
}
