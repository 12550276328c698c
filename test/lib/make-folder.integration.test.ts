import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../src/lib/make-folder.ts";
import { tempDir } from "../support/temp-dir.ts";

describe("makeFolder", () => {
  it("creates missing parent folders with access for the owner only, and accepts an existing folder", () => {
    const dir = tempDir();
    const deep = join(dir, "a", "b");
    makeFolder(deep);
    makeFolder(deep);
    expect(statSync(deep).mode & 0o777).toBe(0o700);
    expect(statSync(join(dir, "a")).isDirectory()).toBe(true);
  });

  it("throws the system's error if the folder cannot be created", () => {
    const file = join(tempDir(), "file");
    writeFileSync(file, "");
    expect(() => makeFolder(join(file, "under"))).toThrow(/ENOTDIR/);
    expect(() => makeFolder("/proc/no/such")).toThrow(/ENOENT/);
  });
});
