import { describe, expect, it } from "vitest";
import { readConfig } from "../../../src/app/config.ts";
import { providerStatusOf } from "../../../src/app/providers/provider-status.ts";

const of = (env: Record<string, string> = {}) => {
  const { state, consent } = providerStatusOf("kadoa", readConfig({ MARKET_DATA: "live", ...env }));
  return { state, consent };
};

describe("a provider whose terms restrict automated use", () => {
  const yahoo = (env: Record<string, string> = {}) => {
    const { state, offBy, terms } = providerStatusOf("yahoo", readConfig({ MARKET_DATA: "live", ...env }));
    return [state, offBy, terms];
  };
  const terms = "automated use restricted; non-commercial; no redistribution; undocumented";

  it("is called by default and with PROVIDERS=all, and not with PROVIDERS=licensed", () => {
    expect(yahoo()).toEqual(["on", null, terms]);
    expect(yahoo({ PROVIDERS: "public" })).toEqual(["on", null, terms]);
    expect(yahoo({ PROVIDERS: "all" })).toEqual(["on", null, terms]);
    expect(yahoo({ PROVIDERS: "licensed" })).toEqual(["off", "PROVIDERS=licensed", terms]);
    expect(yahoo({ PROVIDERS: "all", PROVIDERS_OFF: "yahoo" })).toEqual(["off", "PROVIDERS_OFF", terms]);
  });
});

describe("a provider with terms to accept", () => {
  it("is off until they are accepted, and names the setting", () => {
    expect(of()).toEqual({ state: "off", consent: "KADOA_TERMS=accepted" });
    expect(of({ KADOA_TERMS: "accepted" })).toEqual({ state: "on", consent: null });
    expect(of({ PROVIDERS: "all" })).toEqual({ state: "off", consent: "KADOA_TERMS=accepted" });
    expect(of({ KADOA_TERMS: "accepted", PROVIDERS_OFF: "kadoa" })).toEqual({ state: "off", consent: null });
  });
});
