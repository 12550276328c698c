import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { checkInstallation } from "../../src/transports/cli/doctor.ts";
import { getDemo } from "../../tools/get-demo.ts";
import { getQuote } from "../../tools/get-quote.ts";
import { binanceVendor } from "../replay/binance.ts";
import { coingeckoVendor } from "../replay/coingecko.ts";
import { nasdaqVendor } from "../replay/nasdaq.ts";
import { nasdaqtraderVendor } from "../replay/nasdaqtrader.ts";
import type { Vendor } from "../replay/vendor.ts";
import type { World, WorldBar } from "../replay/world.ts";
import type { Installation } from "../support/installation.ts";
import { heard, heardInAll, KEYS, type LiveStage, stageAt, told } from "../support/live.ts";
import { suiteDir } from "../support/temp-dir.ts";
import { stand } from "../transports/cli/stand.ts";

const MINUTE = 60_000;

/** The world in which everything costs two percent more. */
function dearer(world: World): World {
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
/** A vendor that is wrong while it is told to be. */
const wrongs = new Set<string>();
const perhapsWrong = (vendor: Vendor): Vendor => ({
  ...vendor,
  answer: (request, world) => vendor.answer(request, wrongs.has(vendor.name) ? dearer(world) : world),
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

const suite = suiteDir();
let stage: LiveStage;
beforeAll(async () => {
  stage = await stageAt("2026-11-19T16:03:20Z", [
    perhapsWrong(binanceVendor),
    perhapsWrong(nasdaqVendor),
    listing,
    coins,
  ]);
});
afterAll(async () => {
  await stage.close();
  suite.remove();
});

let opened = 0;
/** An installation that remembers nothing, for as long as it is used. */
async function withHouse(env: Record<string, string>, use: (house: Installation) => Promise<void>) {
  const dir = join(suite.dir, String(++opened));
  mkdirSync(dir);
  const house = await stage.open(dir, env);
  try {
    await use(house);
  } finally {
    await house.stop();
  }
}

/** What the doctor finds in an installation that is open. */
const examined = ({ app }: Installation) =>
  checkInstallation(stand({ host: { open: async () => ({ ...app, close: async () => {} }) } }).host);

/** What somebody without a key is shown. */
const stranger = async ({ url }: Installation) => {
  const answer = await fetch(`${url}/api/v1/demo`);
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

/** Waits until the demo is made. */
const shown = (house: Installation) =>
  vi.waitFor(async () => expect((await stranger(house)).status).toBe(200), 15_000);

describe("a second source", () => {
  it("is asked where the caller wants it, and agrees", () =>
    withHouse({}, async (house) => {
      const { data, provenance } = await told(house, getQuote, { symbol: "BTC-USD", verify: true });
      const { comparison } = provenance;
      expect(comparison).toMatchObject({ provider: "binance", limit_percent: 1, verdict: "agree" });
      expect(comparison!.difference_percent).toBe(
        Number((100 * (comparison!.price / data.price - 1)).toFixed(4)),
      );
      expect(comparison!.provider).not.toBe(provenance.provider);
      expect((await told(house, getQuote, { symbol: "BTC-USD" })).provenance.comparison).toBeNull();
      expect(await house.app.live!.disagreements(10)).toEqual([]);
    }));

  it.each([
    ["BTC-USD", "coinbase", "binance", 1, {}],
    ["AAPL", "cboe", "nasdaq", 0.5, { PROVIDERS_OFF: "yahoo" }],
  ] as const)(
    "that says of %s two percent more is told, and kept for the operator",
    (symbol, first, second, limit, env) =>
      withHouse(env, async (house) => {
        if (symbol === "AAPL") stage.to("2026-11-21T16:00:00Z"); // within a session a source that lags is no comparison
        wrongs.add(second);
        const { data, provenance } = await told(house, getQuote, { symbol, verify: true });
        wrongs.clear();
        expect(data.source).toBe(first);
        const { comparison } = provenance;
        expect(comparison).toMatchObject({ provider: second, limit_percent: limit, verdict: "apart" });
        expect(comparison!.difference_percent).toBeGreaterThan(1.5);
        expect(comparison!.difference_percent).toBeLessThan(2.5);
        expect(await house.app.live!.disagreements(10)).toMatchObject([
          {
            symbol,
            providers: [first, second],
            prices: [data.price, comparison!.price],
            limit_percent: limit,
          },
        ]);
        const entry = (await examined(house)).find(({ name }) => name === symbol);
        expect(entry).toEqual({
          name: symbol,
          state: "note",
          detail: `${first} said ${data.price} and ${second} ${comparison!.price} at ${stage.clock.now().toISOString()}: ${comparison!.difference_percent}% apart, over ${limit}%`,
        });
      }),
  );
});

describe("upkeep", () => {
  it("takes new listings into use, and keeps them over a restart", () =>
    withHouse({}, async (house) => {
      const { symbols } = house.app.ports;
      expect([symbols.find("QZNEW"), symbols.find("QNEWCOIN-USD")]).toEqual([null, null]);
      house.app.start();
      await vi.waitFor(() => expect(symbols.find("QNEWCOIN-USD")).not.toBeNull(), 15_000);
      expect(symbols.resolve("QZNEW").instrument).toMatchObject({ symbol: "QZNEW", asset_class: "equity" });
      const token = { symbol: "QNEWCOIN-USD", name: "Quite New Coin", asset_class: "crypto" };
      expect(symbols.resolve("qnewcoin").instrument).toMatchObject(token);
      expect(symbols.search("quite new coin", 1)).toMatchObject([token]);
      expect(heard(stage.replay).nasdaqtrader).toBe(1);
      await shown(house);
      const again = await stage.open(join(suite.dir, String(opened)));
      try {
        expect(again.app.ports.symbols.find("QZNEW")?.instrument.symbol).toBe("QZNEW");
        again.app.start();
        await shown(again);
        expect(heard(stage.replay).nasdaqtrader).toBe(1);
      } finally {
        await again.stop();
      }
    }));
});

describe("the demo that strangers are shown", () => {
  it("is what was made beforehand, and costs no call", () =>
    withHouse({}, async (house) => {
      const before = heardInAll(stage.replay);
      expect(await stranger(house)).toMatchObject({ status: 503, body: { code: "NOT_CONNECTED" } });
      expect(heardInAll(stage.replay)).toBe(before);
      house.app.start();
      await shown(house);
      await vi.waitFor(() => expect(house.app.ports.symbols.find("QNEWCOIN-USD")).not.toBeNull(), 15_000);
      const made = heardInAll(stage.replay);
      for (let i = 0; i < 5; i++) {
        const { body } = await stranger(house);
        expect(body).toMatchObject({ ok: true, symbol: "SPY" });
        stage.clock.move(5 * MINUTE);
      }
      expect(heardInAll(stage.replay)).toBe(made);
    }));

  it("is nothing where prices come by key, and nothing is asked for it", () =>
    withHouse(KEYS, async (house) => {
      const keyed = () => heard(stage.replay).finnhub! + heard(stage.replay).alpaca!;
      const before = keyed();
      house.app.start();
      await vi.waitFor(() => expect(house.app.ports.symbols.find("QZNEW")).not.toBeNull(), 15_000);
      expect(await stranger(house)).toMatchObject({ status: 503, body: { code: "NOT_CONNECTED" } });
      expect(keyed()).toBe(before);
      const owner = await told(house, getDemo, {});
      expect(owner).toMatchObject({ ok: true, symbol: "SPY" });
      expect(await stranger(house)).toMatchObject({ status: 503, body: { code: "NOT_CONNECTED" } });
    }));
});
