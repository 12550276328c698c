import { chownSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SetupError } from "../../src/lib/setup-error.ts";
import { assertOwner, commandOnFolder } from "../../src/store/data-owner.ts";
import { tempDir } from "../support/temp-dir.ts";

/** A data folder that belongs to a user. Default: the user of this process. */
function folderOf(uid?: number): string {
  const dataDir = join(tempDir(), "data");
  mkdirSync(dataDir);
  if (uid !== undefined) chownSync(dataDir, uid, uid);
  return dataDir;
}

describe("the owner of a data folder", () => {
  it("runs commands as themselves", () => {
    const dataDir = folderOf();
    expect(() => assertOwner(dataDir, "keys list")).not.toThrow();
    expect(commandOnFolder(dataDir, "keys list")).toBe(`DATA_DIR='${dataDir}' market-signal keys list`);
  });

  it("is not needed for a folder that does not exist", () => {
    const dataDir = join(tempDir(), "none");
    expect(() => assertOwner(dataDir, "keys list")).not.toThrow();
    expect(commandOnFolder(dataDir, "keys list")).toBe(`DATA_DIR='${dataDir}' market-signal keys list`);
  });

  it.skipIf(process.getuid?.() !== 0)("runs the file of a program that npx started", () => {
    const dataDir = folderOf(1);
    const bin = join(dataDir, "node_modules/.bin");
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(dataDir, "main.js"), "");
    symlinkSync(join(dataDir, "main.js"), join(bin, "market-signal"));
    expect(commandOnFolder(dataDir, "keys list", join(bin, "market-signal"))).toBe(
      `sudo -u daemon env DATA_DIR='${dataDir}' node ${dataDir}/main.js keys list`,
    );
  });

  it.skipIf(process.getuid?.() !== 0).each([
    [64_321, "64321", "'#64321'"],
    [1, "daemon (1)", "daemon"],
  ])("is named by a refused command of another user: %i", (uid, described, user) => {
    const dataDir = folderOf(uid);
    expect(() => assertOwner(dataDir, "keys list")).toThrow(
      new SetupError(
        `DATA_DIR ${dataDir} belongs to another user, ${described}; run the command as that user: \`sudo -u ${user} env DATA_DIR='${dataDir}' market-signal keys list\`. Only if no server is to run there as that user: stop the server first, then take the folder over: \`sudo chown -R 0 '${dataDir}'\``,
      ),
    );
  });
});
