import { describe, expect, it } from "vitest";
import { ProviderFailure } from "../../../src/domain/providers/price-provider.ts";
import { type CcxtSetup, failureOf, openExchange } from "../../../src/providers/ccxt/exchange.ts";
import { endlessFetch, fetchAnswering, unreachableFetch } from "../../support/faulty-fetch.ts";
import { ERRORS, fakeCcxt, type Said } from "./fake-ccxt.ts";

async function opened(said: Said, setup: Partial<CcxtSetup> = {}) {
  const { load, made } = fakeCcxt(said);
  await openExchange("testex", { fetch: unreachableFetch, load, ...setup });
  return made[0]!;
}

describe("an opened exchange", () => {
  it("loads only spot markets if it lists market types, and no currencies", async () => {
    const types = ["spot", "swap", "option"];
    const { options, has } = await opened({ options: { fetchMarkets: { types, extra: 1 }, other: 2 } });
    expect(options).toEqual({ fetchMarkets: { types: ["spot"], extra: 1 }, other: 2 });
    expect(has.fetchCurrencies).toBe(false);
  });

  it.each([{ types: { spot: true, swap: false } }, { types: ["swap"] }, "fetchMarketsV3"])(
    "leaves an option in another format unchanged: %j",
    async (fetchMarkets) => {
      expect((await opened({ options: { fetchMarkets } })).options).toEqual({ fetchMarkets });
    },
  );

  it("uses the given fetch without redirects and without ccxt's settings", async () => {
    const requests: unknown[] = [];
    const responses: unknown[] = [];
    const { fetchImplementation } = await opened(
      {},
      {
        fetch: async (input, init) => {
          requests.push([input, init]);
          return new Response("[1]", { headers: { date: "Fri, 20 Nov 2026 12:00:00 GMT", "x-limit": "5" } });
        },
        onResponse: (what) => responses.push(what),
      },
    );
    const { signal } = new AbortController();
    const theirs = { timeout: 10_000, agent: {} };
    const init = { ...theirs, method: "GET", headers: { a: "b" }, signal };
    const answer = await fetchImplementation("https://x.example/markets", init);
    expect([answer.status, answer.headers.get("x-limit"), await answer.text()]).toEqual([200, "5", "[1]"]);
    expect(requests).toEqual([
      ["https://x.example/markets", { method: "GET", headers: { a: "b" }, signal, redirect: "error" }],
    ]);
    expect(responses).toEqual([{ status: 200, providerClock: Date.UTC(2026, 10, 20, 12) }]);
  });

  it("reports a blocked country as blocked", async () => {
    const { fetchImplementation } = await opened({}, { fetch: fetchAnswering({ status: 451, body: "{}" }) });
    await expect(fetchImplementation("https://x.example")).rejects.toMatchObject({ kind: "blocked" });
  });

  it("stops reading an endless response", async () => {
    const flood = endlessFetch();
    const { fetchImplementation } = await opened({}, { fetch: flood });
    const failure: unknown = await fetchImplementation("https://x.example").catch((it: unknown) => it);
    expect(failure).toBeInstanceOf(ProviderFailure);
    expect(failure).toMatchObject({ kind: "malformed" });
    expect(flood.cancelled()).toBe(true);
  });
});

describe("an error thrown by ccxt", () => {
  it.each([
    ["BadSymbol", "unknown_symbol"],
    ["NotSupported", "unsupported"],
    ["RateLimitExceeded", "rate_limited"],
    ["DDoSProtection", "rate_limited"],
    ["AuthenticationError", "auth"],
    ["PermissionDenied", "auth"],
    ["AccountNotEnabled", "auth"],
    ["RestrictedLocation", "blocked"],
    ["RequestTimeout", "timeout"],
    ["NetworkError", "down"],
    ["ExchangeNotAvailable", "down"],
    ["OnMaintenance", "down"],
    ["InvalidNonce", "down"],
    ["BadRequest", "malformed"],
    ["BadResponse", "malformed"],
    ["ExchangeError", "malformed"],
    ["BaseError", "malformed"],
  ] as const)("is %s, so the failure is %s", (name, kind) => {
    const cause = new ERRORS[name]("testex words of the vendor");
    const failure = failureOf(cause);
    expect(failure).toMatchObject({ kind, cause });
    expect(failure.message).not.toContain("words");
  });

  it("is returned unchanged if it is our own ProviderFailure", () => {
    const ours = new ProviderFailure("rate_limited", "our own limit", { retryAfterMs: 7 });
    expect(failureOf(ours)).toBe(ours);
  });

  it.each([[new TypeError("x")], ["text"], [null], [undefined], [{}], [Object.create(null)]])(
    "may be any value: %s",
    (thrown) => {
      expect(failureOf(thrown).kind).toBe("malformed");
    },
  );
});
