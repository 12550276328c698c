import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { install } from "../support/installation.ts";
import { createDatabase, onPostgres, POSTGRES_URL } from "../support/postgres.ts";
import { suiteDir } from "../support/temp-dir.ts";

const { dir } = suiteDir();
const TIMEOUT = { timeout: 30_000 };

/** Opens a server and counts the starts and ends of its nightly engine. */
async function server(name: string, env: Record<string, string>) {
  const { app, stop } = await install(dir, "sample", { ...env, DATA_DIR: join(dir, name) });
  const counts = { starts: 0, ends: 0 };
  const start = app.engine.start;
  vi.spyOn(app.engine, "start").mockImplementation(() => {
    counts.starts++;
    const end = start();
    return async () => {
      await end();
      counts.ends++;
    };
  });
  let stopped: Promise<void> | undefined;
  const stopOnce = () => {
    stopped ??= stop();
    return stopped;
  };
  onTestFinished(stopOnce);
  return {
    app,
    counts,
    leads: () => app.store.replicas!.leads(),
    isRunning: () => app.engine.ongoing.current() !== null,
    stop: stopOnce,
  };
}

onPostgres.describe("the background work of two servers on one database", () => {
  it("is done by one of them, and by the other one from the end of the first on", async () => {
    const env = {
      DATABASE_URL: await createDatabase(POSTGRES_URL!),
      MASTER_KEY: randomBytes(32).toString("base64"),
    };
    const servers = [await server("one", env), await server("two", env)];
    for (const { app } of servers) app.start();
    await expect.poll(() => servers.filter(({ leads }) => leads()).length, TIMEOUT).toBe(1);
    const first = servers.find(({ leads }) => leads())!;
    const second = servers.find((one) => one !== first)!;
    await expect.poll(first.isRunning, TIMEOUT).toBe(true);
    expect(second.isRunning()).toBe(false);
    expect([first.counts, second.counts]).toEqual([
      { starts: 1, ends: 0 },
      { starts: 0, ends: 0 },
    ]);
    const closed = first.stop();
    await expect.poll(() => second.counts.starts, TIMEOUT).toBe(1);
    expect(first.counts).toEqual({ starts: 1, ends: 1 });
    await closed;
    expect(second.leads()).toBe(true);
    // it resumes the interrupted run
    await expect.poll(second.isRunning, TIMEOUT).toBe(true);
  }, 120_000);
});
