import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checksumPath, isChecksumValid, removeChecksum, writeChecksum } from "../../src/store/checksum.ts";
import { openStore } from "../../src/store/open-store.ts";
import { stoppedClock } from "../support/context.ts";
import { addAccount } from "../support/store.ts";
import { tempDir } from "../support/temp-dir.ts";

const clock = stoppedClock();
const open = (dataDir: string) => openStore({ dataDir, clock });

describe("the checksum", () => {
  it("is valid until any byte of the file changes", () => {
    const file = join(tempDir(), "a.db");
    const bytes = Buffer.alloc(3_000_000, "abc");
    writeFileSync(file, bytes);
    expect(isChecksumValid(file)).toBeNull();
    writeChecksum(file);
    expect(isChecksumValid(file)).toBe(true);
    for (const at of [0, 1_048_576, 2_999_999]) {
      const changed = Buffer.from(bytes);
      changed[at] = 0;
      writeFileSync(file, changed);
      expect(isChecksumValid(file)).toBe(false);
    }
    removeChecksum(file);
    expect(isChecksumValid(file)).toBeNull();
  });

  it("is private and can be read by sha256sum", () => {
    const dir = tempDir();
    writeFileSync(join(dir, "a.db"), "abc");
    writeChecksum(join(dir, "a.db"));
    expect((statSync(checksumPath(join(dir, "a.db"))).mode & 0o777).toString(8)).toBe("600");
    expect(execFileSync("sha256sum", ["-c", "a.db.sha256"], { cwd: dir, encoding: "utf8" })).toBe(
      "a.db: OK\n",
    );
  });

  it("is null for a file left with a write-ahead log by a crash", () => {
    const file = join(tempDir(), "a.db");
    writeFileSync(file, "abc");
    writeChecksum(file);
    writeFileSync(`${file}-wal`, "frames");
    writeFileSync(file, "abd");
    expect(isChecksumValid(file)).toBeNull();
  });
});

describe("a sealed store", () => {
  it("explains how to continue after an intended change", async () => {
    const dataDir = join(tempDir(), "data");
    const { file, close } = await open(dataDir);
    await close();
    writeFileSync(file, Buffer.concat([readFileSync(file), Buffer.alloc(4096)]));
    const refused = (await open(dataDir).catch((cause: unknown) => cause)) as Error;
    const [explained, command = ""] = refused.message.split("run: ");
    expect(explained).toContain(
      `If ${file} was changed on purpose, delete ${checksumPath(file)}. Otherwise: The database ${file} is damaged.`,
    );
    execFileSync("sh", ["-n", "-c", command]); // The command ends the message.
  });

  it("is sealed only by the last of its processes to close", async () => {
    const dataDir = join(tempDir(), "data");
    const [one, two] = [await open(dataDir), await open(dataDir)];
    expect(existsSync(checksumPath(one.file))).toBe(false);
    await one.close();
    expect(existsSync(checksumPath(one.file))).toBe(false);
    await addAccount(two.db);
    await two.close();
    expect(isChecksumValid(one.file)).toBe(true);
    const again = await open(dataDir);
    expect(existsSync(checksumPath(one.file))).toBe(false);
    await again.close();
  });
});
