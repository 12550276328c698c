import { randomUUID } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { demoMarketOf } from "../../src/app/providers/demo-ports.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { runRepository } from "../../src/store/nightly/run-repository.ts";
import { checkInstallation } from "../../src/transports/cli/doctor.ts";
import { getDemo } from "../../tools/get-demo.ts";
import { getQuote } from "../../tools/get-quote.ts";
import { coingeckoVendor } from "../replay/coingecko.ts";
import { krakenVendor } from "../replay/kraken.ts";
import { nasdaqVendor } from "../replay/nasdaq.ts";
import { nasdaqtraderVendor } from "../replay/nasdaqtrader.ts";
import type { Vendor } from "../replay/vendor.ts";
import type { World, WorldBar } from "../replay/world.ts";
import { runHead } from "../support/engine.ts";
import type { Installation } from "../support/installation.ts";
import { call, KEYS, liveStage, requestCounts, requestTotal } from "../support/live.ts";
import { testCli } from "../transports/cli/test-host.ts";

const MINUTE = 60_000;

/** The world with all prices two percent higher. */
function twoPercentHigher(world: World): World {
  const up = (bar: WorldBar): WorldBar => ({
    ...bar,
    open: bar.open * 1.02,
    high: bar.high * 1.02,
    low: bar.low * 1.02,
    close: bar.close * 1.02,
  });
  return {
    ...world,
    bars: (...asked) => world.bars(...asked).map(up),
    trade(symbol) {
      const trade = world.trade(symbol);
      return trade && { ...trade, price: trade.price * 1.02, high: trade.high * 1.02 };
    },
  };
}
/** Providers that report prices two percent too high. */
const wrongVendors = new Set<string>();
const whenWrong = (vendor: Vendor): Vendor => ({
  ...vendor,
  answer: (request, world) =>
    vendor.answer(request, wrongVendors.has(vendor.name) ? twoPercentHigher(world) : world),
});

/** The lists with one new name each. */
const QUITE_NEW = "Y|QZNEW|Quite New Corporation - Common Stock|Q|Q|N|100|N|N||QZNEW|N";
const listing: Vendor = {
  ...nasdaqtraderVendor,
  answer(request, world) {
    const { body, ...reply } = nasdaqtraderVendor.answer(request, world);
    return { ...reply, body: body.replace("\n", `\n${QUITE_NEW}\n`) };
  },
};
const coins: Vendor = {
  ...coingeckoVendor,
  answer(request, world) {
    const { body, ...reply } = coingeckoVendor.answer(request, world);
    if (!request.path.endsWith("/coins/markets")) return { ...reply, body };
    const coin = { id: "quite-new", symbol: "qnewcoin", name: "Quite New Coin", market_cap_rank: 90 };
    return { ...reply, body: JSON.stringify([...JSON.parse(body), coin]) };
  },
};

const suite = liveStage("2026-11-19T16:03:20Z", [
  whenWrong(krakenVendor),
  whenWrong(nasdaqVendor),
  listing,
  coins,
]);
const { withInstallation } = suite;

/** Findings of the doctor on an open installation. */
const examined = ({ app }: Installation) =>
  checkInstallation(testCli({ host: { open: async () => ({ ...app, close: async () => {} }) } }).host);

/** Starts the background work of an installation whose nightly runs have finished before, so that none begins. */
async function startAfterRuns({ app }: Installation): Promise<void> {
  const repository = runRepository({ db: app.store.db, market: app.ports.market.id });
  const runAt = suite.stage.clock.now().toISOString();
  for (const universe of ["sp500", "crypto"]) {
    const run_id = randomUUID();
    await repository.begin(runHead({ run_id, universe, started_at: runAt }));
    await repository.finish(run_id, { runAt, failures: [], index: null });
  }
  app.start();
}

/** The demo as returned to a caller without a key. */
const demoOf = async ({ url }: Installation) => {
  const answer = await fetch(`${url}/api/v1/demo`);
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

/** Waits until the demo is ready. */
const demoReady = (installation: Installation) =>
  vi.waitFor(async () => expect((await demoOf(installation)).status).toBe(200), 15_000);

describe("a second provider", () => {
  it("is called if the caller requests verification, and agrees", () =>
    withInstallation({}, async (installation) => {
      const { data, provenance } = await call(installation, getQuote, { symbol: "BTC-USD", verify: true });
      const { comparison } = provenance;
      expect(comparison).toMatchObject({ provider: "kraken", limit_percent: 1, verdict: "agree" });
      expect(comparison!.difference_percent).toBe(
        Number((100 * (comparison!.price / data.price - 1)).toFixed(2)),
      );
      expect(comparison!.provider).not.toBe(provenance.provider);
      // the same price again, with the comparison of its check
      const again = await call(installation, getQuote, { symbol: "BTC-USD" });
      expect(again.provenance.comparison).toEqual(comparison);
      expect(await installation.app.live!.disagreements(10)).toEqual([]);
    }));

  it.each([
    // a third provider decides between the two
    ["BTC-USD", "coinbase", "kraken", 1, { provider: "yahoo", verdict: "agree" }, {}],
    ["AAPL", "cboe", "nasdaq", 0.5, { provider: "nasdaq", verdict: "apart" }, { PROVIDERS_OFF: "yahoo" }],
  ] as const)(
    "that quotes %s two percent too high is reported and stored for the operator",
    (symbol, first, second, limit, shown, env) =>
      withInstallation(env, async (installation) => {
        if (symbol === "AAPL") suite.stage.to("2026-11-21T16:00:00Z"); // within a session a delayed provider is no comparison
        wrongVendors.add(second);
        const { data, provenance } = await call(installation, getQuote, { symbol, verify: true });
        wrongVendors.clear();
        expect(data.source).toBe(first);
        expect(provenance.comparison).toMatchObject({ ...shown, limit_percent: limit });
        const stored = await installation.app.live!.disagreements(10);
        expect(stored).toMatchObject([{ symbol, providers: [first, second], limit_percent: limit }]);
        const { prices, difference_percent } = stored[0]!;
        expect(prices[0]).toBe(data.price);
        expect(difference_percent).toBeGreaterThan(1.5);
        expect(difference_percent).toBeLessThan(2.5);
        const entry = (await examined(installation)).find(({ name }) => name === symbol);
        expect(entry).toEqual({
          name: symbol,
          state: "note",
          detail: `${first} returned ${data.price} and ${second} ${prices[1]} at ${suite.stage.clock.now().toISOString()}: a difference of ${difference_percent}%, limit ${limit}%`,
        });
      }),
  );
});

describe("maintenance", () => {
  it("adds new listings and restores them after a restart", async () => {
    const folder = "listings";
    const first = async (installation: Installation) => {
      const { symbols } = installation.app.ports;
      expect([symbols.find("QZNEW"), symbols.find("QNEWCOIN-USD")]).toEqual([null, null]);
      await startAfterRuns(installation);
      await vi.waitFor(() => expect(symbols.find("QNEWCOIN-USD")).not.toBeNull(), 15_000);
      expect(symbols.resolve("QZNEW").instrument).toMatchObject({ symbol: "QZNEW", asset_class: "equity" });
      const token = { symbol: "QNEWCOIN-USD", name: "Quite New Coin", asset_class: "crypto" };
      expect(symbols.resolve("qnewcoin").instrument).toMatchObject(token);
      expect(symbols.search("quite new coin", 1)).toMatchObject([token]);
      expect(requestCounts(suite.stage.replay).nasdaqtrader).toBe(1);
      await demoReady(installation);
    };
    const restarted = async (installation: Installation) => {
      expect(installation.app.ports.symbols.find("QZNEW")?.instrument.symbol).toBe("QZNEW");
      await startAfterRuns(installation);
      await demoReady(installation);
      expect(requestCounts(suite.stage.replay).nasdaqtrader).toBe(1);
    };
    await withInstallation({}, first, folder);
    await withInstallation({}, restarted, folder);
  });
});

const RESTRICTED = ["yahoo", "cboe", "nasdaq", "finnhub", "alpaca", "unusualwhales", "fmp", "tradier"];

describe("the demo without a key", () => {
  it("is prepared in advance and costs no request", () =>
    withInstallation({}, async (installation) => {
      const before = requestTotal(suite.stage.replay);
      expect(await demoOf(installation)).toMatchObject({ status: 503, body: { code: "NOT_CONNECTED" } });
      expect(requestTotal(suite.stage.replay)).toBe(before);
      await startAfterRuns(installation);
      await demoReady(installation);
      await vi.waitFor(
        () => expect(installation.app.ports.symbols.find("QNEWCOIN-USD")).not.toBeNull(),
        15_000,
      );
      // the contracts that the demo read are stored with a price, in the background
      const { contractHistory, clock } = installation.app.ports;
      const range = { since: 0, until: clock.now().getTime() };
      await vi.waitFor(
        async () => expect(await contractHistory.newest("BTC-USD", range)).not.toBeNull(),
        15_000,
      );
      const made = requestTotal(suite.stage.replay);
      for (let i = 0; i < 5; i++) {
        const { body } = await demoOf(installation);
        expect(body).toMatchObject({ ok: true, symbol: "BTC-USD" });
        suite.stage.clock.move(5 * MINUTE);
      }
      expect(requestTotal(suite.stage.replay)).toBe(made);
    }));

  it("is computed without the providers whose data may not be republished, although they are enabled", () =>
    withInstallation(KEYS, async ({ app, ...installation }) => {
      const requested = () => RESTRICTED.map((name) => requestCounts(suite.stage.replay)[name]);
      const before = requested();
      const { ports } = app;
      const demo = { ...ports, ...app.live!.demoPorts, market: demoMarketOf(ports.market) };
      const options = { ports: demo, principal: app.owner, transport: "background" };
      expect(await invoke(getDemo, {}, options)).toMatchObject({ ok: true, symbol: "BTC-USD" });
      expect(requested()).toEqual(before);
      expect(await demoOf({ app, ...installation })).toMatchObject({
        status: 200,
        body: { symbol: "BTC-USD" },
      });
    }));

  it("shows no stock, and no card that a caller with a key requested", () =>
    withInstallation({ DEMO_SYMBOL: "AAPL" }, async (installation) => {
      const { ports, owner, live } = installation.app;
      expect(await call(installation, getDemo, {})).toMatchObject({ ok: true, symbol: "AAPL" });
      const demo = { ...ports, ...live!.demoPorts, market: demoMarketOf(ports.market) };
      const options = { ports: demo, principal: owner, transport: "background" };
      await expect(invoke(getDemo, {}, options)).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
      expect(await demoOf(installation)).toMatchObject({ status: 503, body: { code: "NOT_CONNECTED" } });
    }));
});
