import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ToolError } from "../../../src/kernel/errors.ts";
import { SetupError } from "../../../src/lib/setup-error.ts";
import { checkInstallation } from "../../../src/transports/cli/doctor.ts";
import type { CliHost, FileInventory, LiveProviders } from "../../../src/transports/cli/host.ts";
import { getHealth, runScan } from "../../support/http-tools.ts";
import { directoryOf } from "../../support/market.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { paper, stand } from "./stand.ts";

const node = { name: "node", state: "ok", detail: process.version } as const;
const setting = (name: string, value: string, purpose = "A setting") => ({
  name,
  value,
  source: "environment",
  purpose,
});

/** A host whose market is a folder of files, read as `history` says. */
function filed(holdings: FileInventory, history: () => Promise<never>): CliHost {
  const { host } = stand({
    tools: [getHealth],
    ports: {
      market: { mode: "files", id: "f" },
      symbols: directoryOf(["AAPL", "MSFT"]),
      bars: { history },
    },
  });
  return { ...host, open: async () => ({ ...(await host.open()), files: () => holdings }) };
}

describe("the doctor", () => {
  it("finds a new installation well", async () => {
    const { host, counts } = stand({ tools: [getHealth], ports: { symbols: directoryOf(["AAPL"]) } });
    expect(await checkInstallation(host)).toEqual([
      node,
      { name: "settings", state: "ok", detail: "all defaults" },
      { name: "data folder", state: "ok", detail: "open, database intact" },
      { name: "market", state: "ok", detail: "SAMPLE (simulated), 1 symbols" },
      { name: "tools", state: "ok", detail: "1 connected" },
      {
        name: "sources",
        state: "ok",
        detail: expect.stringContaining("MARKET_DATA=live asks real ones"),
        idle: true,
      },
    ]);
    expect(counts).toEqual({ opened: 1, closed: 1 });
  });

  it("says whether a tape of one's own is a file", async () => {
    const folder = tempDir();
    const file = join(folder, "tape.csv");
    writeFileSync(file, "");
    const tapeAt = async (path: string) => {
      const { host } = stand({
        tools: [getHealth],
        host: { settings: () => [setting("OPTION_TAPE", path)] },
      });
      return (await checkInstallation(host)).filter(({ name }) => name === "OPTION_TAPE");
    };
    const found = (state: string, detail: string) => [{ name: "OPTION_TAPE", state, detail }];
    expect(await tapeAt(file)).toEqual(found("ok", `a file is there: ${file}`));
    expect(await tapeAt(folder)).toEqual(found("fail", `names no file: ${folder}`));
    expect(await tapeAt(`${file}x`)).toEqual(found("fail", `names no file: ${file}x`));
  });

  it("notes settings that nothing reads and tools that nothing connects", async () => {
    const absent = { ...runScan, needs: ["vault"] as never };
    const { host } = stand({
      tools: [absent],
      host: {
        settings: () => [setting("PORT", "9000"), setting("REDIS_URL", "set", "Not used by this version")],
      },
    });
    const checks = await checkInstallation(host);
    expect(checks).toContainEqual({ name: "settings", state: "ok", detail: "PORT=9000 REDIS_URL=set" });
    expect(checks.filter(({ state }) => state !== "ok")).toEqual([
      { name: "REDIS_URL", state: "note", detail: "Not used by this version" },
      { name: "run_scan", state: "note", detail: "not connected: needs vault" },
    ]);
  });

  it("reads every series and tells what was noticed on the way", async () => {
    const notes: { file: string; note: string }[] = [];
    const holdings: FileInventory = {
      series: [
        { symbol: "AAPL", timeframe: "1d" },
        { symbol: "MSFT", timeframe: "1h" },
      ],
      skipped: [
        { file: "x.csv", reason: "no symbol in its name" },
        { file: "dividends/AAPL.csv", reason: "it has no columns open, high, low, close" },
        { file: "dividends/MSFT.csv", reason: "it has no columns open, high, low, close" },
        { file: "dividends/odd.csv", reason: "it cannot be read" },
      ],
      notes,
    };
    const history = async (...[{ symbol }, { timeframe }]: any[]): Promise<never> => {
      notes.push({ file: `${symbol}.csv`, note: `${timeframe} read` });
      return undefined as never;
    };
    const checks = await checkInstallation(filed(holdings, history));
    expect(checks.slice(3)).toEqual([
      { name: "market", state: "ok", detail: "2 symbols in 2 series of files" },
      { name: "x.csv", state: "note", detail: "skipped: no symbol in its name" },
      {
        name: "dividends: 2 files",
        state: "note",
        detail: "skipped: it has no columns open, high, low, close",
      },
      { name: "dividends/odd.csv", state: "note", detail: "skipped: it cannot be read" },
      { name: "AAPL.csv", state: "note", detail: "1d read" },
      { name: "MSFT.csv", state: "note", detail: "1h read" },
      { name: "tools", state: "ok", detail: "1 connected" },
    ]);
  });

  it.each([
    [new ToolError("UPSTREAM_UNAVAILABLE", "The file is gone"), "note", "The file is gone"],
    [new Error("a crash"), "fail", "The tool failed unexpectedly"],
  ])("tells a series that cannot be read: %s", async (cause, state, why) => {
    const holdings: FileInventory = { series: [{ symbol: "AAPL", timeframe: "1d" }], skipped: [], notes: [] };
    const checks = await checkInstallation(filed(holdings, () => Promise.reject(cause)));
    expect(checks).toContainEqual({ name: "AAPL 1d", state, detail: `cannot be read: ${why}` });
  });

  it("fails where the installation does not open, saying why", async () => {
    const open = async () => {
      throw new SetupError("DATA_DIR /x is a file; name a folder");
    };
    expect(await checkInstallation(stand({ host: { open } }).host)).toEqual([
      node,
      { name: "installation", state: "fail", detail: "DATA_DIR /x is a file; name a folder" },
    ]);
  });
});

describe("the doctor of live sources", () => {
  const source = {
    title: "One",
    gives: "US quotes",
    terms: "personal use",
    setting: null,
    isPartlyConfigured: false,
    consent: null,
    replacementUrl: null,
  };
  const network = {
    last_success: "2026-01-15T14:59:00.000Z",
    limit_left: 39,
    breaker: "closed",
    clock_skew_ms: 12,
    failure: null,
  } as const;
  const live: LiveProviders = {
    providers: [
      { ...source, name: "one", state: "on" },
      { ...source, name: "two", state: "on", replacementUrl: "http://127.0.0.1:1/two" },
      { ...source, name: "three", state: "off" },
      { ...source, name: "four", state: "needs a key", setting: "FOUR_KEY" },
      { ...source, name: "five", state: "needs a key", setting: "FIVE_SECRET", isPartlyConfigured: true },
      { ...source, name: "terms", state: "off", consent: "TERMS=accepted" },
      { ...source, name: "lists", state: "on", replacementUrl: "http://127.0.0.1:1/lists" },
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
    check: async () => ({ findings: [{ name: "one AAPL 1d", state: "ok", detail: "fine" }], written: 41 }),
  };
  const house = () => {
    const report = [
      { name: "one", healthy: true, latency_ms: 120, answering: true, network },
      {
        name: "two",
        healthy: false,
        latency_ms: 1_800,
        answering: false,
        network: { ...network, last_success: null, breaker: "open" as const, failure: "timeout" },
      },
    ];
    const { host } = stand({
      tools: [getHealth],
      ports: {
        market: { mode: "live", id: "live" },
        symbols: directoryOf(["AAPL"]),
        providerHealth: { current: () => report, report: async () => report },
      },
    });
    return { ...host, folder: "/srv", open: async () => ({ ...(await host.open()), live }) };
  };

  it("says how each is, what it gives on which terms, and what two disagreed about", async () => {
    const checks = await checkInstallation(house());
    expect(checks.slice(3)).toEqual([
      { name: "market", state: "ok", detail: "live, 1 symbols known" },
      { name: "tools", state: "ok", detail: "1 connected" },
      { name: "US prices", state: "ok", detail: "1 of 2 sources answer" },
      { name: "crypto prices", state: "ok", detail: "1 of 1 sources answer" },
      {
        name: "one",
        state: "ok",
        detail:
          "answers in 120 ms, last at 2026-01-15T14:59:00.000Z, 39 calls left to this command. One: US quotes; personal use",
      },
      {
        name: "two",
        state: "note",
        detail:
          "does not answer (timeout), 39 calls left to this command, breaker open, asked at http://127.0.0.1:1/two. One: US quotes; personal use",
      },
      { name: "three", state: "ok", detail: "off. One: US quotes", idle: true },
      { name: "four", state: "ok", detail: "needs FOUR_KEY. One: US quotes", idle: true },
      { name: "five", state: "note", detail: "not asked, it needs FIVE_SECRET as well. One: US quotes" },
      {
        name: "terms",
        state: "ok",
        detail: "needs TERMS=accepted. One: US quotes; personal use",
        idle: true,
      },
      {
        name: "lists",
        state: "ok",
        detail:
          "asked when it is needed at http://127.0.0.1:1/lists; doctor --live asks it now. One: US quotes; personal use",
        idle: true,
      },
      {
        name: "AAPL",
        state: "note",
        detail: "one said 100 and two 102 at 2026-01-15T15:00:00.000Z: 2% apart, over 0.5%",
      },
    ]);
  });

  it("asks them for what they promise where it is told to, and writes down what they say", async () => {
    const checks = await checkInstallation(house(), { record: "answers" });
    expect(checks.slice(-3)).toEqual([
      { name: "record", state: "ok", detail: "41 answers written to /srv/answers" },
      { name: "one AAPL 1d", state: "ok", detail: "fine" },
      { name: "live", state: "ok", detail: "1 promises checked: 1 kept, 0 to look at, 0 broken" },
    ]);
    expect((await checkInstallation(house(), { record: null })).map(({ name }) => name)).not.toContain(
      "record",
    );
  });

  it("marks who was not asked as neither well nor ill", async () => {
    const { open } = house();
    const { code, out } = await stand({ host: { open } }).run("doctor");
    expect(code).toBe(0);
    const marks = out.split("\n").map((line) => line.split(":")[0]);
    expect(marks.slice(-9, -1)).toEqual([
      "ok   one",
      "note two",
      "-    three",
      "-    four",
      "note five",
      "-    terms",
      "-    lists",
      "note AAPL",
    ]);
  });

  it.each([
    [{ failure: "auth" }, "FOUR_KEY", "fail", "refuses what FOUR_KEY holds. "],
    [{ failure: "auth" }, null, "note", "does not answer (auth), "],
    [{ failure: null }, null, "note", "no answer within 2 s, "],
  ] as const)(
    "tells why one that is on does not answer: %j with %s",
    async (more, setting, state, begins) => {
      const host = house();
      const four = { name: "four", healthy: false, latency_ms: 9, answering: false };
      const open = async () => {
        const opened = await host.open();
        const report = [
          ...opened.ports.providerHealth.current(),
          { ...four, network: { ...network, ...more } },
        ];
        const providerHealth = { current: () => report, report: async () => report };
        const providers = [{ ...source, name: "four", state: "on" as const, setting }];
        return { ...opened, ports: { ...opened.ports, providerHealth }, live: { ...live, providers } };
      };
      const found = (await checkInstallation({ ...host, open })).find(({ name }) => name === "four")!;
      expect([found.state, found.detail.startsWith(begins)]).toEqual([state, true]);
    },
  );

  it("fails where a kind of prices has no source, or none that answers", async () => {
    const silent = { ...live, priceProviders: { us: [], crypto: ["two", "five"] } };
    const host = house();
    const checks = await checkInstallation({
      ...host,
      open: async () => ({ ...(await host.open()), live: silent }),
    });
    expect(checks.filter(({ state }) => state === "fail")).toEqual([
      {
        name: "US prices",
        state: "fail",
        detail: "no source of them is switched on: see PROVIDERS_OFF",
      },
      {
        name: "crypto prices",
        state: "fail",
        detail: "none of two, five answers: is this machine online?",
      },
    ]);
  });

  it("tells what is broken alike in one line, and how many promises were kept", async () => {
    const found = (name: string, state: "ok" | "fail", detail: string) => ({ name, state, detail });
    const checked = {
      ...live,
      check: async () => ({
        findings: [
          found("one AAPL 1d", "ok", "fine"),
          found("two AAPL 1d", "fail", "down: no connection"),
          found("two AAPL 1h", "fail", "down: no connection"),
          found("two AAPL quote", "fail", "too old"),
        ],
        written: 0,
      }),
    };
    const host = house();
    const opening = async () => ({ ...(await host.open()), live: checked });
    const checks = await checkInstallation({ ...host, open: opening }, { record: null });
    expect(checks.slice(-5)).toEqual([
      found("AAPL", "note" as never, expect.any(String)),
      found("one AAPL 1d", "ok", "fine"),
      found("two", "fail", "2 of 3 checks, down: no connection"),
      found("two AAPL quote", "fail", "too old"),
      found("live", "fail", "4 promises checked: 1 kept, 0 to look at, 3 broken"),
    ]);
  });

  it("says whom it asks as it asks, and how those did that tell no prices", async () => {
    const screen = paper();
    const host = { ...house(), err: screen.screen };
    const check: LiveProviders["check"] = async ({ onProgress }) => {
      onProgress?.("one prices (1 of 2)");
      onProgress?.("lists daily files (2 of 2)");
      return { findings: [{ name: "lists daily files", state: "fail", detail: "down" }], written: 0 };
    };
    const opening = async () => ({ ...(await host.open()), live: { ...live, check } });
    const checks = await checkInstallation({ ...host, open: opening }, { record: null });
    expect(screen.kept.text).toBe("asking one prices (1 of 2)\nasking lists daily files (2 of 2)\n");
    expect(checks).toContainEqual({
      name: "lists",
      state: "note",
      detail: "answers 0 of 1 questions, asked at http://127.0.0.1:1/lists. One: US quotes; personal use",
    });
  });

  it("has nobody to ask in another market", async () => {
    const { host } = stand({ tools: [getHealth], ports: { symbols: directoryOf(["AAPL"]) } });
    expect(await checkInstallation(host, { record: null })).toContainEqual({
      name: "live",
      state: "fail",
      detail: "only MARKET_DATA=live has sources to ask",
    });
  });
});
