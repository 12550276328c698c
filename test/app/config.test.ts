import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { describeConfig, environmentFault, misspeltNotes, readConfig } from "../../src/app/config.ts";
import { PROVIDER_NAMES, PROVIDERS, type ProviderFacts } from "../../src/app/provider-table.ts";
import { secretsOf } from "../../src/app/providers/provider-status.ts";
import { SetupError } from "../../src/lib/setup-error.ts";

/** Error message for an invalid environment. */
function refusal(env: NodeJS.ProcessEnv): string {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof SetupError) return error.message;
  }
  throw new Error("these settings are not refused");
}

it("misspelt names of settings in the environment are noted without their values", () => {
  const env = {
    MARKT_DATA: "live",
    METRICS_TOKENS: "secret-secret",
    PROT: "1",
    MARKET_DATA: "live",
    PATHS: "x",
    HOME: "/",
  };
  expect(misspeltNotes(env)).toEqual([
    "the environment has MARKT_DATA; did you mean MARKET_DATA?",
    "the environment has METRICS_TOKENS; did you mean METRICS_TOKEN?",
  ]);
});

describe("readConfig", () => {
  it("returns defaults for an empty environment", () => {
    expect(readConfig({})).toEqual({
      PORT: 8787,
      HOST: "127.0.0.1",
      BACKUP_EVERY: "1d",
      BACKUP_KEEP: 7,
      ALLOWED_HOSTS: [],
      CORS_ORIGINS: [],
      OAUTH: "auto",
      TRADING_LIVE: false,
      TRADING_RISK_PCT: "0.5",
      PAPER_EQUITY: "100000",
      WEBHOOKS: "on",
      WEBHOOK_ALLOW: [],
      SMTP_TO: [],
      TRUST_PROXY: false,
      DATA_DIR: expect.stringMatching(/^\/.*\.market-signal$/),
      MARKET_DATA: "sample",
      PROVIDERS: "public",
      PROVIDERS_OFF: [],
      ALPACA_PLAN: "free",
      UNUSUAL_WHALES_PLAN: "personal",
      MASSIVE_PLAN: "free",
      TIINGO_PLAN: "free",
      FMP_PLAN: "free",
      CRYPTO_EXCHANGES: [],
      LOG_LEVEL: "info",
      LOG_FORMAT: "auto",
      CACHE_MB: 48,
      CHECK_RECORD: "on",
      PLAN_SCHEDULE: "A",
    });
  });

  it("parses the settings", () => {
    const config = readConfig({
      PORT: "0",
      PUBLIC_URL: "https://signals.example.com",
      ALLOWED_HOSTS: "a.example.com, b.example.com,,",
      CORS_ORIGINS: "https://app.example.com, http://localhost:5173,,",
      TRUST_PROXY: "true",
      DATA_DIR: "data",
      MARKET_DATA: "files:/srv/bars",
      DEMO_SYMBOL: "btc/usd",
      PLAN_SCHEDULE: "B",
      METRICS_TOKEN: "0123456789abcdef",
      HOME: "/ignored",
    });
    expect(config).toMatchObject({
      PORT: 0,
      PUBLIC_URL: "https://signals.example.com",
      ALLOWED_HOSTS: ["a.example.com", "b.example.com"],
      CORS_ORIGINS: ["https://app.example.com", "http://localhost:5173"],
      TRADING_LIVE: false,
      TRUST_PROXY: true,
      DATA_DIR: join(process.cwd(), "data"),
      MARKET_DATA: "files:/srv/bars",
      DEMO_SYMBOL: "btc/usd",
      PLAN_SCHEDULE: "B",
      METRICS_TOKEN: "0123456789abcdef",
    });
    expect(config).not.toHaveProperty("HOME");
  });

  it("reads a plan in any case", () => {
    expect(readConfig({ ALPACA_PLAN: " Algo_Trader_Plus " }).ALPACA_PLAN).toBe("algo_trader_plus");
  });

  it("treats an empty setting as absent", () => {
    const names = describeConfig({}).map(({ name }) => name);
    const empty = Object.fromEntries(names.map((name) => [name, ""]));
    expect(readConfig(empty)).toEqual(readConfig({}));
  });

  it.each([
    ["1", true],
    ["true", true],
    ["0", false],
    ["false", false],
  ])("reads the flag %o as %o", (text, flag) => {
    expect(readConfig({ TRUST_PROXY: text }).TRUST_PROXY).toBe(flag);
  });

  it.each(["*", "chrome-extension://abcdef", "https://[::1]:8443"])("reads the origin %s", (origin) => {
    expect(readConfig({ CORS_ORIGINS: origin }).CORS_ORIGINS).toEqual([origin]);
  });

  it.each([
    ...[
      "app.example.com",
      "https://app.example.com/",
      "https://App.example.com",
      "https://app.example.com:443",
    ],
    ...["https://*.example.com", "*, https://app.example.com", "null", "https://me@app.example.com"],
  ])("rejects the origin %s", (origin) => {
    expect(refusal({ CORS_ORIGINS: origin })).toBe(
      "CORS_ORIGINS: must be origins such as https://app.example.com, without a path and separated by commas, or * for all. `market-signal config` lists the settings.",
    );
  });

  it.each([
    ["PORT", "http", "must be a port number, 0 to 65535"],
    ["PORT", "70000", "must be a port number, 0 to 65535"],
    ["PORT", "-1", "must be a port number, 0 to 65535"],
    ["PORT", "80.5", "must be a port number, 0 to 65535"],
    ...["127.0.0.1:9000", "nas.local:9000", "http://nas.local", "10.0.0.0/40", "1.2.3"].map((entry) => [
      "WEBHOOK_ALLOW",
      entry,
      "must be host names, addresses or networks such as 192.168.1.0/24, without a port, separated by commas",
    ]),
    ["PUBLIC_URL", "signals.example.com", "must be an http or https URL"],
    ["PUBLIC_URL", "javascript:alert(1)", "must be an http or https URL"],
    ["TRUST_PROXY", "yes", "must be 1 or 0"],
    ["TRADING_RISK_PCT", "-0.1", "must be a number from 0 to 1, such as 0.5"],
    ["TRADING_RISK_PCT", "1.01", "must be a number from 0 to 1, such as 0.5"],
    ["MARKET_DATA", "file:/srv/bars", "must be sample, live or files:<dir>"],
    ["MARKET_DATA", "files:", "must be sample, live or files:<dir>"],
    [
      "PROVIDERS_OFF",
      "yahoo,bloomberg",
      `must be names among ${PROVIDER_NAMES.join(", ")}, separated by commas`,
    ],
    ["PROVIDERS", "free", "must be licensed, public or all"],
    ["ALPACA_PLAN", "premium", "must be free or algo_trader_plus"],
    ["MASSIVE_PLAN", "basic", "must be free, starter, developer or advanced"],
    ["UNUSUAL_WHALES_PLAN", "free", "must be personal, startup or startup_annual"],
    ["CRYPTO_EXCHANGES", "bit stamp", "must be names of exchanges as ccxt writes them, separated by commas"],
    ["FINNHUB_TOKEN", "short", "must be at least 8 characters"],
    ["TIINGO_TOKEN", "two words and more", "must be printable ASCII without spaces"],
    ["PROVIDER_URL_YAHOO", "yahoo", "must be an http or https URL"],
    ["LOG_LEVEL", "loud", "must be silent, error, warn, info or debug"],
    ["PLAN_SCHEDULE", "C", "must be A or B"],
    ["METRICS_TOKEN", "short", "must be at least 16 characters"],
  ])("rejects %s=%s in one line with the required form", (name, value, why) => {
    expect(refusal({ [name]: value })).toBe(`${name}: ${why}. \`market-signal config\` lists the settings.`);
  });

  it("reports all invalid settings at once, without secret values", () => {
    const message = refusal({ PORT: "http", LOG_LEVEL: "loud", METRICS_TOKEN: "hunter2" });
    for (const name of ["PORT", "LOG_LEVEL", "METRICS_TOKEN"]) expect(message).toContain(`${name}: must be`);
    expect(message).not.toContain("hunter2");
    expect(message).not.toContain("\n");
  });
});

describe("the master key", () => {
  const hex = "0F".repeat(32);
  const base64 = Buffer.alloc(32, 251).toString("base64");

  it.each([hex, base64, base64.replaceAll("+", "-").replace("=", ""), ` ${hex}\n`])("may be %j", (text) =>
    expect(readConfig({ MASTER_KEY: text }).MASTER_KEY).toBe(text.trim()),
  );

  it.each(["hunter2", hex.slice(1), `${base64}=`, base64.slice(2)])(
    "rejects %j without repeating it",
    (text) => {
      const message = refusal({ MASTER_KEY: text });
      expect(message).toContain("MASTER_KEY: must be 32 bytes in base64 or hex");
      expect(message).not.toContain(text);
    },
  );

  it("is set either directly or by a file with an absolute path", () => {
    expect(readConfig({ MASTER_KEY_FILE: "a.key" }).MASTER_KEY_FILE).toBe(resolve("a.key"));
    expect(refusal({ MASTER_KEY: hex, MASTER_KEY_FILE: "a.key" })).toContain(
      "MASTER_KEY: must be omitted if MASTER_KEY_FILE is set",
    );
  });
});

describe("describeConfig", () => {
  const env = {
    PORT: "9000",
    HOST: "",
    METRICS_TOKEN: "a-token-of-sixteen-or-more",
    MASTER_KEY: "0f".repeat(32),
    DATABASE_URL: "postgres://someone:hunter2@db.example.com/signals",
    REDIS_URL: "redis://:hunter2@cache.example.com",
  };
  const settings = describeConfig(env);
  const setting = (name: string) => settings.find((one) => one.name === name);

  it("shows the origin of each setting", () => {
    expect(setting("PORT")).toMatchObject({ value: "9000", source: "environment" });
    expect(setting("HOST")).toMatchObject({ value: "127.0.0.1", source: "default" });
    expect(setting("DEMO_SYMBOL")).toMatchObject({ value: null, source: "default" });
    expect(setting("ALLOWED_HOSTS")).toMatchObject({ value: null, source: "default" });
  });

  it("shows only whether a secret is set", () => {
    for (const name of ["METRICS_TOKEN", "MASTER_KEY", "DATABASE_URL", "REDIS_URL"])
      expect(setting(name)).toMatchObject({ value: "set", source: "environment" });
    expect(JSON.stringify(settings)).not.toMatch(/hunter2|0f0f|a-token-of/);
    expect(describeConfig({}).find(({ name }) => name === "MASTER_KEY")?.value).toBeNull();
  });

  it("gives the required form of invalid settings, and never shows a secret", () => {
    const bad = describeConfig({ PORT: "http", HOST: "::1", METRICS_TOKEN: "hunter2", LOG_LEVEL: "loud" });
    expect(bad.filter(({ source }) => source === "environment")).toEqual([
      expect.objectContaining({ name: "PORT", value: "http", fault: "must be a port number, 0 to 65535" }),
      expect.not.objectContaining({ fault: expect.anything() }),
      expect.objectContaining({ name: "LOG_LEVEL", value: "loud" }),
      expect.objectContaining({
        name: "METRICS_TOKEN",
        value: "set",
        fault: "must be at least 16 characters",
      }),
    ]);
  });

  it("shows no provider key", () => {
    const settings = Object.values(PROVIDERS).flatMap(({ setting, secondSetting }: ProviderFacts) => [
      setting,
      secondSetting,
    ]);
    const keys = settings.filter((name) => name != null && name !== "SEC_CONTACT") as string[];
    const all = [...keys, "COINGECKO_KEY"];
    expect(all.length).toBeGreaterThan(5);
    const described = describeConfig(Object.fromEntries(all.map((name) => [name, "hunter2-and-more"])));
    for (const name of all) expect(described.find((one) => one.name === name)?.value).toBe("set");
    const config = readConfig(Object.fromEntries(all.map((name, i) => [name, `secret-of-${i}`])));
    expect(new Set(secretsOf(config))).toEqual(new Set(all.map((_, i) => `secret-of-${i}`)));
  });

  it.each([
    "http://me:hunter2@replay.example",
    "http://replay.example/?key=hunter2",
    "http://replay.example/#x",
    "http://replay.example?",
  ])("rejects the provider URL %s and does not repeat it", (url) => {
    expect(refusal({ PROVIDER_URL_YAHOO: url })).toMatch(
      /^PROVIDER_URL_YAHOO: must not contain user, password/,
    );
    const settings = describeConfig({ PROVIDER_URL_YAHOO: url }).find(
      ({ name }) => name === "PROVIDER_URL_YAHOO",
    );
    expect(settings).toMatchObject({ value: "set", fault: expect.stringContaining("must not contain") });
  });

  it("lists the allowed values of a setting", () => {
    expect(setting("FMP_PLAN")).toMatchObject({
      value: "free",
      purpose:
        "Plan of Financial Modeling Prep: free (250 calls a day); starter (300 calls a minute); premium (750 calls a minute) or ultimate (3,000 calls a minute)",
    });
    expect(setting("PLAN_SCHEDULE")?.purpose).toMatch(/: A or B$/);
    expect(setting("LOG_LEVEL")?.purpose).toMatch(/: silent, error, warn, info or debug$/);
  });

  it("describes every setting once", () => {
    expect(settings.filter(({ purpose }) => purpose === "")).toEqual([]);
    expect(new Set(settings.map(({ name }) => name)).size).toBe(settings.length);
  });
});

describe("environmentFault", () => {
  it("lets no server start with the variables of a test run, except in one", () => {
    const fault = "NODE_ENV=test and TEST switch off checks of sign-in: unset them";
    expect(environmentFault({ NODE_ENV: "test" })).toBe(fault);
    expect(environmentFault({ TEST: "1" })).toBe(fault);
    expect(environmentFault({ NODE_ENV: "production" })).toBeNull();
    expect(environmentFault({ NODE_ENV: "test", VITEST: "true" })).toBeNull();
  });
});
