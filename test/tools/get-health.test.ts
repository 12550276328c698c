import { describe, expect, it } from "vitest";
import type { Compute } from "../../src/domain/compute-port.ts";
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

  it.each([
    {
      health: { paused_s: 30, refused_for_memory: 0, waiting: 0 },
      status: "degraded",
      notes: [
        "The compute threads failed and are used again in 30 s; until then computations slow down other calls.",
      ],
    },
    {
      health: { paused_s: null, refused_for_memory: 2, waiting: 0 },
      status: "healthy",
      notes: ["2 computations since the start needed more memory than allowed and were refused."],
    },
  ])("is $status with a note when the compute threads report $health", async ({ health, status, notes }) => {
    const report = async () => [one];
    const compute: Compute = { ...ports.compute, of: () => compute, health: () => health };
    const answer = await ask({}, { compute, providerHealth: { current: () => [one], report } });
    expect(answer).toMatchObject({ ok: true, status, notes });
  });
});

toolContract(getHealth, { ports });
