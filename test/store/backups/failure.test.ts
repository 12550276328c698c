import { chmodSync, chownSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { backupsFolderFault } from "../../../src/store/backups/failure.ts";
import { mainFile, recoveryMessage } from "../../../src/store/files.ts";
import { tempDir } from "../../support/temp-dir.ts";

const USER = 64_321;

/** A data folder with a folder of backups that belongs to a user. */
function withBackupsOf(uid: number): { readonly dataDir: string; readonly folder: string } {
  const dataDir = tempDir();
  const folder = join(dataDir, "backups");
  mkdirSync(folder, { mode: 0o700 });
  chownSync(folder, uid, uid);
  return { dataDir, folder };
}

describe("the folder of the backups", () => {
  it("has no fault before the first backup", () => {
    expect(backupsFolderFault(tempDir(), USER)).toBeNull();
  });

  it.skipIf(process.getuid?.() !== 0)("has none for its owner and for root", () => {
    const { dataDir } = withBackupsOf(USER);
    expect([USER, 0, null].map((user) => backupsFolderFault(dataDir, user))).toEqual([null, null, null]);
  });

  it.skipIf(process.getuid?.() !== 0)(
    "names its owner and the remedy where it belongs to another user",
    () => {
      const { dataDir, folder } = withBackupsOf(0);
      expect(backupsFolderFault(dataDir, USER)).toBe(
        `Backups cannot be written: the folder ${folder} belongs to root (0), and the server runs as 64321; run: sudo chown -R 64321 '${folder}'`,
      );
    },
  );

  it.skipIf(process.getuid?.() !== 0)("names the remedy where its owner may not write to it", () => {
    const { dataDir, folder } = withBackupsOf(USER);
    chmodSync(folder, 0o500);
    expect(backupsFolderFault(dataDir, USER)).toBe(
      `Backups cannot be written: the folder ${folder} of 64321 is read-only; run: chmod 700 '${folder}'`,
    );
  });

  it("is named where a damaged database cannot be restored from it", () => {
    const dataDir = tempDir();
    const folder = join(dataDir, "backups");
    writeFileSync(folder, "");
    expect(recoveryMessage(mainFile(dataDir), dataDir, new Date())).toBe(
      `The database ${mainFile(dataDir)} is damaged, and its backups cannot be read. Backups cannot be written: ${folder} is a file; run: mv '${folder}' '${folder}.old'`,
    );
  });
});
