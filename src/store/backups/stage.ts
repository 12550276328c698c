import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, join, normalize } from "node:path";
import { makeFolder } from "../../lib/make-folder.ts";
import { SetupError } from "../../lib/setup-error.ts";
import { shellQuoted } from "../../lib/shell-quote.ts";
import { privateFile, SETTINGS_FILE, syncPath } from "../data-dir.ts";
import { countersFile, mainFile } from "../files.ts";
import { isOpenElsewhere } from "../in-use.ts";
import { Database } from "../sqlite/database.ts";
import { withStartLock } from "../start-lock.ts";
import { backupStamp } from "./backup.ts";
import { fileParts, removeContents } from "./contents.ts";
import type { OpenedBackup } from "./open-backup.ts";

/** Entries of a data folder that a restore leaves where they are. */
const RETAINED = /^(backups|start\.lock|aside-.*|restore-.*|copy-.*)$/;

/** Returns the entries of a data folder that a restore replaces; empty for a folder that is new or empty. */
export const contentEntries = (dataDir: string): readonly string[] =>
  existsSync(dataDir) ? readdirSync(dataDir).filter((name) => !RETAINED.test(name)) : [];

/** Creates a new folder inside the data folder, which becomes a data folder of its own. Returns its path. */
export function stagingFolder(dataDir: string, now: Date, purpose: "restore" | "copy" = "restore"): string {
  const folder = join(dataDir, `${purpose}-${backupStamp(now)}-${process.pid}`);
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

/** Writes the database and the files of a backup to the folder. */
export function stageBackup({ file, manifest }: OpenedBackup, folder: string): void {
  const target = mainFile(folder);
  copyFileSync(file, target, constants.COPYFILE_FICLONE);
  privateFile(target);
  const db = new Database(target);
  try {
    for (const { name } of manifest.files) {
      const path = join(folder, normalize(`/${name}`)); // never outside the folder
      makeFolder(dirname(path));
      const handle = openSync(path, "wx", 0o600);
      for (const part of fileParts(db, name)) writeSync(handle, part);
      closeSync(handle);
    }
    db.pragma("secure_delete = on");
    removeContents(db);
  } finally {
    db.close();
  }
}

/**
 * Moves the content of the data folder to a new folder `aside-<time>` in it, and the staged content in its place; the
 * settings file stays. Returns the path of the new folder; null if there was no content. @throws SetupError while a
 * server uses the data folder
 */
export function replaceContent(staged: string, dataDir: string, now: Date): Promise<string | null> {
  return withStartLock(dataDir, async () => {
    assertNotInUse(dataDir);
    const old = contentEntries(dataDir);
    const aside = join(dataDir, `aside-${backupStamp(now)}`);
    if (old.length > 0) mkdirSync(aside, { mode: 0o700 });
    for (const name of old) renameSync(join(dataDir, name), join(aside, name));
    for (const name of contentEntries(staged)) renameSync(join(staged, name), join(dataDir, name));
    const settings = join(aside, SETTINGS_FILE);
    if (existsSync(settings)) copyFileSync(settings, join(dataDir, SETTINGS_FILE));
    rmSync(staged, { recursive: true, force: true });
    syncPath(dataDir);
    return old.length > 0 ? aside : null;
  });
}

/**
 * Refuses a command, by default `restore`, that needs the data folder for itself. @throws SetupError if one has a
 * database of the folder open
 */
export function assertNotInUse(dataDir: string, command = "restore"): void {
  // every process opens both; a damaged database is left as it is
  const file = [countersFile(dataDir), mainFile(dataDir)].find((path) => existsSync(path));
  if (file !== undefined && isOpenElsewhere(file))
    throw new SetupError(
      `A server or command is using ${dataDir}; stop it, then ${command}. fuser -v ${shellQuoted(file)} lists its process`,
    );
}
