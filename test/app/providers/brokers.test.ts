import { describe, expect, it } from "vitest";
import { readConfig } from "../../../src/app/config.ts";
import { type BrokersOptions, brokersOf } from "../../../src/app/providers/brokers.ts";
import { marketId } from "../../../src/app/providers/provider-status.ts";
import type { PaperRepository } from "../../../src/domain/trading/paper-repository-port.ts";
import type { ToolError } from "../../../src/kernel/errors.ts";
import { collectingLog } from "../../support/context.ts";
import { smallMarket } from "../../support/market.ts";

const CREDENTIALS = { api_key: "PKEXAMPLE", api_secret: "example-secret" };
const priceProviders = { us: ["yahoo"], crypto: ["coinbase"] };
const source = (name: string, replacementUrl: string | null) => ({ name, replacementUrl }) as never;

function brokers(over: Partial<BrokersOptions> = {}) {
  const { ports } = smallMarket();
  const asked: string[] = [];
  const { log, lines } = collectingLog();
  const made = brokersOf({
    ...ports,
    market: { mode: "live" },
    book: {} as PaperRepository,
    live: false,
    log,
    fetch: async (input) => {
      asked.push(String(input));
      return new Response("", { status: 503 });
    },
    ...over,
  });
  const open = (broker: "alpaca" | "paper", type: "live" | "paper") =>
    made.open({ account: "a", connection: "cn_1", broker, type }, CREDENTIALS);
  const host = async (type: "live" | "paper") => {
    await open("alpaca", type)
      .account()
      .catch(() => undefined);
    return asked.map((url) => new URL(url).origin);
  };
  const refusal = (type: "live" | "paper") => {
    try {
      return open("alpaca", type) && null;
    } catch (cause) {
      const { code, message, hint } = cause as ToolError;
      return { code, message, hint };
    }
  };
  return { open, host, refusal, lines, asked };
}

describe("the broker Alpaca", () => {
  it("is asked where the account is: one address for paper, one for real money", async () => {
    expect(await brokers().host("paper")).toEqual(["https://paper-api.alpaca.markets"]);
    expect(await brokers().host("live")).toEqual(["https://api.alpaca.markets"]);
  });

  it.each([
    ["sample", "simulated ones (MARKET_DATA=sample)"],
    ["files", "files (MARKET_DATA=files)"],
  ] as const)("is not reached from a market of %s, which offers paper", (mode, words) => {
    for (const type of ["paper", "live"] as const)
      expect(brokers({ market: { mode } }).refusal(type)).toEqual({
        code: "INVALID_INPUT",
        message: `Alpaca trades at real prices, and this server runs on ${words}`,
        hint: 'Connect the broker paper, whose account_type is "paper": it trades on the prices of this server.',
      });
  });

  it("is not reached where made-up prices stand in the place of real ones", () => {
    const replaced = { priceProviders, providers: [source("yahoo", "http://127.0.0.1:9/yahoo")] };
    expect(brokers({ liveMarket: replaced }).refusal("live")).toMatchObject({ code: "INVALID_INPUT" });
    const beside = {
      priceProviders,
      providers: [source("yahoo", null), source("tradier", "https://sandbox.tradier.com")],
    };
    expect(brokers({ liveMarket: beside }).refusal("live")).toBeNull();
  });

  it("has a stand-in in its place where one is set, and a live account there is written into the log", async () => {
    const config = readConfig({ PROVIDER_URL_ALPACA_TRADING: "http://127.0.0.1:9" });
    const paper = brokers({ config });
    expect(await paper.host("paper")).toEqual(["http://127.0.0.1:9"]);
    expect(paper.lines).toEqual([]);
    const live = brokers({ config });
    expect(await live.host("live")).toEqual(["http://127.0.0.1:9"]);
    expect(JSON.stringify(live.lines)).toContain(
      "a live account is opened at a replacement URL, not at Alpaca",
    );
    expect(JSON.stringify(live.lines)).not.toContain(CREDENTIALS.api_secret);
  });

  it("has a market of its own with a stand-in, in which no connection of the real one is found", () => {
    expect(marketId(readConfig({ MARKET_DATA: "live" }))).toBe("live");
    const at = (port: number) =>
      marketId(readConfig({ MARKET_DATA: "live", PROVIDER_URL_ALPACA_TRADING: `http://127.0.0.1:${port}` }));
    expect(at(9)).toMatch(/^live-elsewhere-[0-9a-f]{12}$/);
    expect(at(9)).not.toBe(at(10));
  });

  it.each(["http://broker.example", "http://10.0.0.7:8080", "http://127.0.0.1.example"])(
    "is never replaced by %s, where others read along",
    (url) => {
      expect(() => readConfig({ PROVIDER_URL_ALPACA_TRADING: url })).toThrow(
        "PROVIDER_URL_ALPACA_TRADING: must be https where it is not on this machine",
      );
      expect(readConfig({ PROVIDER_URL_ALPACA_TRADING: "https://broker.example" })).toMatchObject({
        PROVIDER_URL_ALPACA_TRADING: "https://broker.example",
      });
    },
  );
});

describe("the paper exchange", () => {
  it("has no live accounts", () => {
    expect(() => brokers().open("paper", "live")).toThrow("The paper exchange has no live accounts");
  });
});
