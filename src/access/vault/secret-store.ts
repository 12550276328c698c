import { AUDIT_SEAL, type SealCounts, type Seals, type Vault } from "../../domain/trading/trading-port.ts";
import { SECRET_SEAL } from "../../domain/vault/secrets-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { SetupError } from "../../lib/setup-error.ts";
import { type MasterKeys, makeKeyFile, readKey } from "./master-key.ts";
import { createVault, type MasterKey, rewrap } from "./vault.ts";

/** What came of replacing the master key. */
export interface MasterKeyRotation {
  /** How many connections are under it now. */
  readonly connections: number;
  /** How many other secrets are: of alerts, and the key that signs receipts. */
  readonly secrets: number;
  /** Whether the key of the audit log is. */
  readonly audit_key: boolean;
  readonly key_id: string;
  /** The file that holds it. */
  readonly file: string;
  /** What named the key before, where the settings must name the file from now on; null where nothing is to be set. */
  readonly instead_of: string | null;
}

/** The vault of an installation and the care of its master key. */
export interface SecretStore {
  readonly vault: Vault;
  /** SetupError where credentials are stored and their master key is missing or another. Ends a replacement that was interrupted. */
  verify(): Promise<void>;
  /** Puts all seals under a new master key, all or none: one made in place of the old, or that of the file, which is made where it is missing. */
  rotate(file?: string): Promise<MasterKeyRotation>;
  /** Forgets every connection with its credentials, every other secret, and the key of the audit log, for when the master key is lost; returns how many of the first two. */
  forget(): Promise<SealCounts>;
}

/** The vault over all seals of an installation and its master key. */
export function createSecretStore({
  keys,
  seals,
}: {
  readonly keys: MasterKeys;
  readonly seals: Seals;
}): SecretStore {
  /** The key that the seals are under; null where there are none and no key. */
  const found = async (): Promise<MasterKey | null> => {
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
      if (keyId !== null || count > 0 || secrets > 0 || audit) await seals.withLock(found);
    },

    rotate: (file) =>
      seals.withLock(async () => {
        const old = await found();
        const next = file === undefined ? keys.prepareRotation() : readOrCreateKey(file);
        if (next.id === old?.id)
          throw new SetupError(`${file} holds the master key in use; name a file for a new one`);
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
          const place = { file: file ?? keys.place, instead_of: file === undefined ? null : keys.place };
          return { ...changed, audit_key: (await seals.status()).audit, key_id: next.id, ...place };
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

const RECOVERY_HINT = "restore a backup, or begin anew with `market-signal vault forget --yes`";

/** What is wrong where the seal of this does not open under the key that all are under. */
function unsealErrorMessage(about: string): string {
  if (about === AUDIT_SEAL)
    return `The key of the audit log does not open, and no key was changed; ${RECOVERY_HINT}`;
  if (about.startsWith(`${SECRET_SEAL}[`)) {
    const [account, name] = JSON.parse(about.slice(SECRET_SEAL.length)) as readonly [string, string];
    return `The secret ${name} of ${account} does not open, and no key was changed; ${RECOVERY_HINT}`;
  }
  return `The credentials of a connection of ${about.replace("|", " with ")} do not open, and no key was changed; remove that connection first`;
}

function lostKeyError(
  keyId: string | null,
  { count, secrets, audit }: Omit<Awaited<ReturnType<Seals["status"]>>, "keyId">,
  keys: MasterKeys,
): SetupError {
  const named = (sealed: boolean, text: string) => (sealed ? [text] : []);
  const inWords = (all: readonly string[]) =>
    [all.slice(0, -1).join(", "), ...all.slice(-1)].filter((part) => part !== "").join(" and ");
  const things = inWords([
    ...named(
      count > 0,
      `the credentials of ${count === 1 ? "1 broker connection" : `${count} broker connections`}`,
    ),
    ...named(secrets > 0, secrets === 1 ? "1 secret" : `${secrets} secrets`),
    ...named(audit, "the key of the audit log"),
  ]);
  const many = count > 0 || secrets > 1 || (secrets > 0 && audit);
  const sealed = `${things.charAt(0).toUpperCase()}${things.slice(1)} ${many ? "are" : "is"} sealed by the master key ${keyId ?? "of an unknown id"}`;
  const other = keys.find(null);
  const there =
    other === null ? `there is none in ${keys.place}` : `${keys.place} holds another, ${other.id}`;
  const back = keys.isDefaultFile
    ? "Put that key back into the file, or name where it is by MASTER_KEY_FILE"
    : "Set that key";
  const begins = inWords([
    ...named(count > 0, "those connections"),
    ...named(
      secrets > 0,
      "those secrets, so that alerts with one are sent no more and receipts are signed by a new key",
    ),
    ...named(audit, "the key of the audit log, of which nothing written so far can be verified then"),
  ]);
  return new SetupError(
    `${sealed}, and ${there}. ${back}. If it is lost: \`market-signal vault forget --yes\` forgets ${begins}.`,
  );
}

function masterKeyUnavailable(): never {
  throw new ToolError("NOT_CONNECTED", "The master key of the stored credentials is not at hand", {
    hint: "The owner of the server has to start it again with the master key in use.",
  });
}
