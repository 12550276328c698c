import { z } from "zod";
import { editDistance } from "../lib/edit-distance.ts";
import { plainText } from "../lib/plain-text.ts";
import { SetupError } from "../lib/setup-error.ts";
import { assertOwner } from "../store/data-owner.ts";
import type { Setting } from "../transports/cli/host-settings.ts";
import { isSecret, isUsed, SETTING_NAMES, SETTINGS, type SettingName } from "./setting-table.ts";
import { isPresent } from "./setting-values.ts";
import { fileNameOf, readSettingsFile, type SettingsFile } from "./settings-file.ts";

const Settings = z
  .object(SETTINGS)
  .refine(({ MASTER_KEY, MASTER_KEY_FILE }) => MASTER_KEY === undefined || MASTER_KEY_FILE === undefined, {
    path: ["MASTER_KEY"],
    error: "must be omitted if MASTER_KEY_FILE is set",
  })
  .refine(
    ({ OIDC_ISSUER, OIDC_CLIENT_ID }) => (OIDC_ISSUER === undefined) === (OIDC_CLIENT_ID === undefined),
    {
      path: ["OIDC_ISSUER"],
      error: "must be set together with OIDC_CLIENT_ID",
    },
  )
  .refine(({ OAUTH_ISSUER, OIDC_ISSUER }) => OAUTH_ISSUER === undefined || OAUTH_ISSUER === OIDC_ISSUER, {
    path: ["OAUTH_ISSUER"],
    error: "must be the same as OIDC_ISSUER, at which people connect their identity",
  });

export type Config = z.output<typeof Settings>;

/** Values of the options of a command, by the name of the setting. */
export type OptionValues = Readonly<Partial<Record<SettingName, string>>>;

/**
 * Sources of values besides the environment. Options take precedence over the environment, which takes precedence over
 * the running server, and that over the file.
 */
export interface ConfigSources {
  readonly options?: OptionValues;
  /** Values of the running server of the data folder; null for a setting that has none there. */
  readonly server?: Readonly<Record<string, string | null>>;
  readonly file?: SettingsFile;
  /** Names of the settings that are sealed in the vault; null if the vault cannot be read. Default: none. */
  readonly sealed?: ReadonlySet<SettingName> | null;
}

/** A value as it was given, and where. `label` names it in an error. */
interface GivenValue {
  readonly text: string;
  readonly source: "option" | "environment" | "server" | "config.toml";
  readonly label: string;
}

function givenValue(
  name: SettingName,
  env: NodeJS.ProcessEnv,
  { options = {}, server = {}, file }: ConfigSources,
): GivenValue | undefined {
  const option = options[name];
  if (option !== undefined) return { text: option, source: "option", label: `--${optionOf(name)}` };
  const text = env[name];
  if (text !== undefined && isPresent(text)) return { text, source: "environment", label: name };
  const running = server[name];
  if (running === null) return undefined;
  if (running !== undefined)
    return { text: running, source: "server", label: `${name} of the running server` };
  const value = file?.values.get(name);
  if (file === undefined || value === undefined) return undefined;
  const label = `${file.path}, line ${value.line}: ${fileNameOf(name)}`;
  return { text: value.text, source: "config.toml", label };
}

/** Returns the name of the option of a setting, without dashes before it. */
export const optionOf = (name: SettingName): string => name.toLowerCase().replaceAll("_", "-");

/**
 * Reads the settings: options, then the environment, the running server, the file and the defaults. No other file reads
 * process.env. Throws SetupError with one line that names each invalid setting.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env, others: ConfigSources = {}): Config {
  const given = Object.fromEntries(SETTING_NAMES.map((name) => [name, givenValue(name, env, others)]));
  const read = Settings.safeParse(
    Object.fromEntries(
      Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value.text]])),
    ),
  );
  if (read.success) return read.data;
  const faults = read.error.issues.map(({ path, message }) => {
    const name = path.join(".");
    return `${given[name]?.label ?? name}: ${message}`;
  });
  throw new SetupError(`${faults.join("; ")}. \`market-signal config\` lists the settings.`);
}

/**
 * Reads the settings file of the data folder that the options or the environment name; every command begins with it.
 * @throws SetupError for a folder of another user, before anything in it is opened.
 */
export async function loadSettingsFile(options: OptionValues = {}, env = process.env): Promise<SettingsFile> {
  const dataDir = SETTINGS.DATA_DIR.parse(givenValue("DATA_DIR", env, { options })?.text);
  assertOwner(dataDir);
  return readSettingsFile(dataDir);
}

/** Reads the settings of the installation, with its settings file. Throws SetupError for a broken file or value. */
export const loadConfig = async (options: OptionValues = {}): Promise<Config> =>
  readConfig(process.env, { options, file: await loadSettingsFile(options) });

/** Minimum length of a setting whose misspelt names are noticed, in letters: shorter ones resemble other words. */
const MIN_NOTICED_LENGTH = 6;

/** Returns notes on environment variables whose name is one edit away from that of a setting, without their values. */
export const misspeltNotes = (env: NodeJS.ProcessEnv = process.env): readonly string[] =>
  Object.keys(env)
    .filter((name) => !SETTING_NAMES.some((known) => known === name))
    .sort()
    .flatMap((name) => {
      const meant = SETTING_NAMES.find(
        (known) => known.length >= MIN_NOTICED_LENGTH && editDistance(name, known, 1) === 1,
      );
      return meant === undefined
        ? []
        : [`the environment has ${plainText(name, 80)}; did you mean ${meant}?`];
    });

/** Returns the external issuer of the tokens of apps; null if this server issues them, or if no app may connect. */
export const tokenIssuerOf = ({
  OAUTH,
  OAUTH_ISSUER,
}: Pick<Config, "OAUTH" | "OAUTH_ISSUER">): string | null =>
  OAUTH === "off" ? null : (OAUTH_ISSUER ?? null);

/** Returns true if apps may connect by sign-in. */
export const allowsApps = ({ OAUTH, PUBLIC_URL }: Pick<Config, "OAUTH" | "PUBLIC_URL">): boolean =>
  OAUTH === "on" || (OAUTH === "auto" && PUBLIC_URL !== undefined);

/** Returns why no server may start in this environment; null if one may. Variables of test runs switch off checks of sign-in. */
export const environmentFault = (env: NodeJS.ProcessEnv = process.env): string | null =>
  (env.NODE_ENV === "test" || env.TEST !== undefined) && env.VITEST === undefined
    ? "NODE_ENV=test and TEST switch off checks of sign-in: unset them"
    : null;

/** Returns the name of the npm script that started this process; undefined if none did. */
export const npmScript = (env = process.env): string | undefined => env.npm_lifecycle_event;

/** Returns true if npm or npx started this process, which they do in a shell that does not pass signals on. */
export const isStartedByNpm = (env = process.env): boolean => env.npm_command !== undefined;

/** Describes every setting for `market-signal config`: value (secrets as `set`), source, and what is wrong with it. */
export function describeConfig(
  env: NodeJS.ProcessEnv = process.env,
  others: ConfigSources = {},
): readonly Setting[] {
  const { sealed = new Set() } = others;
  return SETTING_NAMES.map((name) => {
    const given = givenValue(name, env, others);
    const read = SETTINGS[name].safeParse(given?.text);
    const value = read.success ? read.data : given?.text;
    const hidden = isSecret(name) || (!read.success && name.startsWith("PROVIDER_URL_"));
    const shown = value === undefined ? null : hidden ? "set" : String(value);
    const isSealed = given === undefined && sealed?.has(name) === true;
    const isUnknown = given === undefined && sealed === null && isSecret(name);
    return {
      name,
      value: isSealed ? "set (sealed)" : isUnknown ? "unknown: the vault cannot be read" : shown || null,
      source: isSealed ? "vault" : (given?.source ?? "default"),
      purpose: SETTINGS[name].description ?? "",
      secret: isSecret(name),
      restart: isUsed(name),
      ...(!read.success && { fault: read.error.issues.map(({ message }) => message).join("; ") }),
    };
  });
}
