/** Names of migrations: applied to a data folder, missing in it, and applied by a newer version of the program. */
export interface DataVersion {
  readonly applied: readonly string[];
  readonly missing: readonly string[];
  readonly newer: readonly string[];
}
