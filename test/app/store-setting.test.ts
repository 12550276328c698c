import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createApp } from "../../src/app/app.ts";
import { readConfig } from "../../src/app/config.ts";
import { openInstallation } from "../../src/app/installation.ts";
import { readSealedSettingNames } from "../../src/app/sealed-settings.ts";
import type { SettingName } from "../../src/app/setting-table.ts";
import { storeSetting } from "../../src/app/store-setting.ts";
import { collectingLog } from "../support/context.ts";
import { tempDir } from "../support/temp-dir.ts";

const SECRET = "canary-of-a-sealed-setting";

/** An empty data folder, and how to store settings in it. */
function testFolder() {
  const dataDir = join(tempDir(), "data");
  const configOf = (env = {}) =>
    readConfig({ DATA_DIR: dataDir, LOG_LEVEL: "silent", CACHE_MB: "2048", ...env });
  const log = () => ({ log: collectingLog().log });
  return {
    dataDir,
    configOf,
    store: (name: SettingName, text: string | null) =>
      storeSetting(name, text, {
        dataDir,
        folder: "/srv",
        openInstallation: () => openInstallation(configOf(), log()),
      }),
    /** The settings of a server on the folder. */
    async served(env = {}) {
      const app = await createApp(configOf(env), log());
      await app.close();
      return app.config;
    },
  };
}

describe("storeSetting", () => {
  it("stores a value in the settings file, with an absolute path", async () => {
    const { dataDir, store } = testFolder();
    const place = join(dataDir, "config.toml");
    expect(await store("MASTER_KEY_FILE", "keys/master")).toEqual({ place, wasSet: false });
    expect(readFileSync(place, "utf8")).toBe('master_key_file = "/srv/keys/master"\n');
    expect(await store("MASTER_KEY_FILE", null)).toEqual({ place, wasSet: true });
    expect(readFileSync(place, "utf8")).toBe("");
    expect(await store("MASTER_KEY_FILE", null)).toEqual({ place, wasSet: false });
  });

  it.each([
    ["LOG_FILE", "/missing/dir/x.log", "LOG_FILE /missing/dir/x.log cannot be written (ENOENT)"],
    ["MARKET_DATA", "files:/missing", 'MARKET_DATA: "/missing" is not a folder'],
    ["BACKUP_HOOK", "/missing", "BACKUP_HOOK /missing is not a program that this user can run"],
    ["BACKUP_HOOK", "/etc", "BACKUP_HOOK /etc is not a program that this user can run"],
    ["OPTION_TAPE", "/missing.csv", "OPTION_TAPE /missing.csv is not a file that this user can read"],
  ] as const)("refuses %s %s as the start would", async (name, text, message) => {
    const { dataDir, store } = testFolder();
    await expect(store(name, text)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining(message),
    });
    expect(existsSync(dataDir)).toBe(false);
  });

  it("accepts paths that a server can use, and leaves no log file behind", async () => {
    const { store } = testFolder();
    const folder = tempDir();
    writeFileSync(
      join(folder, "AAPL.csv"),
      "date,open,high,low,close,volume\n2026-01-02,1,2,1,2,100\n2026-01-05,1,2,1,2,100\n",
    );
    for (const [name, text] of [
      ["LOG_FILE", join(folder, "x.log")],
      ["MARKET_DATA", `files:${folder}`],
      ["BACKUP_HOOK", process.execPath],
      ["OPTION_TAPE", join(folder, "AAPL.csv")],
    ] as const)
      expect(await store(name, text)).toMatchObject({ wasSet: false });
    expect(readdirSync(folder)).toEqual(["AAPL.csv"]);
  });

  it("seals a secret in the vault, and a server uses it", async () => {
    const { dataDir, store, served } = testFolder();
    expect(await readSealedSettingNames(dataDir)).toEqual(new Set());
    expect((await served()).FINNHUB_TOKEN).toBeUndefined();
    const place = `the vault of ${dataDir}`;
    expect(await store("FINNHUB_TOKEN", SECRET)).toEqual({ place, wasSet: false });
    expect(await readSealedSettingNames(dataDir)).toEqual(new Set(["FINNHUB_TOKEN"]));
    expect((await served()).FINNHUB_TOKEN).toBe(SECRET);
    expect((await served({ FINNHUB_TOKEN: "from-the-environment" })).FINNHUB_TOKEN).toBe(
      "from-the-environment",
    );
    const files = readdirSync(dataDir, { withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(3);
    for (const { name } of files)
      expect(readFileSync(join(dataDir, name)).includes(SECRET), `${name} holds the secret`).toBe(false);
    expect(existsSync(join(dataDir, "config.toml"))).toBe(false);
    expect(await store("FINNHUB_TOKEN", null)).toEqual({ place, wasSet: true });
    expect(await store("FINNHUB_TOKEN", null)).toEqual({ place, wasSet: false });
    expect((await served()).FINNHUB_TOKEN).toBeUndefined();
  });

  it("keeps a sealed secret when the master key is rotated", async () => {
    const { configOf, store, served } = testFolder();
    await store("FINNHUB_TOKEN", SECRET);
    const { secretStore, close } = await openInstallation(configOf(), { log: collectingLog().log });
    await secretStore.rotate();
    await close();
    expect((await served()).FINNHUB_TOKEN).toBe(SECRET);
  });

  it("seals nothing without the master key of the other secrets", async () => {
    const { dataDir, store, served } = testFolder();
    await store("FINNHUB_TOKEN", SECRET);
    rmSync(join(dataDir, "master.key"));
    await expect(store("TIINGO_TOKEN", SECRET)).rejects.toThrow(/^1 secret is sealed by the master key/);
    await expect(served()).rejects.toThrow(/^1 secret is sealed by the master key/);
  });

  it.each([
    ["PORT", "http", "PORT: must be a port number, 0 to 65535", "Port of the HTTP server."],
    ["FINNHUB_TOKEN", "short", "FINNHUB_TOKEN: must be at least 8 characters", /^Key of Finnhub/],
    [
      "DATA_DIR",
      "/x",
      "DATA_DIR is not stored in the data folder",
      /^Because config.toml is stored in that folder/,
    ],
    ["MASTER_KEY", "0f".repeat(32), "MASTER_KEY is not stored in the data folder", /MASTER_KEY_FILE\.$/],
  ] as const)("refuses %s=%s and creates nothing", async (name, text, message, hint) => {
    const { dataDir, store } = testFolder();
    const refused = await store(name, text).catch((error: Error) => error);
    expect(refused).toMatchObject({ code: "INVALID_INPUT", message, hint: expect.stringMatching(hint) });
    expect(existsSync(dataDir)).toBe(false);
  });
});

it("does not know the sealed settings of a database that cannot be read", async () => {
  const dataDir = tempDir();
  writeFileSync(join(dataDir, "market-signal.db"), "no database");
  expect(await readSealedSettingNames(dataDir)).toBeNull();
});
