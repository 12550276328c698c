import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createApp } from "../../src/app/app.ts";
import { readConfig } from "../../src/app/config.ts";
import { PROVIDERS as FACTS, PROVIDER_NAMES } from "../../src/app/provider-table.ts";
import { ORDER } from "../../src/app/providers/prices.ts";
import { termsOf } from "../../src/app/providers/provider-terms.ts";
import type { Finding } from "../../src/transports/cli/host.ts";
import { replayInProcess } from "../replay/replay.ts";
import { type Replay, startReplay } from "../replay/server.ts";
import { createWorld } from "../replay/shared-world.ts";
import { VENDORS } from "../replay/vendors.ts";
import { type Compiled, compile } from "../support/compiled.ts";
import { collectingLog } from "../support/context.ts";
import { FIFTY, KEYS, requestCounts } from "../support/live.ts";
import { runProgram, start } from "../support/program.ts";
import { tempDir } from "../support/temp-dir.ts";
import { KEY_SETTINGS, KEYLESS, KEYLESS_PRICES } from "../support/vendors.ts";
import { testCli } from "../transports/cli/test-host.ts";

const LONG = { timeout: 180_000 };
const RESTRICTED = ["yahoo", "cboe", "nasdaq", "yahoofeed", "nasdaqfeed"] as const;
const OFFLINE = { off: new Set(VENDORS.map(({ name }) => name)) };
const world = createWorld({ now: Date.now });

/** Settings of a fresh data folder in the live market, at these provider addresses. */
function settings(addresses: Readonly<Record<string, string>>, more: Record<string, string> = {}) {
  const dir = tempDir();
  const env = { HOME: dir, DATA_DIR: join(dir, "data"), PORT: "0", LOG_LEVEL: "error", MARKET_DATA: "live" };
  return { ...env, ...addresses, ...more };
}

describe("serve with live prices, as a process", () => {
  let built: Compiled;
  let replay: Replay;
  beforeAll(async () => {
    built = await compile();
    replay = await startReplay({ world, vendors: VENDORS });
  });
  afterAll(async () => {
    await replay.close();
    built.remove();
  });

  it("prints its providers and their terms, and returns their prices", LONG, async () => {
    const env = settings(replay.env);
    const server = start([...built.product, "serve"], env);
    const [, url] = await server.says(/docs {5}(http:\/\/127\.0\.0\.1:\d+)\/docs/);
    await server.says(/PROVIDERS_OFF=<names> switches providers off/);
    const banner = server.seen.out.replace(/\s+/g, " ");
    const all = PROVIDER_NAMES.length;
    expect(banner).toMatch(
      new RegExp(
        `Prices from replacement URLs for ${all} of ${all} providers: not a real market, \\d{4,} symbols known`,
      ),
    );
    expect(banner).toMatch(
      /You accept their terms by using them; `node \S+main\.[jt]s doctor` lists the terms/,
    );
    expect(banner).toContain(
      "the terms of yahoo, cboe, nasdaq, cnbc, yahoofeed, nasdaqfeed restrict automated use: PROVIDERS=all accepts them, PROVIDERS=licensed stops calling these providers",
    );
    for (const name of KEYLESS) expect(banner).toContain(`${name} (at ${replay.url(name)})`);
    expect(banner).toContain(`more data with a key: ${KEY_SETTINGS.join(", ")}`);
    expect(banner).toMatch(
      /the first nightly run starts now in the background: \d+ coins, then \d+ large US stocks, largest first/,
    );
    expect(banner).not.toMatch(/sample|simulated/i);
    expect(await (await fetch(url!)).text()).toContain("not a real market");

    const key = readFileSync(join(env.DATA_DIR, "first-key.txt"), "utf8").trim();
    // A busy machine may exceed every provider's timeout; then another provider answers the next request.
    const response = await vi.waitFor(
      async () => {
        const headers = { authorization: `Bearer ${key}` };
        const quote = await fetch(`${url}/api/v1/quote/BTC-USD`, { headers });
        expect([quote.status, quote.headers.get("market-data")]).toEqual([200, "live"]);
        return quote;
      },
      { timeout: 60_000, interval: 500 },
    );
    const { symbol, data, provenance } = (await response.json()) as {
      symbol: string;
      data: { source: (typeof ORDER.crypto)[number] };
      provenance: object;
    };
    expect(ORDER.crypto).toContain(data.source);
    expect(requestCounts(replay)[data.source]).toBeGreaterThan(0);
    expect({ symbol, data, provenance }).toMatchObject({
      symbol: "BTC-USD",
      data: { price_source: "live_quote", currency: "USD" },
      provenance: { provider: data.source, stale: false },
    });
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
    expect(server.seen.err).toBe("");
  });

  it(
    "gets the quotes of 50 symbols with one request to each provider, not with one per symbol",
    LONG,
    async () => {
      const before = replay.calls();
      const command = [...built.product, "quotes", ...FIFTY, "--json"];
      const { code, out } = await runProgram(command, settings(replay.env));
      expect(code).toBe(0);
      const { count, provider_calls } = JSON.parse(out) as { count: number; provider_calls: number };
      expect(count).toBe(FIFTY.length);
      const received = Object.entries(replay.calls()).flatMap(([name, calls]) =>
        calls.slice(before[name]!.length).map(({ path }) => `${name} ${path}`),
      );
      expect(provider_calls).toBe(received.length);
      // a busy machine may exceed the timeout of a provider, which is then called once more
      const requests = [...new Set(received)];
      const forQuotes = requests.filter((request) => request.includes("symbols="));
      // before and after the session of the exchange, a second provider is asked
      expect(new Set(forQuotes.map((request) => request.split(" ")[0])).size).toBe(forQuotes.length);
      expect(forQuotes.length).toBeLessThanOrEqual(2);
      // the session with Yahoo takes two more
      expect(requests.length - forQuotes.length).toBeLessThanOrEqual(2);
    },
  );

  it("names the terms to accept on stderr when it serves MCP on stdin and stdout", LONG, async () => {
    const server = start([...built.product, "stdio"], settings(replay.env));
    await server.says(
      /note: the terms of yahoo, cboe, .* restrict automated use: PROVIDERS=all accepts them/,
    );
    expect(server.seen.out).toBe("");
    server.child.stdin.end();
    expect(await server.ended).toBe(0);
  });

  it("reports a missing connection in one line and logs no stack trace", LONG, async () => {
    replay.set(OFFLINE);
    const server = start([...built.product, "serve"], settings(replay.env, { LOG_LEVEL: "info" }));
    await server.says(/no provider has responded yet \(.*\bcoinbase\b.*\): is this machine online\?/);
    await server.says(/"listings_not_refreshed"/);
    await server.says(/"periodic_task"/);
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
    const lines = server.seen.err.trim().split("\n");
    const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(logged.filter(({ cause }) => cause !== undefined)).toEqual([]);
  });
});

describe("the doctor", () => {
  const replay = replayInProcess({ world, vendors: VENDORS });
  const secrets = Object.values(KEYS);

  /** Runs the doctor on the live market of these settings. */
  async function doctor(argv: readonly string[], env: Record<string, string>) {
    const open = () =>
      createApp(readConfig({ CACHE_MB: "2048", ...env }), { log: collectingLog().log, fetch: replay.fetch });
    const { code, out, err } = await testCli({ host: { open } }).run("doctor", ...argv);
    expect(out + err).not.toMatch(new RegExp(secrets.join("|")));
    return { code, out };
  }
  async function checksOf(argv: readonly string[], env: Record<string, string>) {
    const { code, out } = await doctor([...argv, "--json"], env);
    return { code, ...(JSON.parse(out) as { ok: boolean; checks: readonly Finding[] }) };
  }

  it("fails without a connection and names the missing half of a key pair", LONG, async () => {
    replay.set(OFFLINE);
    const half = { ALPACA_KEY_ID: KEYS.ALPACA_KEY_ID!, PROVIDERS_OFF: "yahoo,cboe,nasdaq" };
    const { code, out } = await doctor([], settings(replay.env, half));
    replay.set({});
    expect(code).toBe(1);
    expect(out).toContain("fail US prices: no provider is enabled: see PROVIDERS and PROVIDERS_OFF\n");
    expect(out).toMatch(/^fail crypto prices: none of coinbase, .* responds: is this machine online\?$/m);
    expect(out).toMatch(/^note alpaca: not called, it needs ALPACA_SECRET_KEY as well\. /m);
    expect(out).toMatch(/^- {4}finnhub: needs FINNHUB_TOKEN\. /m);
  });

  it("reports the state, data and terms of each provider", LONG, async () => {
    const { code, ok, checks } = await checksOf([], settings(replay.env, { PROVIDERS_OFF: "nasdaq" }));
    expect([code, ok]).toEqual([0, true]);
    const detail = new Map(checks.map(({ name, detail }) => [name, detail]));
    expect(detail.get("market")).toMatch(/^live, \d{4,} symbols known$/);
    for (const name of KEYLESS_PRICES.filter((one) => one !== "nasdaq")) {
      const { title, gives } = FACTS[name];
      expect(detail.get(name)).toMatch(/^responds in \d+ ms, last at 20\d\d-/);
      expect(detail.get(name)).toContain(`, at ${replay.url(name)}. ${title}: ${gives}; ${termsOf(name)}`);
    }
    expect(detail.get("nasdaq")).toMatch(/^off\. /);
    expect(detail.get("finnhub")).toMatch(/^needs FINNHUB_TOKEN\. /);
  });

  it("calls no provider whose terms restrict automated use with PROVIDERS=licensed", LONG, async () => {
    const before = requestCounts(replay);
    const env = settings(replay.env, { ...KEYS, PROVIDERS: "licensed", PROVIDERS_OFF: "massive" });
    const { checks } = await checksOf(["--live"], env);
    const detail = new Map(checks.map(({ name, detail }) => [name, detail]));
    for (const name of RESTRICTED) {
      expect(detail.get(name)).toMatch(/^off with PROVIDERS=licensed\. .*; automated use restricted; /);
      expect(requestCounts(replay)[name]).toBe(before[name]);
    }
    expect(detail.get("US prices")).toMatch(/^\d of 3 providers respond$/);
    expect(detail.get("alpaca")).toMatch(/^(responds|passed)/);
  });

  it("requests all data each provider should have and records the responses without keys", LONG, async () => {
    // massive allows few requests per minute, and the doctor would wait for it.
    const env = settings(replay.env, { ...KEYS, PROVIDERS_OFF: "massive" });
    const folder = join(env.HOME, "answers");
    const { code, checks } = await checksOf(["--live", "--record", folder], env);
    expect(checks.filter(({ state }) => state === "fail")).toEqual([]);
    expect(code).toBe(0);
    const promised = checks.map(({ name }) => name.split(" ")).filter(([, ...what]) => what.length > 1);
    const expected = ["finnhub", "alpaca", "tiingo", ...KEYLESS_PRICES];
    expect(expected.filter((name) => !promised.some(([first]) => first === name))).toEqual([]);
    const files = readdirSync(folder);
    expect(files.length).toBeGreaterThan(40);
    expect(checks).toContainEqual({
      name: "record",
      state: "ok",
      detail: `${files.length} responses written to ${folder}`,
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
  });
});
