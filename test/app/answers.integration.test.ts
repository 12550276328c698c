import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../../src/app/app.ts";
import { readConfig } from "../../src/app/config.ts";
import type { App } from "../../src/app/installation.ts";
import type { Answers } from "../../src/domain/ports.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { collectingLog, pro } from "../support/context.ts";
import { draws } from "../support/draws.ts";
import { suiteDir } from "../support/temp-dir.ts";

const CALLS = [
  ["get_signal", { symbol: "AAPL", timeframe: "1h" }],
  ["get_signal_card", { symbol: "BTC-USD" }],
  ["get_analysis", { symbol: "NVDA", timeframe: "15m" }],
  ["get_history", { symbol: "SPY", timeframe: "5m", limit: 20 }],
  ["get_quote", { symbol: "AAPL" }],
  ["scan_symbols", { symbols: ["AAPL", "MSFT"], timeframe: "5m" }],
  ["explain_signal", { symbol: "MSFT", timeframe: "30m" }],
] as const;

let now = Date.parse("2026-01-15T15:00:00.000Z");
let app: App;
const suite = suiteDir();
beforeAll(async () => {
  app = await createApp(readConfig({ DATA_DIR: suite.dir, LOG_LEVEL: "silent", CACHE_MB: "2048" }), {
    log: collectingLog().log,
    clock: { now: () => new Date(now) },
  });
});
afterAll(async () => {
  await app.close();
  suite.remove();
});

const computed: Answers = { remember: (_, compute) => compute() };
const call = (name: string, input: object, answers: Answers) => {
  const tool = app.registry.tools.find((one) => one.name === name)!;
  return invoke(tool, input, {
    // the log writes served signals in the background, which would renew the answers in the midst of a test
    ports: { ...app.ports, answers, signalLog: { ...app.ports.signalLog, record: () => undefined } },
    principal: { ...pro, plan: "enterprise" },
    transport: "test",
    nested: true,
  });
};
/** The answer without the fields of the call and the times at which inputs were read, to the second. */
const contentOf = (answer: object): unknown =>
  JSON.parse(JSON.stringify(answer), (name, value) =>
    name === "request_id"
      ? undefined
      : typeof value === "string"
        ? value.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d{3}Z$/, "$1")
        : value,
  );

describe("kept answers of an installation", () => {
  it("equal computed ones at any time and in any order", async () => {
    const steps = fc.array(
      fc.record({
        call: fc.constantFrom(...CALLS),
        wait: fc.oneof(fc.constant(0), fc.nat(900), fc.nat(20_000), fc.nat(3_600_000)),
      }),
      { minLength: 5, maxLength: 15 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (drawn) => {
        for (const {
          call: [name, input],
          wait,
        } of drawn) {
          now += wait;
          const kept = contentOf(await call(name, input, app.ports.answers));
          expect(kept, name).toEqual(contentOf(await call(name, input, computed)));
        }
      }),
      { numRuns: draws(20), seed: 20_260_115 },
    );
  });

  it("are shared by calls of the same second, each with its own id and time", async () => {
    now += 1_000 - (now % 1_000);
    const [name, input] = CALLS[0];
    const first = (await call(name, input, app.ports.answers)) as Record<string, unknown>;
    now += 300;
    const second = (await call(name, input, app.ports.answers)) as Record<string, unknown>;
    expect(second.data).toBe(first.data);
    expect(second.request_id).not.toBe(first.request_id);
    expect(second.server_time).toBe(new Date(now).toISOString());
    now += 700;
    const third = (await call(name, input, app.ports.answers)) as Record<string, unknown>;
    expect(third.data).not.toBe(first.data);
  });

  it("are computed again after a change of the stored data", async () => {
    now += 1_000 - (now % 1_000);
    const [name, input] = CALLS[3];
    const ask = async () => (await call(name, input, app.ports.answers)) as Record<string, unknown>;
    const first = await ask();
    expect((await ask()).bars).toBe(first.bars);
    await call("save_watchlist", { name: "mine", symbols: ["AAPL"] }, app.ports.answers);
    expect((await ask()).bars).not.toBe(first.bars);
  });
});
