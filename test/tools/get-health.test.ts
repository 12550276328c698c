import { describe, expect, it } from "vitest";
import type { ProviderHealth } from "../../src/domain/ports.ts";
import { getHealth } from "../../tools/get-health.ts";
import { anonymous, NOW } from "../support/context.ts";
import { marketOf } from "../support/market.ts";
import { callerOf } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";

const { ports } = marketOf({ bars: {} });
const one = { name: "one", healthy: true, latency_ms: 12, answering: true };
const two = { name: "two", healthy: false, latency_ms: 900, answering: false };
const part = { name: "part", healthy: false, latency_ms: 3, answering: true };
const ask = callerOf(getHealth, ports, anonymous);
const call = (providers: ReturnType<ProviderHealth["current"]>) =>
  ask({}, { providerHealth: { current: () => providers, report: async () => providers } });

describe("get_health", () => {
  it("returns the status, the market and the time of the check", async () => {
    expect(await call([one])).toEqual({
      ok: true,
      status: "healthy",
      providers: [{ name: "one", healthy: true, latency_ms: 12 }],
      market: "sample",
      clock_jump: null,
      storage: "ok",
      nightly_runs: [],
      meta: { api_version: "v1", engine_version: "consensus-1.2.0", checked_at: NOW.toISOString() },
    });
  });

  it.each([
    { providers: [], status: "healthy", ok: true },
    { providers: [one, two], status: "degraded", ok: true },
    { providers: [part], status: "degraded", ok: true },
    { providers: [two], status: "down", ok: false },
  ])("is $status with $providers.length providers", async ({ providers, status, ok }) => {
    const shown = providers.map(({ name, healthy, latency_ms }) => ({ name, healthy, latency_ms }));
    expect(await call(providers)).toMatchObject({ ok, status, providers: shown });
  });

  it.each([
    { kind: "full", status: "degraded", ok: true },
    { kind: "damaged", status: "down", ok: false },
    { kind: "incomplete", status: "degraded", ok: true },
  ] as const)("is $status when the stored data are $kind", async ({ kind, status, ok }) => {
    const storage = { fault: () => ({ kind, since: NOW.toISOString() }) };
    const report = async () => [one];
    const answer = await ask({}, { storage, providerHealth: { current: () => [one], report } });
    expect(answer).toMatchObject({ ok, status, storage: kind });
  });
});

toolContract(getHealth, { ports });
