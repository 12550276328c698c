import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { install } from "../../support/installation.ts";
import { tempDir } from "../../support/temp-dir.ts";

it("the first start on sample prices runs once, and signals use the run", async () => {
  const server = await install(tempDir(), "sample");
  onTestFinished(() => server.stop());
  const { key } = await server.key("pro");
  const signal = async () => {
    const response = await fetch(`${server.url}/api/v1/signals/AAPL`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const { data } = (await response.json()) as { data: Record<string, unknown> };
    return data;
  };
  expect(await signal()).toMatchObject({ engine_available: false });
  server.app.start();
  // a call that comes before the first rows waits for them
  const screener = async () => {
    for (;;) {
      const response = await fetch(`${server.url}/api/v1/screener?limit=1`, {
        headers: { authorization: `Bearer ${key}` },
      });
      if (response.status !== 503) return response;
      // a busy machine may need more than 8 s
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(await response.json()).toMatchObject({ retryable: true, code: "UPSTREAM_UNAVAILABLE" });
    }
  };
  expect((await screener()).status).toBe(200);
  const { engine } = server.app;
  while ((await engine.status(1))[0]?.runAt == null) await sleep(50);
  const [run] = await engine.status(9);
  expect(run).toMatchObject({ universe: "all", members: 74, rows: 74, failures: 0 });
  const { engine_available, engine: told, signal: now } = await signal();
  expect(engine_available).toBe(true);
  const { score, direction, grade } = now as Record<string, unknown>;
  expect(told).toEqual({ run_id: run!.run_id, runAt: run!.runAt, score, direction, grade });
});
