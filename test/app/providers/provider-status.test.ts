import { describe, expect, it } from "vitest";
import { readConfig } from "../../../src/app/config.ts";
import { providerStatusOf } from "../../../src/app/providers/provider-status.ts";

const of = (env: Record<string, string> = {}) => {
  const { state, consent } = providerStatusOf("kadoa", readConfig({ MARKET_DATA: "live", ...env }));
  return { state, consent };
};

describe("a provider with terms to accept", () => {
  it("is off until they are accepted, and names the setting", () => {
    expect(of()).toEqual({ state: "off", consent: "KADOA_TERMS=accepted" });
    expect(of({ KADOA_TERMS: "accepted" })).toEqual({ state: "on", consent: null });
    expect(of({ KADOA_TERMS: "accepted", PROVIDERS_OFF: "kadoa" })).toEqual({ state: "off", consent: null });
  });
});
