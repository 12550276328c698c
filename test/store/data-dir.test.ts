import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SetupError } from "../../src/lib/setup-error.ts";
import { prepareDataDir, privateFile } from "../../src/store/data-dir.ts";
import { tempDir } from "../support/temp-dir.ts";

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
const fault = (dataDir: string) => {
  try {
    prepareDataDir(dataDir);
    return null;
  } catch (thrown) {
    return thrown;
  }
};

describe("the data folder", () => {
  it("is created for its owner only", () => {
    const dataDir = join(tempDir(), "data");
    prepareDataDir(dataDir);
    expect(modeOf(dataDir)).toBe("700");
  });

  it("is restricted to its owner when others could read it", () => {
    const dataDir = join(tempDir(), "data");
    mkdirSync(dataDir);
    chmodSync(dataDir, 0o755);
    prepareDataDir(dataDir);
    expect(modeOf(dataDir)).toBe("700");
  });

  it("is refused with a command when others may write to it", () => {
    const dataDir = join(tempDir(), "it's data");
    mkdirSync(dataDir);
    chmodSync(dataDir, 0o777);
    const thrown = fault(dataDir) as Error;
    expect(thrown).toBeInstanceOf(SetupError);
    const [reason, command = ""] = thrown.message.split("; run: ");
    expect(reason).toBe(`DATA_DIR ${dataDir} can be changed by other users`);
    execFileSync("sh", ["-c", command]);
    expect(fault(dataDir)).toBeNull();
  });

  it.skipIf(process.getuid?.() !== 0)("is refused when it belongs to another user", () => {
    const dataDir = join(tempDir(), "data");
    mkdirSync(dataDir);
    chownSync(dataDir, 1234, 1234);
    expect(fault(dataDir)).toBeInstanceOf(SetupError);
    expect((fault(dataDir) as Error).message).toContain(
      `DATA_DIR ${dataDir} belongs to another user, 1234; run the command as that user: `,
    );
  });

  it.each([
    [
      "a missing parent",
      (dir: string) => join(dir, "no", "data"),
      "its parent folder does not exist; create that first",
    ],
    [
      "a file as parent",
      (dir: string) => join(dir, "file", "data"),
      "its parent is a file; name a folder inside a folder",
    ],
    [
      "a link to nowhere",
      (dir: string) => join(dir, "link"),
      "its parent folder does not exist; create that first",
    ],
  ])("rejects %s in one line", (_, at, reason) => {
    const dir = tempDir();
    writeFileSync(join(dir, "file"), "");
    symlinkSync(join(dir, "nowhere", "data"), join(dir, "link"));
    const thrown = fault(at(dir));
    expect(thrown).toBeInstanceOf(SetupError);
    expect((thrown as Error).message).toBe(`DATA_DIR ${at(dir)}: ${reason}`);
  });

  it("rejects a file in place of the folder", () => {
    const file = join(tempDir(), "file");
    writeFileSync(file, "");
    expect(fault(file)).toEqual(new SetupError(`DATA_DIR ${file} is a file; name a folder`));
  });

  it.skipIf(process.getuid?.() === 0)("rejects a parent that this user may not write to", () => {
    const parent = tempDir();
    chmodSync(parent, 0o500);
    expect(fault(join(parent, "data"))).toEqual(
      new SetupError(
        `DATA_DIR ${join(parent, "data")}: this user may not write there; change its owner or name another folder`,
      ),
    );
  });
});

describe("a private file", () => {
  it("is private together with its SQLite side files, and keeps its content", () => {
    const file = join(tempDir(), "a.db");
    for (const path of [file, `${file}-wal`, `${file}-shm`]) {
      writeFileSync(path, "kept");
      chmodSync(path, 0o644);
    }
    privateFile(file);
    expect([file, `${file}-wal`, `${file}-shm`].map(modeOf)).toEqual(["600", "600", "600"]);
    expect(statSync(file).size).toBe(4);
  });
});
