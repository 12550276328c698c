import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeKeyFile, masterKeys, readKey } from "../../../src/access/vault/master-key.ts";
import { masterKey } from "../../../src/access/vault/vault.ts";
import { collectingLog } from "../../support/context.ts";
import { tempDir } from "../../support/temp-dir.ts";

const HEX = "0f".repeat(32);
const OTHER = "f0".repeat(32);

const folder = () => {
  const dir = tempDir();
  const { log, lines } = collectingLog();
  const keys = (settings: object = {}) => masterKeys({ DATA_DIR: dir, ...settings }, log);
  return { dir, file: join(dir, "master.key"), lines, keys };
};

describe("the master key of the data folder", () => {
  it("is created on first use, readable by the owner only, with a warning that does not contain it", () => {
    const { dir, file, lines, keys } = folder();
    expect(keys().find(null)).toBeNull();
    expect(existsSync(file)).toBe(false);
    const made = keys().getOrCreate();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(dir)).toEqual(["master.key"]);
    const text = readFileSync(file, "utf8");
    expect(text).toMatch(/^[\w+/]{43}=\n$/);
    expect(masterKey(text)?.id).toBe(made.id);
    expect(lines).toEqual([
      {
        level: "warn",
        event: "master_key_made",
        fields: {
          file,
          advice:
            "Copy it to a safe place: without it the stored broker credentials are lost, and the audit log can no longer be verified. Backups do not include it.",
        },
      },
    ]);
    expect(keys().getOrCreate().id).toBe(made.id);
    expect(keys().find(made.id)?.id).toBe(made.id);
    expect(keys().find("0000000000000000")).toBeNull();
    expect(lines).toHaveLength(1);
  });

  it("calls onCreated once", () => {
    const { dir, file } = folder();
    const created: string[] = [];
    const keys = masterKeys({ DATA_DIR: dir }, collectingLog().log, (...words) => created.push(...words));
    keys.getOrCreate();
    keys.getOrCreate();
    expect(created).toEqual([file, expect.stringContaining("Copy it to a safe place")]);
  });

  it("is never overwritten", () => {
    const { file } = folder();
    writeFileSync(file, HEX);
    expect(makeKeyFile(file)).toBe(false);
    expect(readFileSync(file, "utf8")).toBe(HEX);
  });

  it("is not created in an unwritable folder", () => {
    const { dir, lines, keys } = folder();
    const gone = masterKeys({ DATA_DIR: join(dir, "none") }, { info() {}, warn() {}, error() {} });
    expect(() => gone.getOrCreate()).toThrow(
      `The master key cannot be written to ${join(dir, "none", "master.key")}; make its folder writable for this user`,
    );
    expect(lines).toEqual([]);
    expect(keys().find(null)).toBeNull();
  });

  it.each(["", "not a key", "0f".repeat(31), `${HEX}${"\n".repeat(5_000)}`])(
    "is rejected from a file that contains %j",
    (text) => {
      const { file, keys } = folder();
      writeFileSync(file, text);
      expect(() => keys().find(null)).toThrow(
        `${file} contains no master key: it must be 32 bytes in base64 or hex`,
      );
    },
  );

  it("is rejected from a folder", () => {
    const { file, keys } = folder();
    mkdirSync(file);
    expect(() => keys().getOrCreate()).toThrow(`The master key in ${file} cannot be read`);
    chmodSync(file, 0o700);
  });

  it("is found by either id during rotation, and the current one does not change", () => {
    const { keys } = folder();
    const old = keys().getOrCreate();
    const next = keys().prepareRotation();
    expect(next.id).not.toBe(old.id);
    expect(keys().find(null)?.id).toBe(old.id);
    expect(keys().find(next.id)?.id).toBe(next.id);
    expect(keys().find(old.id)?.id).toBe(old.id);
  });

  it("is replaced only when the seals are under the new one", () => {
    const { dir, file, keys } = folder();
    const old = keys().getOrCreate();
    keys().prepareRotation();
    keys().finishRotation(old.id);
    expect(keys().getOrCreate().id).toBe(old.id);
    const next = keys().prepareRotation();
    keys().finishRotation(next.id);
    expect(keys().find(null)?.id).toBe(next.id);
    expect(keys().find(old.id)).toBeNull();
    expect(readdirSync(dir)).toEqual(["master.key"]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    keys().finishRotation(next.id);
    expect(keys().getOrCreate().id).toBe(next.id);
  });
});

describe("the master key of the settings", () => {
  it("is taken from MASTER_KEY, and nothing is written", () => {
    const { dir, keys } = folder();
    const given = keys({ MASTER_KEY: HEX });
    expect(given.getOrCreate().id).toBe(masterKey(HEX)?.id);
    expect(given.find(masterKey(OTHER)!.id)).toBeNull();
    expect({ location: given.location, own: given.isDefaultFile }).toEqual({
      location: "MASTER_KEY",
      own: false,
    });
    expect(readdirSync(dir)).toEqual([]);
  });

  it("is read from MASTER_KEY_FILE on each call, which is never created", () => {
    const { dir, keys } = folder();
    const file = join(dir, "elsewhere.key");
    const given = keys({ MASTER_KEY_FILE: file });
    expect(given.find(null)).toBeNull();
    expect(() => given.getOrCreate()).toThrow(`There is no master key in MASTER_KEY_FILE ${file}`);
    expect(existsSync(file)).toBe(false);
    for (const text of [HEX, OTHER]) {
      writeFileSync(file, `${text}\n`);
      expect(given.getOrCreate().id).toBe(masterKey(text)?.id);
    }
    expect(readKey(file)?.id).toBe(masterKey(OTHER)?.id);
  });

  it("is rejected when invalid, without its text in the error", () => {
    const { keys } = folder();
    expect(() => keys({ MASTER_KEY: "hunter2-hunter2" })).toThrow(
      /^MASTER_KEY: must be 32 bytes in base64 or hex$/,
    );
  });

  it("is replaced only by other settings", () => {
    const { keys } = folder();
    expect(() => keys({ MASTER_KEY: HEX }).prepareRotation()).toThrow(
      "The master key is set by MASTER_KEY; name a file for the new key with --new-key-file",
    );
  });
});
