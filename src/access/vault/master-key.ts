import type { KeyObject } from "node:crypto";
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

/** Longer is no key. */
const MAX_BYTES = 4_096;
const ADVICE =
  "Copy it to a safe place: without it the stored broker credentials are lost, and the audit log can no longer be verified. Backups leave it out.";

export interface MasterKeySettings {
  readonly DATA_DIR: string;
  readonly MASTER_KEY?: string | undefined;
  readonly MASTER_KEY_FILE?: string | undefined;
}

/** Where the master key is, and the one that is to replace it while it is being replaced. Read anew at each call, so that a running server follows. */
export interface MasterKeys {
  /** In the words of an operator. */
  readonly place: string;
  /** Whether it is the file that is made in the data folder. */
  readonly isDefaultFile: boolean;
  /** The key of the id, or the one in use; null where it is not at hand. SetupError where what is there is no key. */
  find(id: string | null): MasterKey | null;
  /** The key in use, made where there is none and may be one. */
  getOrCreate(): MasterKey;
  /** Lays a new key beside the one in use; found by its id from now on. */
  prepareRotation(): MasterKey;
  /** Ends a replacement: the prepared key where it is that of the id, else the one that was. */
  finishRotation(id: string | null): void;
}

/** The master key as the settings say, else `master.key` in the data folder. `made` hears of a new one, where a person waits. */
export function masterKeys(
  settings: MasterKeySettings,
  log: Log,
  made: (file: string, advice: string) => void = () => {},
): MasterKeys {
  const { DATA_DIR, MASTER_KEY, MASTER_KEY_FILE } = settings;
  if (MASTER_KEY !== undefined) {
    const given = masterKey(MASTER_KEY);
    if (given === null) throw new SetupError("MASTER_KEY: must be 32 bytes in base64 or hex");
    return configuredKey("MASTER_KEY", () => given);
  }
  if (MASTER_KEY_FILE !== undefined)
    return configuredKey(`MASTER_KEY_FILE ${MASTER_KEY_FILE}`, () => readKey(MASTER_KEY_FILE));
  const file = join(DATA_DIR, "master.key");
  const next = `${file}.next`;
  const inUse = () => readKey(file);
  return {
    place: file,
    isDefaultFile: true,
    find: (id) => [inUse(), id === null ? null : readKey(next)].find((key) => hasId(key, id)) ?? null,
    getOrCreate() {
      const there = inUse();
      if (there !== null) return there;
      if (makeKeyFile(file)) {
        log.warn("master_key_made", { file, advice: ADVICE });
        made(file, ADVICE);
      }
      return inUse() ?? missingKey(file);
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

/** A key of this installation beside the database, made when it is first asked for: it keys hashes, and seals nothing. */
export function hashKey({ DATA_DIR }: Pick<MasterKeySettings, "DATA_DIR">): () => KeyObject {
  const file = join(DATA_DIR, "hash.key");
  return () => {
    if (!existsSync(file)) makeKeyFile(file);
    return (readKey(file) ?? missingKey(file)).secret;
  };
}

/** Reads a key file; null without one. SetupError where it cannot be read or holds no key. */
export function readKey(file: string): MasterKey | null {
  if (!existsSync(file)) return null;
  let text: string;
  try {
    const { size } = statSync(file);
    text = size > MAX_BYTES ? "" : readFileSync(file, "utf8");
  } catch (cause) {
    throw new SetupError(`The master key in ${file} cannot be read; let this user read that file`, { cause });
  }
  const key = masterKey(text);
  if (key === null) throw new SetupError(`${file} holds no master key: 32 bytes in base64 or hex`);
  return key;
}

/** Writes a new key, whole or not at all, for the owner's eyes alone; false where the file was there. */
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
    throw new SetupError(`The master key cannot be written to ${file}; this user must be able to`, { cause });
  } finally {
    rmSync(partial, { force: true });
    if (existsSync(file)) syncFolder(file);
  }
}

const hasId = (key: MasterKey | null, id: string | null): boolean =>
  key !== null && (id === null || key.id === id);

/** A key that the settings name is replaced by other settings alone. */
const configuredKey = (place: string, read: () => MasterKey | null): MasterKeys => ({
  place,
  isDefaultFile: false,
  find: (id) => {
    const key = read();
    return hasId(key, id) ? key : null;
  },
  getOrCreate: () => read() ?? missingKey(place),
  prepareRotation: () => {
    throw new SetupError(`The master key is set by ${place}; name a file for the new one by --new-key-file`);
  },
  finishRotation: () => {},
});

function missingKey(place: string): never {
  throw new SetupError(`There is no master key in ${place}`);
}

function syncFolder(file: string): void {
  const handle = openSync(dirname(file), "r");
  fsyncSync(handle);
  closeSync(handle);
}
