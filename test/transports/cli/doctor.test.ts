import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { splitFault } from "../../../src/analytics/score/split-fault.ts";
import { type Bars, sliceBars } from "../../../src/domain/market/bars.ts";
import type { QuoteStreams } from "../../../src/domain/market/quote-streams-port.ts";
import type { ProviderReport } from "../../../src/domain/ports.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { SetupError } from "../../../src/lib/setup-error.ts";
import { checkInstallation as checkAll, type LiveCheckOptions } from "../../../src/transports/cli/doctor.ts";
import type { CliHost, FileInventory, Finding, LiveProviders } from "../../../src/transports/cli/host.ts";
import { getHealth, runScan } from "../../support/http-tools.ts";
import { directoryOf } from "../../support/market.ts";
import { testAccess } from "../../support/store.ts";
import { splitAt, syntheticBars } from "../../support/synthetic-bars.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { settingOf, testCli, testScreen } from "./test-host.ts";

const check = (state: Finding["state"], name: string, detail: string): Finding => ({ name, state, detail });
const ok = (name: string, detail: string) => check("ok", name, detail);
const note = (name: string, detail: string) => check("note", name, detail);
const fail = (name: string, detail: string) => check("fail", name, detail);
const idle = (name: string, detail: string): Finding => ({ ...ok(name, detail), idle: true });

/** Checks an installation whose providers have already answered or never will. */
const checkInstallation = (host: CliHost, live: LiveCheckOptions | null = null) => checkAll(host, live, 0);

const node = ok("node", process.version);
const program = ok("version", "9.9.9");
const toolCount = ok("tools", "1 connected");
const sample = { tools: [getHealth], ports: { symbols: directoryOf(["AAPL"]) } };

/** Checks an installation on a folder of files whose bars are read by `history`. */
async function checkFiles(
  inventory: FileInventory,
  history: (...request: any[]) => Promise<never>,
  splitFaultOf: (bars: Bars) => string | null = () => null,
) {
  const market = { mode: "files", id: "f" } as const;
  const symbols = directoryOf(["AAPL", "MSFT"]);
  const { host } = testCli({ tools: [getHealth], ports: { market, symbols, bars: { history } } });
  return checkInstallation({
    ...host,
    open: async () => ({ ...(await host.open()), files: () => inventory }),
    splitFault: async (bars) => splitFaultOf(bars),
  });
}

describe("checkInstallation", () => {
  it("names valid keys that expire within 30 days, with the command that replaces them", async () => {
    const { access } = await testAccess();
    const create = (account: string, expiresAt: string | null) => access.create({ account, expiresAt });
    const soon = await create("acme", "2026-02-14T15:00:00.000Z");
    await create("acme", "2026-02-14T15:00:00.001Z");
    await create("acme", null);
    await access.revoke((await create("acme", "2026-01-20T00:00:00Z")).id);
    const { host } = testCli({ ...sample, access });
    const found = (await checkInstallation(host)).filter(({ name }) => name.startsWith("key "));
    expect(found).toEqual([
      note(
        `key ...${soon.last4}`,
        `"agent" of the account acme expires at 2026-02-14T15:00:00.000Z: \`market-signal keys rotate ${soon.id}\` replaces it`,
      ),
    ]);
  });

  it("finds no fault in a new installation", async () => {
    const { host, counts } = testCli(sample);
    expect(await checkInstallation(host)).toEqual([
      node,
      program,
      ok("settings", "all defaults"),
      ok("data folder", "open, database intact"),
      idle("backups", "none yet; `market-signal backup` writes one"),
      ok("market", "SAMPLE (simulated), 1 symbols"),
      toolCount,
      idle("providers", expect.stringContaining("With MARKET_DATA=live, doctor checks each provider")),
    ]);
    expect(counts).toEqual({ opened: 1, closed: 1 });
  });

  it.each([
    [null, idle("server", "none runs on this data folder")],
    ["9.9.9", ok("server", "runs at http://127.0.0.1:9000, market: live")],
    ["9.9.8", note("server", "version 9.9.8 runs at http://127.0.0.1:9000; restart it to run 9.9.9")],
  ])("names the server of the data folder, here of version %s", async (running, finding) => {
    const { host } = testCli(sample);
    const server = { version: running ?? "", url: "http://127.0.0.1:9000", market: "live" } as const;
    const checks = await checkInstallation({
      ...host,
      server: async () => (running === null ? null : server),
    });
    expect(checks[2]).toEqual(finding);
  });

  it("says that the data is in PostgreSQL", async () => {
    const { host } = testCli(sample);
    const checks = await checkInstallation({
      ...host,
      open: async () => ({ ...(await host.open()), store: { file: null } }),
    });
    expect(checks.find(({ name }) => name === "data folder")).toEqual(
      ok("data folder", "open; its data is in PostgreSQL, which answers"),
    );
  });

  it("names the newest backup and its age, the failure of BACKUP_HOOK, and what is to do after a restore", async () => {
    const { host } = testCli(sample);
    const failure = "it ended with code 3";
    const hook = { at: "2026-01-15T15:00:00.000Z", backup: "/b/1.db", failure };
    const checksAt = (age_ms: number) =>
      checkInstallation({
        ...host,
        open: async () => ({
          ...(await host.open()),
          backups: () => ({ newest: { file: "/b/1.db", age_ms }, hook, fault: null, failure: null }),
          restoreNotes: async () => ["live orders wait"],
        }),
      });
    const HOUR_MS = 3_600_000;
    const checks = await checksAt(5 * HOUR_MS);
    expect(checks.slice(4, 7)).toEqual([
      ok("backups", "newest /b/1.db, 5 hours old"),
      fail("BACKUP_HOOK", "failed at 2026-01-15T15:00:00.000Z for /b/1.db: it ended with code 3"),
      note("restore", "live orders wait"),
    ]);
    expect((await checksAt(9 * 24 * HOUR_MS))[4]).toEqual(note("backups", "newest /b/1.db, 9 days old"));
  });

  it("fails when no backup can be written, and when the last scheduled one was not", async () => {
    const { host } = testCli(sample);
    const checkWith = async (fault: string | null) => {
      const failure = { at: "2026-01-15T15:00:00.000Z", reason: "Backups cannot be written to /b: EIO." };
      const backups = () => ({ newest: null, hook: null, fault, failure });
      const checks = await checkInstallation({
        ...host,
        open: async () => ({ ...(await host.open()), backups }),
      });
      return checks.find(({ name }) => name === "backups");
    };
    expect(await checkWith("The folder /b belongs to root (0).")).toEqual(
      fail("backups", "The folder /b belongs to root (0)."),
    );
    expect(await checkWith(null)).toEqual(
      fail(
        "backups",
        "the last one failed at 2026-01-15T15:00:00.000Z. Backups cannot be written to /b: EIO.",
      ),
    );
  });

  it.each([
    ["full", /^the disk is full or failing: nothing can be stored/],
    ["damaged", /^the database is damaged: stop the server/],
    ["incomplete", /^the newest entries of the audit log are missing: a backup was restored, or/],
  ] as const)("fails when the stored data are %s", async (kind, detail) => {
    const storage = { fault: () => ({ kind, since: "2026-01-15T15:00:00.000Z" }) };
    const checks = await checkInstallation(testCli({ ...sample, ports: { ...sample.ports, storage } }).host);
    expect(checks).toContainEqual(fail("data folder", expect.stringMatching(detail)));
  });

  it("checks that OPTION_TAPE is a file", async () => {
    const folder = tempDir();
    const file = join(folder, "tape.csv");
    writeFileSync(file, "");
    const tapeAt = async (path: string) => {
      const host = { settings: async () => [settingOf("OPTION_TAPE", path)] };
      const checks = await checkInstallation(testCli({ tools: [getHealth], host }).host);
      return checks.find(({ name }) => name === "OPTION_TAPE");
    };
    expect(await tapeAt(file)).toEqual(ok("OPTION_TAPE", `file found: ${file}`));
    expect(await tapeAt(folder)).toEqual(fail("OPTION_TAPE", `not a file: ${folder}`));
    expect(await tapeAt(`${file}x`)).toEqual(fail("OPTION_TAPE", `not a file: ${file}x`));
  });

  it("notes unused settings and tools that are not connected", async () => {
    const unavailable = { ...runScan, needs: ["vault"] as never };
    const settings = async () => [
      settingOf("PORT", "9000"),
      settingOf("REDIS_URL", "set", { purpose: "Not used by this version" }),
    ];
    const checks = await checkInstallation(testCli({ tools: [unavailable], host: { settings } }).host);
    expect(checks).toContainEqual(ok("settings", "PORT=9000 REDIS_URL=set"));
    expect(checks.filter(({ state }) => state !== "ok")).toEqual([
      note("REDIS_URL", "Not used by this version"),
      note("run_scan", "not connected: needs vault"),
    ]);
  });

  it("reads every series of files, and groups skipped files by folder and reason", async () => {
    const notes: { file: string; note: string }[] = [];
    const reason = "it has no columns open, high, low, close";
    const inventory: FileInventory = {
      series: [
        { symbol: "AAPL", timeframe: "1d" },
        { symbol: "MSFT", timeframe: "1h" },
      ],
      readAs: [{ file: "AAPL.csv", note: "1d bars of AAPL" }],
      skipped: [
        { file: "x.csv", reason: "no symbol in its name" },
        { file: "dividends/AAPL.csv", reason },
        { file: "dividends/MSFT.csv", reason },
        { file: "dividends/odd.csv", reason: "it cannot be read" },
      ],
      notes,
    };
    const history = async (...[{ symbol }, { timeframe }]: any[]): Promise<never> => {
      notes.push({ file: `${symbol}.csv`, note: `${timeframe} read` });
      return { bars: {} } as never;
    };
    expect((await checkFiles(inventory, history)).slice(5)).toEqual([
      ok("market", "2 symbols in 2 series from files"),
      ok("AAPL.csv", "1d bars of AAPL"),
      note("x.csv", "skipped: no symbol in its name"),
      note("dividends: 2 files", `skipped: ${reason}`),
      note("dividends/odd.csv", "skipped: it cannot be read"),
      note("AAPL.csv", "1d read"),
      note("MSFT.csv", "1h read"),
      toolCount,
    ]);
  });

  it("names a suspected split with its day and the ways to settle it", async () => {
    const bars = splitAt(syntheticBars(3, 300), 200, "unknown");
    const day = new Date(bars.time[200]!).toISOString().slice(0, 10);
    const inventory: FileInventory = {
      series: [{ symbol: "AAPL", timeframe: "1d" }],
      readAs: [],
      skipped: [],
      notes: [],
    };
    const history = async (_: unknown, { limit }: { limit: number }) =>
      ({ bars: sliceBars(bars, Math.max(0, bars.time.length - limit)) }) as never;
    const checks = await checkFiles(inventory, history, splitFault);
    const found = checks.filter(({ name }) => name === "AAPL 1d");
    expect(found).toMatchObject([{ state: "note" }]);
    expect(found[0]!.detail).toMatch(
      new RegExp(
        `^The price fell from .* at the open of the bar of ${day}, close to 10:1: possibly an unadjusted split\\. If it is one, add SYMBOL,${day},10:1 to splits\\.csv .*declare_no_split`,
      ),
    );
    const settled = { ...bars, noSplits: [{ date: bars.time[200]!, basis: "declared" as const }] };
    const after = await checkFiles(inventory, async () => ({ bars: settled }) as never, splitFault);
    expect(after.filter(({ name }) => name === "AAPL 1d")).toEqual([]);
  });

  it.each([
    [new ToolError("UPSTREAM_UNAVAILABLE", "The file is gone"), "note", "The file is gone"],
    [new Error("a crash"), "fail", "The tool failed unexpectedly"],
  ] as const)("reports a series that cannot be read: %s", async (cause, state, why) => {
    const inventory: FileInventory = {
      series: [{ symbol: "AAPL", timeframe: "1d" }],
      readAs: [],
      skipped: [],
      notes: [],
    };
    const checks = await checkFiles(inventory, () => Promise.reject(cause));
    expect(checks).toContainEqual(check(state, "AAPL 1d", `cannot be read: ${why}`));
  });

  it("fails with the reason if the installation cannot be opened", async () => {
    const open = async () => {
      throw new SetupError("DATA_DIR /x is a file; name a folder");
    };
    expect(await checkInstallation(testCli({ host: { open } }).host)).toEqual([
      node,
      program,
      fail("installation", "DATA_DIR /x is a file; name a folder"),
    ]);
  });

  it("fails with --live in another market", async () => {
    expect(await checkInstallation(testCli(sample).host, { record: null })).toContainEqual(
      fail("live", "--live requires MARKET_DATA=live"),
    );
  });
});

describe("checkInstallation of live providers", () => {
  const provider = {
    title: "One",
    gives: "US quotes",
    outage: null,
    terms: "personal use",
    state: "on",
    setting: null,
    isPartlyConfigured: false,
    consent: null,
    forbidsAutomation: false,
    offBy: null,
    replacementUrl: null,
  } as const;
  const network = {
    last_success: "2026-01-15T14:59:00.000Z",
    limit_left: 39,
    breaker: "closed",
    clock_skew_ms: 12,
    failure: null,
  } as const;
  const reports: readonly ProviderReport[] = [
    { name: "one", healthy: true, latency_ms: 120, answering: true, network },
    {
      name: "two",
      healthy: false,
      latency_ms: 1_800,
      answering: false,
      network: { ...network, last_success: null, breaker: "open", failure: "timeout" },
    },
  ];
  const live: LiveProviders = {
    providers: [
      { ...provider, name: "one" },
      { ...provider, name: "two", replacementUrl: "http://127.0.0.1:1/two" },
      { ...provider, name: "three", state: "off" },
      { ...provider, name: "four", state: "needs a key", setting: "FOUR_KEY" },
      { ...provider, name: "five", state: "needs a key", setting: "FIVE_SECRET", isPartlyConfigured: true },
      { ...provider, name: "terms", state: "off", consent: "TERMS=accepted" },
      { ...provider, name: "lists", replacementUrl: "http://127.0.0.1:1/lists" },
    ],
    priceProviders: { us: ["one", "two"], crypto: ["one"] },
    disagreements: async () => [
      {
        symbol: "AAPL",
        at: "2026-01-15T15:00:00.000Z",
        providers: ["one", "two"],
        prices: [100, 102],
        difference_percent: 2,
        limit_percent: 0.5,
      },
    ],
    wireNotes: () => [],
    check: async () => ({ findings: [ok("one AAPL 1d", "fine")], written: 41, notes: [] }),
  };
  /** A host on the live market; `changes` overrides parts of it. */
  function liveHost(changes: Partial<LiveProviders> = {}, moreReports: readonly ProviderReport[] = []) {
    const report = [...reports, ...moreReports];
    const screen = testScreen();
    const { host } = testCli({
      tools: [getHealth],
      ports: {
        market: { mode: "live", id: "live" },
        symbols: directoryOf(["AAPL"]),
        providerHealth: { current: () => report, report: async () => report },
      },
      host: { folder: "/srv", err: screen.screen },
    });
    const open = async () => ({ ...(await host.open()), live: { ...live, ...changes } });
    return { host: { ...host, open }, written: screen.written };
  }
  const checkLive = (changes: Partial<LiveProviders> = {}, options: LiveCheckOptions | null = null) =>
    checkInstallation(liveHost(changes).host, options);

  it("shows the connections to providers that stream prices", async () => {
    const { host } = liveHost();
    const at = "2026-01-15T14:59:00.000Z";
    const quoteStreams: QuoteStreams = {
      subscribe: () => () => {},
      status: () => [
        { provider: "one", state: "idle", symbols: 0, last_message_at: null, losses: 0 },
        { provider: "two", state: "open", symbols: 2, last_message_at: at, losses: 1 },
        { provider: "three", state: "down", symbols: 0, last_message_at: null, losses: 3 },
      ],
    };
    const open = async () => {
      const opened = await host.open();
      return { ...opened, ports: { ...opened.ports, quoteStreams } };
    };
    const found = await checkInstallation({ ...host, open });
    expect(found.filter(({ name }) => name.endsWith(" stream"))).toEqual([
      idle(
        "one stream",
        "opened by a server while a client or an alert follows a symbol; its state is in /metrics",
      ),
      ok("two stream", `open, 2 symbols, last message at ${at}, 1 connections lost`),
      note("three stream", "down, 0 symbols, no message yet, 3 connections lost"),
    ]);
  });

  it("shows the state, data and terms of each provider, and disagreements", async () => {
    expect((await checkLive()).slice(5)).toEqual([
      ok("market", "live, 1 symbols known"),
      toolCount,
      ok("US prices", "1 of 2 providers respond"),
      ok("crypto prices", "1 of 1 providers respond"),
      ok(
        "one",
        "responds in 120 ms, last at 2026-01-15T14:59:00.000Z, 39 calls left for this command. One: US quotes; personal use",
      ),
      note(
        "two",
        "a request failed (timeout), 39 calls left for this command, breaker open, at http://127.0.0.1:1/two. One: US quotes; personal use",
      ),
      idle("three", "off. One: US quotes"),
      idle("four", "needs FOUR_KEY. One: US quotes"),
      note("five", "not called, it needs FIVE_SECRET as well. One: US quotes"),
      idle("terms", "needs TERMS=accepted. One: US quotes; personal use"),
      idle(
        "lists",
        "not called by doctor; doctor --live calls most providers, at http://127.0.0.1:1/lists. One: US quotes; personal use",
      ),
      note(
        "AAPL",
        "one returned 100 and two 102 at 2026-01-15T15:00:00.000Z: a difference of 2%, limit 0.5%",
      ),
    ]);
  });

  it("sends test requests with --live and records the responses", async () => {
    const checks = await checkLive({}, { record: "answers" });
    expect(checks.slice(-3)).toEqual([
      ok("record", "41 responses written to /srv/answers"),
      ok("one AAPL 1d", "fine"),
      ok("live", "1 checks: 1 passed, 0 with notes, 0 failed"),
    ]);
    const names = (await checkLive({}, { record: null })).map(({ name }) => name);
    expect(names).not.toContain("record");
  });

  it("marks providers that are not called with a dash", async () => {
    const { code, out } = await testCli({ host: { open: liveHost().host.open } }).run("doctor");
    expect(code).toBe(0);
    const marks = out.split("\n").map((line) => line.split(":")[0]);
    const expected = "ok   one|note two|-    three|-    four|note five|-    terms|-    lists|note AAPL";
    expect(marks.slice(-9, -1)).toEqual(expected.split("|"));
  });

  it("says of a provider that does not work at present what fails, as a note", async () => {
    const broken = { ...provider, name: "four", outage: "refuses requests since 2026-07" };
    const { host } = liveHost({ providers: [broken] }, []);
    const found = (await checkInstallation(host)).find(({ name }) => name === "four")!;
    expect(found).toEqual({
      name: "four",
      state: "note",
      detail:
        "not called by doctor; doctor --live calls most providers. One: US quotes; it refuses requests since 2026-07; personal use",
    });
  });

  it.each([
    [{ failure: "auth" }, "FOUR_KEY", "fail", "refuses the value of FOUR_KEY. "],
    [{ failure: "auth" }, null, "note", "a request failed (auth), "],
    [{ failure: null }, null, "note", "no response within 2 s, "],
  ] as const)("reports why a provider does not respond: %j with %s", async (more, key, state, start) => {
    const report = { name: "four", healthy: false, latency_ms: 9, answering: false };
    const { host } = liveHost({ providers: [{ ...provider, name: "four", setting: key }] }, [
      { ...report, network: { ...network, ...more } },
    ]);
    const found = (await checkInstallation(host)).find(({ name }) => name === "four")!;
    expect([found.state, found.detail.startsWith(start)]).toEqual([state, true]);
  });

  it("fails if a kind of prices has no provider, or none that responds", async () => {
    const checks = await checkLive({ priceProviders: { us: [], crypto: ["two", "five"] } });
    expect(checks.filter(({ state }) => state === "fail")).toEqual([
      fail("US prices", "no provider is enabled: see PROVIDERS and PROVIDERS_OFF"),
      fail("crypto prices", "none of two, five responds: is this machine online?"),
    ]);
  });

  it("does not call a provider unavailable whose first request failed if it passes checks", async () => {
    const findings = [ok("two AAPL 1d", "31 of 31 bars"), fail("two AAPL quote", "too old")];
    const unsupported = ok("two ZZQXQ-USD quote", "not supported, as expected");
    const check = (all: readonly Finding[]) =>
      checkLive(
        {
          priceProviders: { us: ["two"], crypto: ["one"] },
          check: async () => ({ findings: all, written: 0, notes: [] }),
        },
        { record: null },
      );
    const checks = await check(findings);
    expect(checks).toContainEqual(ok("US prices", "1 of 1 providers respond"));
    expect(checks).toContainEqual(
      note(
        "two",
        "a request failed (timeout), breaker open, then passed 1 of 2 checks, at http://127.0.0.1:1/two. One: US quotes; personal use",
      ),
    );
    expect(await check([unsupported])).toContainEqual(
      fail("US prices", "none of two responds: is this machine online?"),
    );
  });

  it("says which providers were not checked if it was stopped", async () => {
    const stop = new AbortController();
    const check = async () => {
      stop.abort();
      return { findings: [ok("one AAPL 1d", "fine")], written: 0, notes: [] };
    };
    const { host } = liveHost({ check });
    const checks = await checkInstallation({ ...host, signal: stop.signal }, { record: null });
    expect(checks).toContainEqual(
      idle(
        "lists",
        "not checked, because doctor was stopped, at http://127.0.0.1:1/lists. One: US quotes; personal use",
      ),
    );
    expect(checks.at(-1)).toEqual(note("live", "stopped before the last check"));
  });

  it("merges equal failures of a provider, and counts all checks", async () => {
    const findings = [
      ok("one AAPL 1d", "fine"),
      fail("two AAPL 1d", "down: no connection"),
      fail("two AAPL 1h", "down: no connection"),
      fail("two AAPL quote", "too old"),
    ];
    const checks = await checkLive(
      { check: async () => ({ findings, written: 0, notes: [] }) },
      { record: null },
    );
    expect(checks.slice(-4)).toEqual([
      ok("one AAPL 1d", "fine"),
      fail("two", "2 of 3 checks, down: no connection"),
      fail("two AAPL quote", "too old"),
      fail("live", "4 checks: 1 passed, 0 with notes, 3 failed"),
    ]);
  });

  it("shows the redirects of a provider, with and without test requests", async () => {
    const seen = [{ name: "one", detail: "a.example redirects to b.example: refused" }];
    const finding = note("one", "a.example redirects to b.example: refused");
    expect(await checkLive({ wireNotes: () => seen })).toContainEqual(finding);
    const check = async () => ({ findings: [], written: 0, notes: seen });
    expect(await checkLive({ check }, { record: null })).toContainEqual(finding);
  });

  it("prints its progress, and the results of providers without prices", async () => {
    const { host, written } = liveHost({
      async check({ onProgress }) {
        onProgress?.("one prices (1 of 2)");
        onProgress?.("lists daily files (2 of 2)");
        return { findings: [fail("lists daily files", "down")], written: 0, notes: [] };
      },
    });
    const checks = await checkInstallation(host, { record: null });
    expect(written.text).toBe("checking one prices (1 of 2)\nchecking lists daily files (2 of 2)\n");
    expect(checks).toContainEqual(
      note("lists", "passed 0 of 1 checks, at http://127.0.0.1:1/lists. One: US quotes; personal use"),
    );
  });
});
