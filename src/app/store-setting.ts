import { ToolError } from "../kernel/errors.ts";
import type { StoredSetting } from "../transports/cli/host-settings.ts";
import type { Installation } from "./installation.ts";
import { pathFault } from "./setting-paths.ts";
import { isSecret, notStoredReason, SETTINGS, type SettingName, withAbsolutePath } from "./setting-table.ts";
import { writeToSettingsFile } from "./settings-file.ts";

interface Deps {
  readonly dataDir: string;
  /** Folder that relative paths are resolved against. */
  readonly folder: string;
  openInstallation(): Promise<Installation>;
}

/**
 * Stores the value of a setting in the data folder: in the settings file, or sealed in the vault if it is a secret; null
 * removes it. Returns where it is stored. Throws INVALID_INPUT for a value that the setting does not accept, and for a
 * path that a server could not use.
 */
export async function storeSetting(
  name: SettingName,
  text: string | null,
  deps: Deps,
): Promise<StoredSetting> {
  const reason = notStoredReason(name);
  if (reason !== null && text !== null)
    throw new ToolError("INVALID_INPUT", `${name} is not stored in the data folder`, {
      hint: `Because ${reason}.`,
    });
  const read = SETTINGS[name].safeParse(text ?? undefined);
  if (!read.success)
    throw new ToolError(
      "INVALID_INPUT",
      `${name}: ${read.error.issues.map(({ message }) => message).join("; ")}`,
      {
        hint: `${SETTINGS[name].description}.`,
      },
    );
  if (!isSecret(name)) {
    const value = text === null ? null : withAbsolutePath(name, text, deps.folder);
    const fault = value === null ? null : await pathFault(name, value);
    if (fault !== null) throw new ToolError("INVALID_INPUT", fault);
    const { path, wasSet } = await writeToSettingsFile(deps.dataDir, name, value);
    return { place: path, wasSet };
  }
  const { deleteSealedSetting, readSealedSettingNames, sealSetting } = await import("./sealed-settings.ts");
  const { secrets, secretStore, close } = await deps.openInstallation();
  try {
    await secretStore.verify();
    const wasSet = (await readSealedSettingNames(deps.dataDir))?.has(name) ?? true;
    await (text === null ? deleteSealedSetting(secrets, name) : sealSetting(secrets, name, text));
    return { place: `the vault of ${deps.dataDir}`, wasSet };
  } finally {
    await close();
  }
}
