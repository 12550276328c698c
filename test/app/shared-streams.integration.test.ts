import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Quote } from "../../src/domain/market/market.ts";
import { type Installation, install } from "../support/installation.ts";
import { createDatabase, onPostgres, POSTGRES_URL } from "../support/postgres.ts";
import { startStreamVendors, streamedTrade } from "../support/stream-vendors.ts";
import { suiteDir } from "../support/temp-dir.ts";

const { dir } = suiteDir();
const TIMEOUT = { timeout: 20_000 };
const refused: typeof fetch = async () => new Response(null, { status: 503 });

/** Two servers on one database, whose only provider is a stream with a count of its sockets. */
async function twoServers() {
  const vendors = await startStreamVendors();
  onTestFinished(vendors.close);
  const shared = {
    DATABASE_URL: await createDatabase(POSTGRES_URL!),
    MASTER_KEY: randomBytes(32).toString("base64"),
    PROVIDER_URL_COINBASE: vendors.url("coinbase"),
  };
  const open = async (name: string) => {
    const env = { ...shared, DATA_DIR: join(dir, name) };
    const server = await install(dir, "live", env, { fetch: refused });
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= server.stop();
      return stopped;
    };
    onTestFinished(stop);
    server.app.start();
    return { ...server, stop };
  };
  const servers = [await open("one"), await open("two")];
  await expect.poll(() => leaderOf(servers) !== undefined, TIMEOUT).toBe(true);
  const first = leaderOf(servers)!;
  const second = servers.find((server) => server !== first)!;
  return { vendors, first, second };
}

const leaderOf = <S extends Installation>(servers: readonly S[]) =>
  servers.find(({ app }) => app.store.replicas!.leads());

function follow({ app }: Installation) {
  const { instrument } = app.ports.symbols.resolve("BTC-USD");
  const prices: number[] = [];
  app.ports.quoteStreams.subscribe(instrument, ({ price }: Quote) => void prices.push(price));
  return prices;
}

onPostgres.describe("streams of prices of two servers on one database", () => {
  it("have one socket, whose prices both receive, and which the next leader opens again", async () => {
    const { vendors, first, second } = await twoServers();
    const received = [follow(second), follow(first)];
    await expect.poll(() => vendors.subscriptions("coinbase"), TIMEOUT).toEqual([["BTC-USD"]]);
    vendors.push("coinbase", "BTC-USD", streamedTrade(100));
    await expect.poll(() => received, TIMEOUT).toEqual([[100], [100]]);
    expect(vendors.connections("coinbase")).toBe(1);

    await first.stop();
    await expect.poll(() => second.app.store.replicas!.leads(), TIMEOUT).toBe(true);
    await expect.poll(() => vendors.subscriptions("coinbase"), TIMEOUT).toEqual([["BTC-USD"]]);
    vendors.push("coinbase", "BTC-USD", streamedTrade(101));
    await expect.poll(() => received, TIMEOUT).toEqual([[100, 101], [100]]);
    expect(vendors.connections("coinbase")).toBe(2);
  }, 120_000);
});
