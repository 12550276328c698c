import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeConfig, readConfig } from "../../src/app/config.ts";
import { SETTING_NAMES } from "../../src/app/setting-table.ts";
import { readSettingsFile, writeToSettingsFile } from "../../src/app/settings-file.ts";
import { tempDir } from "../support/temp-dir.ts";

/** A data folder with this settings file. */
function folderWith(text: string): string {
  const dir = tempDir();
  writeFileSync(join(dir, "config.toml"), text);
  return dir;
}

const textOf = (dir: string): string => readFileSync(join(dir, "config.toml"), "utf8");

describe("readSettingsFile", () => {
  it("reads names in lower case, with texts, numbers, truth values and lists", async () => {
    const dir = folderWith(
      [
        "# my server",
        "port = 9000",
        'market_data = "live"',
        "trust_proxy = true",
        "trading_risk_pct = 0.25",
        'allowed_hosts = ["a.example.com", "b.example.com"]',
        'demo_symbol = ""',
      ].join("\n"),
    );
    const file = await readSettingsFile(dir);
    expect(readConfig({}, { file })).toMatchObject({
      PORT: 9000,
      MARKET_DATA: "live",
      TRUST_PROXY: true,
      TRADING_RISK_PCT: "0.25",
      ALLOWED_HOSTS: ["a.example.com", "b.example.com"],
    });
    expect(readConfig({}, { file })).not.toHaveProperty("DEMO_SYMBOL");
    expect(file.values.get("MARKET_DATA")).toEqual({ text: "live", line: 3 });
  });

  it("reads relative paths as paths in the data folder", async () => {
    const dir = folderWith('market_data = "files:bars"\noption_tape = "tape.csv"\nmaster_key_file = "/k"\n');
    expect(readConfig({}, { file: await readSettingsFile(dir) })).toMatchObject({
      MARKET_DATA: `files:${join(dir, "bars")}`,
      OPTION_TAPE: join(dir, "tape.csv"),
      MASTER_KEY_FILE: "/k",
    });
  });

  it("has no values without a file", async () => {
    expect((await readSettingsFile(join(tempDir(), "absent"))).values.size).toBe(0);
  });

  it.each([
    ["port = 1\nprot = 9000", 'line 2: there is no setting "prot"; the nearest name is port'],
    ["PORT = 9000", 'line 1: there is no setting "PORT"; the nearest name is port'],
    ["\n[server]\nport = 1", 'line 2: there is no setting "server"; the nearest name is '],
    [
      "port = { a = 1 }",
      "line 1: port must be a text in quotes, a number, true or false, or a list of these",
    ],
    [
      "port = 2026-01-01",
      "line 1: port must be a text in quotes, a number, true or false, or a list of these",
    ],
    ["host = localhost", "line 1: not valid TOML ("],
    ['port = 1\n\nhost = "a', "line 3: not valid TOML ("],
    ["port = 1\nport = 2", "line 2: not valid TOML ("],
    ['data_dir = "/x"', "line 1: data_dir cannot be set here, because config.toml is stored in that folder"],
    [
      'master_key = "0f"',
      "line 1: master_key cannot be set here, because it decrypts the vault in that folder",
    ],
  ])("refuses %j in one line with the file and the line", async (text, reason) => {
    const dir = folderWith(text);
    const refused = await readSettingsFile(dir).catch((error: Error) => error);
    expect(refused).toMatchObject({ name: "SetupError" });
    const { message } = refused as Error;
    expect(message.startsWith(`${join(dir, "config.toml")}, ${reason}`), message).toBe(true);
    expect(message).not.toContain("\n");
  });

  it("refuses a secret in plain text without repeating it", async () => {
    const dir = folderWith('metrics_token = "hunter2-and-much-more"');
    await expect(readSettingsFile(dir)).rejects.toThrow(
      `${join(dir, "config.toml")}, line 1: metrics_token is a secret, which is never stored in plain text; remove the line and run \`market-signal config set METRICS_TOKEN\``,
    );
  });

  it("refuses a folder in place of the file", async () => {
    const dir = tempDir();
    mkdirSync(join(dir, "config.toml"));
    await expect(readSettingsFile(dir)).rejects.toThrow(
      `${join(dir, "config.toml")} cannot be read (EISDIR); make it a file that this user can read`,
    );
  });
});

describe("the order of sources", () => {
  it("is option, environment, file, default", async () => {
    const file = await readSettingsFile(folderWith('port = 1\nhost = "::1"\nlog_level = "warn"\n'));
    const sources = { file, options: { PORT: "3" } };
    const env = { PORT: "2", HOST: "127.0.0.2" };
    expect(readConfig(env, sources)).toMatchObject({
      PORT: 3,
      HOST: "127.0.0.2",
      LOG_LEVEL: "warn",
      CACHE_MB: 48,
    });
    const shown = describeConfig(env, sources).map(({ name, value, source }) => `${name}=${value} ${source}`);
    for (const line of [
      "PORT=3 option",
      "HOST=127.0.0.2 environment",
      "LOG_LEVEL=warn config.toml",
      "CACHE_MB=48 default",
    ])
      expect(shown).toContain(line);
  });

  it("names the place of a wrong value", async () => {
    const dir = folderWith('\nport = "http"\n');
    const file = await readSettingsFile(dir);
    const place = join(dir, "config.toml");
    expect(() => readConfig({}, { file, options: { CACHE_MB: "1" } })).toThrow(
      `${place}, line 2: port: must be a port number, 0 to 65535; --cache-mb: must be a whole number from 8 to 4096. \`market-signal config\` lists the settings.`,
    );
    expect(readConfig({ PORT: "9000" }, { file }).PORT).toBe(9000);
  });

  it("shows sealed secrets without their values", () => {
    const tokenOf = (sealed: ReadonlySet<"METRICS_TOKEN"> | null, env = {}) => {
      const { value, source } = describeConfig(env, { sealed }).find(({ name }) => name === "METRICS_TOKEN")!;
      return { value, source };
    };
    const sealed = new Set(["METRICS_TOKEN"] as const);
    expect(tokenOf(sealed)).toEqual({ value: "set (sealed)", source: "vault" });
    expect(tokenOf(sealed, { METRICS_TOKEN: "hunter2-and-more" })).toEqual({
      value: "set",
      source: "environment",
    });
    expect(tokenOf(null)).toEqual({ value: "unknown: the vault cannot be read", source: "default" });
  });
});

describe("writeToSettingsFile", () => {
  it("creates the folder and a file that only its owner can read", async () => {
    const dir = join(tempDir(), "data");
    await writeToSettingsFile(dir, "PORT", "9000");
    await writeToSettingsFile(dir, "MARKET_DATA", "live");
    await writeToSettingsFile(dir, "TRUST_PROXY", "true");
    expect(textOf(dir)).toBe('port = 9000\nmarket_data = "live"\ntrust_proxy = true\n');
    expect(statSync(join(dir, "config.toml")).mode & 0o777).toBe(0o600);
    expect(statSync(dir).mode & 0o777).toBe(0o700);
  });

  it("replaces or removes one value, of several lines too, and leaves the rest", async () => {
    const before =
      '# hosts\nallowed_hosts = [\n  "a.example.com", # first\n]\n\nport = 1 # the port\nhost = "::1"\n';
    const dir = folderWith(before);
    await writeToSettingsFile(dir, "ALLOWED_HOSTS", "b.example.com");
    expect(textOf(dir)).toBe(
      '# hosts\nallowed_hosts = "b.example.com"\n\nport = 1 # the port\nhost = "::1"\n',
    );
    await writeToSettingsFile(dir, "PORT", null);
    await writeToSettingsFile(dir, "PORT", null);
    expect(textOf(dir)).toBe('# hosts\nallowed_hosts = "b.example.com"\n\nhost = "::1"\n');
  });

  it("changes nothing in a file that it cannot edit", async () => {
    const text = 'cors_origins = """\nport = 1\n"""\n';
    const dir = folderWith(text);
    await expect(writeToSettingsFile(dir, "PORT", "2")).rejects.toThrow("edit its line");
    expect(textOf(dir)).toBe(text);
    const broken = folderWith("port = = 1\n");
    await expect(writeToSettingsFile(broken, "HOST", "::1")).rejects.toThrow(/line 1: not valid TOML/);
    expect(textOf(broken)).toBe("port = = 1\n");
  });

  it.each(["9007199254740993", "1e3", "007", "-0", 'a"b\\c', "files:/x y", "0.10", "true"])(
    "returns the text %j as it was stored",
    async (text) => {
      const dir = tempDir();
      await writeToSettingsFile(dir, "DEMO_SYMBOL", text);
      expect((await readSettingsFile(dir)).values.get("DEMO_SYMBOL")?.text).toBe(text);
    },
  );

  it("leaves no other file behind", async () => {
    const dir = tempDir();
    for (const name of SETTING_NAMES.slice(0, 2)) await writeToSettingsFile(dir, name, "1");
    expect(existsSync(join(dir, "start.lock"))).toBe(true);
    expect(textOf(dir)).toBe("port = 1\nhost = 1\n");
  });
});
