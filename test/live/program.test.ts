import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROVIDERS as FACTS, PROVIDER_NAMES } from "../../src/app/provider-table.ts";
import type { Check } from "../../src/transports/cli/host.ts";
import { type Replay, startReplay } from "../replay/server.ts";
import { createWorld } from "../replay/shared-world.ts";
import { VENDORS } from "../replay/vendors.ts";
import { compile } from "../support/compiled.ts";
import { heard, KEYS } from "../support/live.ts";
import { runProgram, start } from "../support/program.ts";
import { tempDir } from "../support/temp-dir.ts";
import { KEY_SETTINGS, KEYLESS, KEYLESS_PRICES } from "../support/vendors.ts";

const MINUTES = { timeout: 180_000 };

const built = compile();
const program = built.product;
afterAll(() => built.remove());

let replay: Replay;
beforeAll(async () => {
  replay = await startReplay({ world: createWorld({ now: Date.now, data: null }), vendors: VENDORS });
});
afterAll(() => replay.close());

const settings = (more: Record<string, string> = {}) => {
  const dir = tempDir();
  const env = { HOME: dir, DATA_DIR: join(dir, "data"), PORT: "0", LOG_LEVEL: "error", MARKET_DATA: "live" };
  return { ...env, ...replay.env, ...more };
};

describe("serve with live prices", () => {
  it("names the sources it calls and whose their terms are, and answers from them", MINUTES, async () => {
    const env = settings();
    const server = start([...program, "serve"], env);
    const [, url] = await server.says(/docs {5}(http:\/\/127\.0\.0\.1:\d+)\/docs/);
    await server.says(/PROVIDERS_OFF=<names> switches off/);
    const banner = server.seen.out.replace(/\s+/g, " ");
    const all = PROVIDER_NAMES.length;
    expect(banner).toMatch(
      new RegExp(`Prices of stand-ins for ${all} of ${all} sources: no real market, \\d{4,} symbols known`),
    );
    expect(banner).toContain("Their terms are yours to accept; npx market-signal doctor names them");
    for (const name of KEYLESS) expect(banner).toContain(`${name} (at ${replay.url(name)})`);
    expect(banner).toContain(`better with a key: ${KEY_SETTINGS.join(", ")}`);
    expect(banner).not.toMatch(/sample|simulated/i);

    const key = readFileSync(join(env.DATA_DIR, "first-key.txt"), "utf8").trim();
    const answer = await fetch(`${url}/api/v1/quote/BTC-USD`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect([answer.status, answer.headers.get("market-data")]).toEqual([200, "live"]);
    expect(await answer.json()).toMatchObject({
      symbol: "BTC-USD",
      data: { source: "coinbase", price_source: "live_quote", currency: "USD" },
      provenance: { provider: "coinbase", stale: false },
    });
    expect(heard(replay).coinbase).toBeGreaterThan(0);
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
    expect(server.seen.err).toBe("");
  });
});

describe("without a connection", () => {
  const nobody = { off: new Set(VENDORS.map(({ name }) => name)) };
  beforeAll(() => replay.set(nobody));
  afterAll(() => replay.set({}));

  it("the server says so in one line, and logs no stack of what was to be expected", MINUTES, async () => {
    const server = start([...program, "serve"], settings({ LOG_LEVEL: "info" }));
    await server.says(/no source has answered yet \(yahoo, cboe, nasdaq\): is this machine online\?/);
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
    const lines = server.seen.err.trim().split("\n");
    const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const events = logged.map(({ event }) => event);
    expect(events).toEqual(expect.arrayContaining(["listings_not_refreshed", "upkeep"]));
    expect(logged.filter(({ cause }) => cause !== undefined)).toEqual([]);
  });

  it("the doctor fails, and names what half a key lacks", MINUTES, async () => {
    const { code, out } = await runProgram(
      [...program, "doctor"],
      settings({ ALPACA_KEY_ID: KEYS.ALPACA_KEY_ID!, PROVIDERS_OFF: "yahoo,cboe,nasdaq" }),
    );
    expect(code).toBe(1);
    expect(out).toContain("fail US prices: no source of them is switched on: see PROVIDERS_OFF\n");
    expect(out).toMatch(/^fail crypto prices: none of coinbase, .* answers: is this machine online\?$/m);
    expect(out).toMatch(/^note alpaca: not asked, it needs ALPACA_SECRET_KEY as well\. /m);
    expect(out).toMatch(/^- {4}finnhub: needs FINNHUB_TOKEN\. /m);
  });
});

describe("the doctor", () => {
  const secrets = Object.values(KEYS);
  const examined = async (argv: readonly string[], env: Record<string, string>) => {
    const { code, out, err } = await runProgram([...program, "doctor", ...argv, "--json"], env);
    expect(out + err).not.toMatch(new RegExp(secrets.join("|")));
    return { code, err, ...(JSON.parse(out) as { ok: boolean; checks: readonly Check[] }) };
  };

  it("says of each source how it is, what it gives and on which terms", MINUTES, async () => {
    const { code, ok, checks } = await examined([], settings({ PROVIDERS_OFF: "nasdaq" }));
    expect([code, ok]).toEqual([0, true]);
    const detail = new Map(checks.map(({ name, detail }) => [name, detail]));
    expect(detail.get("market")).toMatch(/^live, \d{4,} symbols known$/);
    for (const name of KEYLESS_PRICES.filter((one) => one !== "nasdaq")) {
      const { title, gives, terms } = FACTS[name];
      expect(detail.get(name)).toMatch(/^answers in \d+ ms, last at 20\d\d-/);
      expect(detail.get(name)).toContain(`, asked at ${replay.url(name)}. ${title}: ${gives}; ${terms}`);
    }
    expect(detail.get("nasdaq")).toMatch(/^off\. /);
    expect(detail.get("finnhub")).toMatch(/^needs FINNHUB_TOKEN\. /);
  });

  it(
    "asks every source for what it promises, and writes down the answers without a key",
    MINUTES,
    async () => {
      const env = settings({ ...KEYS, PROVIDERS_OFF: "massive" });
      const folder = join(env.HOME, "answers");
      const { code, checks } = await examined(["--live", "--record", folder], env);
      const bad = checks.filter(({ state }) => state === "fail");
      expect(bad).toEqual([]);
      expect(code).toBe(0);
      // one is switched off: its few calls a minute would be waited for
      const promised = checks.map(({ name }) => name.split(" ")).filter(([, ...what]) => what.length > 1);
      const asked = ["finnhub", "alpaca", "tiingo", ...KEYLESS_PRICES];
      expect(asked.filter((name) => !promised.some(([first]) => first === name))).toEqual([]);
      const files = readdirSync(folder);
      expect(files.length).toBeGreaterThan(40);
      expect(checks).toContainEqual({
        name: "record",
        state: "ok",
        detail: `${files.length} answers written to ${folder}`,
      });
      expect(checks.at(-1)).toMatchObject({ name: "live", state: "ok" });
      for (const file of files) {
        const text = readFileSync(join(folder, file), "utf8");
        for (const secret of secrets) expect(text).not.toContain(secret);
        expect(JSON.parse(text)).toMatchObject({
          url: expect.stringMatching(/^http/),
          status: expect.any(Number),
        });
      }
      expect(files.some((file) => file.includes("finnhub"))).toBe(true);
    },
  );
});
