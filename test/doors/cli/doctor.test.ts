import { describe, expect, it } from "vitest";
import { checkInstallation } from "../../../src/doors/cli/doctor.ts";
import type { CliHost, Holdings } from "../../../src/doors/cli/host.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { SetupError } from "../../../src/lib/setup-error.ts";
import { getHealth, runScan } from "../../support/http-tools.ts";
import { directoryOf } from "../../support/market.ts";
import { stand } from "./stand.ts";

const node = { name: "node", state: "ok", detail: process.version } as const;
const setting = (name: string, value: string, purpose = "A setting") => ({
  name,
  value,
  source: "environment",
  purpose,
});

/** A host whose market is a folder of files, read as `history` says. */
function filed(holdings: Holdings, history: () => Promise<never>): CliHost {
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
    ]);
    expect(counts).toEqual({ opened: 1, closed: 1 });
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
    const holdings: Holdings = {
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
    const holdings: Holdings = { series: [{ symbol: "AAPL", timeframe: "1d" }], skipped: [], notes: [] };
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
