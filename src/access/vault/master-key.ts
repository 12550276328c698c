import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Log } from "../../domain/ports.ts";
import { SetupError } from "../../lib/setup-error.ts";
import { type MasterKey, masterKey, newMasterKeyText } from "./vault.ts";

/** Name of the key file in the data folder. */
export const DEFAULT_MASTER_KEY_FILE = "master.key";

/** Maximum size of a key file, bytes. */
const MAX_BYTES = 4_096;
const ADVICE =
  "Copy it to a safe place: without it the stored broker credentials are lost, and the audit log can no longer be verified. Backups do not include it.";

export interface MasterKeySettings {
  readonly DATA_DIR: string;
  readonly MASTER_KEY?: string | undefined;
  readonly MASTER_KEY_FILE?: string | undefined;
}

/**
 * Access to the master key, and to the next one during a rotation. Reads the key again on each call, so that a running
 * server follows a rotation.
 */
export interface MasterKeys {
  /** Location of the key, for messages to the operator. */
  readonly location: string;
  /** True for the file that is created in the data folder by default. */
  readonly isDefaultFile: boolean;
  /**
   * Returns the key with the id, or the current key for null; null when it is missing. @throws SetupError for an
   * invalid key.
   */
  find(id: string | null): MasterKey | null;
  /**
   * Returns the current key; creates the default file when it is missing. @throws SetupError when a configured key is
   * missing.
   */
  getOrCreate(): MasterKey;
  /** Creates the next key beside the current one; `find` returns it by its id. */
  prepareRotation(): MasterKey;
  /** Ends a rotation: the next key becomes current when it has the id, otherwise it is deleted. */
  finishRotation(id: string | null): void;
}

/**
 * Creates access to the configured master key. Default: `master.key` in the data folder. `onCreated` is called with the
 * path of a new key file.
 */
export function masterKeys(
  settings: MasterKeySettings,
  log: Log,
  onCreated: (file: string, advice: string) => void = () => {},
): MasterKeys {
  const { DATA_DIR, MASTER_KEY, MASTER_KEY_FILE } = settings;
  if (MASTER_KEY !== undefined) {
    const given = masterKey(MASTER_KEY);
    if (given === null) throw new SetupError("MASTER_KEY: must be 32 bytes in base64 or hex");
    return configuredKey("MASTER_KEY", () => given);
  }
  if (MASTER_KEY_FILE !== undefined)
    return configuredKey(`MASTER_KEY_FILE ${MASTER_KEY_FILE}`, () => readKey(MASTER_KEY_FILE));
  const file = join(DATA_DIR, DEFAULT_MASTER_KEY_FILE);
  const next = `${file}.next`;
  const current = () => readKey(file);
  return {
    location: file,
    isDefaultFile: true,
    find: (id) => [current(), id === null ? null : readKey(next)].find((key) => hasId(key, id)) ?? null,
    getOrCreate() {
      const existing = current();
      if (existing !== null) return existing;
      if (makeKeyFile(file)) {
        log.warn("master_key_made", { file, advice: ADVICE });
        onCreated(file, ADVICE);
      }
      return current() ?? missingKey(file);
    },
    prepareRotation() {
      rmSync(next, { force: true });
      makeKeyFile(next);
      return readKey(next) ?? missingKey(next);
    },
    finishRotation(id) {
      const prepared = readKey(next);
      if (prepared === null) return;
      if (id !== null && prepared.id === id) renameSync(next, file);
      else rmSync(next, { force: true });
      syncFolder(file);
    },
  };
}

/** Reads a key file; null when it does not exist. @throws SetupError when it cannot be read or is invalid. */
export function readKey(file: string): MasterKey | null {
  if (!existsSync(file)) return null;
  let text: string;
  try {
    const { size } = statSync(file);
    text = size > MAX_BYTES ? "" : readFileSync(file, "utf8");
  } catch (cause) {
    throw new SetupError(`The master key in ${file} cannot be read; make the file readable for this user`, {
      cause,
    });
  }
  const key = masterKey(text);
  if (key === null)
    throw new SetupError(`${file} contains no master key: it must be 32 bytes in base64 or hex`);
  return key;
}

/** Writes a new key file atomically, readable by its owner only. Returns false when the file exists. */
export function makeKeyFile(file: string): boolean {
  const partial = `${file}.${process.pid}.partial`;
  rmSync(partial, { force: true });
  try {
    const handle = openSync(partial, "wx", 0o600);
    try {
      writeSync(handle, `${newMasterKeyText()}\n`);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    linkSync(partial, file);
    return true;
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "EEXIST") return false;
    throw new SetupError(
      `The master key cannot be written to ${file}; make its folder writable for this user`,
      { cause },
    );
  } finally {
    rmSync(partial, { force: true });
    if (existsSync(file)) syncFolder(file);
  }
}

const hasId = (key: MasterKey | null, id: string | null): boolean =>
  key !== null && (id === null || key.id === id);

/** A key from the settings; only changed settings replace it. */
const configuredKey = (location: string, read: () => MasterKey | null): MasterKeys => ({
  location,
  isDefaultFile: false,
  find: (id) => {
    const key = read();
    return hasId(key, id) ? key : null;
  },
  getOrCreate: () => read() ?? missingKey(location),
  prepareRotation: () => {
    throw new SetupError(
      `The master key is set by ${location}; name a file for the new key with --new-key-file`,
    );
  },
  finishRotation: () => {},
});

function missingKey(location: string): never {
  throw new SetupError(`There is no master key in ${location}`);
}

function syncFolder(file: string): void {
  const handle = openSync(dirname(file), "r");
  fsyncSync(handle);
  closeSync(handle);
}
