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
  const requests: string[] = [];
  const { log, lines } = collectingLog();
  const made = brokersOf({
    ...ports,
    market: { mode: "live" },
    book: {} as PaperRepository,
    live: false,
    log,
    fetch: async (input) => {
      requests.push(String(input));
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
    return requests.map((url) => new URL(url).origin);
  };
  const refusal = (type: "live" | "paper") => {
    try {
      return open("alpaca", type) && null;
    } catch (cause) {
      const { code, message, hint } = cause as ToolError;
      return { code, message, hint };
    }
  };
  return { open, host, refusal, lines, requests };
}

describe("the broker Alpaca", () => {
  it("is called at the URL of the account type", async () => {
    expect(await brokers().host("paper")).toEqual(["https://paper-api.alpaca.markets"]);
    expect(await brokers().host("live")).toEqual(["https://api.alpaca.markets"]);
  });

  it.each([
    ["sample", "simulated ones (MARKET_DATA=sample)"],
    ["files", "files (MARKET_DATA=files)"],
  ] as const)("is not available in the %s market, with a hint to use paper", (mode, words) => {
    for (const type of ["paper", "live"] as const)
      expect(brokers({ market: { mode } }).refusal(type)).toEqual({
        code: "REFUSED",
        message: `Alpaca trades at real prices, but this server uses ${words}`,
        hint: 'Connect the broker "paper" with account_type "paper": it trades at the prices of this server.',
      });
  });

  it("is not available while a price provider is replaced", () => {
    const replaced = { priceProviders, providers: [source("yahoo", "http://127.0.0.1:9/yahoo")] };
    expect(brokers({ liveMarket: replaced }).refusal("live")).toMatchObject({ code: "REFUSED" });
    const sandbox = {
      priceProviders,
      providers: [source("yahoo", null), source("tradier", "https://sandbox.tradier.com")],
    };
    expect(brokers({ liveMarket: sandbox }).refusal("live")).toBeNull();
  });

  it("is called at the replacement URL, with a warning for a live account", async () => {
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

  it("has another market id with a replacement URL", () => {
    expect(marketId(readConfig({ MARKET_DATA: "live" }))).toBe("live");
    const at = (port: number) =>
      marketId(readConfig({ MARKET_DATA: "live", PROVIDER_URL_ALPACA_TRADING: `http://127.0.0.1:${port}` }));
    expect(at(9)).toMatch(/^live-elsewhere-[0-9a-f]{12}$/);
    expect(at(9)).not.toBe(at(10));
  });

  it.each(["http://broker.example", "http://10.0.0.7:8080", "http://127.0.0.1.example"])(
    "is never replaced by the unencrypted URL %s",
    (url) => {
      expect(() => readConfig({ PROVIDER_URL_ALPACA_TRADING: url })).toThrow(
        "PROVIDER_URL_ALPACA_TRADING: must be https unless it is on this machine",
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
