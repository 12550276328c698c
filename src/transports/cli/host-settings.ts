/** A setting with its value and where that comes from. */
export interface Setting {
  readonly name: string;
  readonly value: string | null;
  /** `option`, `environment`, `config.toml`, `vault` or `default`. */
  readonly source: string;
  readonly purpose: string;
  /** True for a secret, which is sealed in the vault and never shown. */
  readonly secret: boolean;
  /** True if a running server uses a changed value only after a restart. */
  readonly restart: boolean;
  /** Required format if the value is invalid; `value` is then the text as set. */
  readonly fault?: string;
}

/** A setting that is an option of `serve`. */
export interface SettingOption {
  /** Name of the option, without dashes before it. */
  readonly option: string;
  readonly name: string;
  readonly purpose: string;
}

/** A provider that needs a key. */
export interface ProviderKey {
  readonly title: string;
  /** What its data adds. */
  readonly gives: string;
  readonly terms: string;
  /** Names of the settings that its key takes. */
  readonly settings: readonly string[];
}

/** Where a setting is stored, and whether it was there before. */
export interface StoredSetting {
  readonly place: string;
  readonly wasSet: boolean;
}
