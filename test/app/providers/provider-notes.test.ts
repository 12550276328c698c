import { describe, expect, it } from "vitest";
import { readConfig } from "../../../src/app/config.ts";
import { PROVIDER_NAMES } from "../../../src/app/provider-table.ts";
import { providerNotes } from "../../../src/app/providers/provider-notes.ts";
import { providerStatusOf } from "../../../src/app/providers/provider-status.ts";

const notes = (env: Record<string, string> = {}) => {
  const config = readConfig({ MARKET_DATA: "live", ...env });
  const statuses = PROVIDER_NAMES.map((name) => providerStatusOf(name, config));
  return providerNotes(statuses, config.PROVIDERS);
};
const about = (lines: readonly string[]) => lines.filter((line) => line.includes("terms of"));

describe("the notes at the start of a live market", () => {
  it("name the providers whose terms restrict automated use, and the settings that accept or refuse them", () => {
    expect(about(notes())).toEqual([
      "the terms of yahoo, cboe, nasdaq, cnbc, yahoofeed, nasdaqfeed restrict automated use: PROVIDERS=all accepts them, PROVIDERS=licensed stops calling these providers, PROVIDERS_OFF=<names> some of them",
    ]);
    expect(about(notes({ PROVIDERS_OFF: "cboe,nasdaqfeed" }))[0]).toContain(
      "the terms of yahoo, nasdaq, cnbc, yahoofeed restrict",
    );
    expect(about(notes({ PROVIDERS_OFF: "yahoo,cboe,nasdaq,cnbc,yahoofeed,nasdaqfeed" }))).toEqual([]);
  });

  it("name those that are not called with PROVIDERS=licensed", () => {
    const lines = notes({ PROVIDERS: "licensed" });
    expect(lines).toContain(
      "not called with PROVIDERS=licensed, because their terms restrict automated use: yahoo, cboe, nasdaq, cnbc, yahoofeed, nasdaqfeed",
    );
    expect(lines[0]).toMatch(/^these providers are called: coinbase, binance, /);
    expect(about(lines)).toEqual([]);
    const off = notes({
      PROVIDERS: "licensed",
      PROVIDERS_OFF: "yahoo,cboe,nasdaq,cnbc,yahoofeed,nasdaqfeed",
    });
    expect(off.filter((line) => line.includes("licensed"))).toEqual([]);
  });

  it("name the terms that PROVIDERS=all does not accept", () => {
    expect(about(notes({ PROVIDERS: "all" }))).toEqual([
      "PROVIDERS=all does not accept the terms of kadoa: set KADOA_TERMS=accepted",
    ]);
    expect(about(notes({ PROVIDERS: "all", KADOA_TERMS: "accepted" }))).toEqual([]);
    expect(about(notes({ PROVIDERS: "all", PROVIDERS_OFF: "kadoa" }))).toEqual([]);
  });
});
