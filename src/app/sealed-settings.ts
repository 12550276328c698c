import { existsSync } from "node:fs";
import type { Kysely } from "kysely";
import { SYSTEM_ACCOUNT } from "../access/vault/signing-key.ts";
import type { Secrets } from "../domain/vault/secrets-port.ts";
import { SetupError } from "../lib/setup-error.ts";
import { mainFile } from "../store/files.ts";
import { openReader } from "../store/reader.ts";
import type { Schema } from "../store/schema.ts";
import { secretNames } from "../store/vault/secrets.ts";
import type { Config } from "./config.ts";
import { isSecret, SETTING_NAMES, SETTINGS, type SettingName } from "./setting-table.ts";

const secretNameOf = (name: SettingName): string => `setting ${name}`;

/** Returns the names of the settings that are sealed in the vault; needs no master key. */
async function sealedSettingNames(db: Kysely<Schema>): Promise<ReadonlySet<SettingName>> {
  const names = new Set(await secretNames(db, SYSTEM_ACCOUNT));
  return new Set(SETTING_NAMES.filter((name) => isSecret(name) && names.has(secretNameOf(name))));
}

/** Reads the names of the sealed settings of a data folder without opening it. Null if its database cannot be read. */
export async function readSealedSettingNames(dataDir: string): Promise<ReadonlySet<SettingName> | null> {
  const file = mainFile(dataDir);
  if (!existsSync(file)) return new Set();
  try {
    const db = openReader(file);
    return await sealedSettingNames(db).finally(() => db.destroy());
  } catch {
    return null; // damaged, or of another version
  }
}

/**
 * Returns the settings with the values of the vault for secrets that are given nowhere else. @throws SetupError for a
 * sealed value that its setting does not accept.
 */
export async function withSealedSettings(
  config: Config,
  { db, secrets }: { readonly db: Kysely<Schema>; readonly secrets: Secrets },
): Promise<Config> {
  const values: Record<string, unknown> = {};
  for (const name of await sealedSettingNames(db)) {
    if (config[name] !== undefined) continue;
    const read = SETTINGS[name].safeParse(await secrets.open(SYSTEM_ACCOUNT, secretNameOf(name)));
    if (!read.success)
      throw new SetupError(
        `The value of ${name} in the vault is not valid; run \`market-signal config set ${name}\``,
      );
    values[name] = read.data;
  }
  return { ...config, ...values };
}

/** Seals the value of a secret setting in the vault. */
export const sealSetting = (secrets: Secrets, name: SettingName, text: string): Promise<void> =>
  secrets.save(SYSTEM_ACCOUNT, secretNameOf(name), text);

/** Deletes the value of a secret setting from the vault. */
export const deleteSealedSetting = (secrets: Secrets, name: SettingName): Promise<void> =>
  secrets.remove(SYSTEM_ACCOUNT, secretNameOf(name));
