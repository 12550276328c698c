import { describe, expect, it } from "vitest";
import { ToolError } from "../../src/kernel/errors.ts";
import type { FollowCall } from "../../src/kernel/follow.ts";
import { followQuotes } from "../../src/kernel/follow-quotes.ts";
import { streamQuotes } from "../../tools/stream-quotes.ts";
import { countingMeters, member, testPorts } from "../support/context.ts";
import { directoryOf } from "../support/market.ts";
import { streamedPrices } from "../support/quote-streams.ts";

const symbols = directoryOf(["AAPL", "MSFT", "NVDA"]);

/** A follower of symbols, with all dependencies. */
function follower(
  input: unknown = { symbols: ["AAPL", "MSFT"] },
  over: Partial<FollowCall<"quoteStreams" | "symbols">> = {},
) {
  const prices = streamedPrices({ AAPL: 100, MSFT: 200 });
  const { meters, debits } = countingMeters();
  const stop = new AbortController();
  let wake = () => {};
  const { quotes, quoteStreams } = prices;
  const ports = { ...testPorts({ symbols, quotes, meters }), quoteStreams, symbols };
  const steps = followQuotes(streamQuotes, input, {
    ports,
    principal: member,
    transport: "test",
    signal: stop.signal,
    refreshPrincipal: async () => member,
    registerWake: (registered) => {
      wake = registered;
    },
    ...over,
  });
  /** Returns the next update in short form: `AAPL 100`. */
  const next = async () => {
    const { value } = await steps.next();
    if (!value) return "end";
    if (value.kind === "watching") return `watching ${value.watching}`;
    if (value.kind === "unavailable") return `unavailable ${value.error.code}`;
    return value.quotes.map(({ symbol, price, feed }) => `${symbol} ${price} ${feed}`).join(", ");
  };
  return { ...prices, steps, next, stop, debits, wake: () => wake() };
}

describe("following quotes", () => {
  it("yields the symbols, all prices, then each changed one; only the first call is metered", async () => {
    const { next, send, followed, debits } = follower();
    expect(await next()).toBe("watching AAPL,MSFT");
    expect(followed()).toEqual(["AAPL", "MSFT"]);
    expect(await next()).toBe("AAPL 100 poll, MSFT 200 poll");
    send("MSFT", 201);
    expect(await next()).toBe("MSFT 201 stream");
    const waiting = next();
    send("AAPL", 101);
    expect(await waiting).toBe("AAPL 101 stream");
    expect(debits).toEqual({ burst: 1, day: 1 });
  });

  it("yields only the newest of the prices that arrived while the reader was busy", async () => {
    const { next, send, reads } = follower();
    await next();
    await next();
    const before = reads.length;
    for (let price = 101; price <= 150; price++) send("AAPL", price);
    expect(await next()).toBe("AAPL 150 stream");
    expect(reads.length - before).toBe(2);
  });

  it("reads again when woken, and yields nothing while no price has changed", async () => {
    const { next, set, wake } = follower();
    await next();
    await next();
    const waiting = next();
    wake();
    await new Promise((resolve) => setImmediate(resolve));
    set("MSFT", 205);
    wake();
    expect(await waiting).toBe("MSFT 205 poll");
  });

  it("reports an outage once, and all prices after it", async () => {
    const { next, failing, wake } = follower();
    await next();
    await next();
    for (const symbol of ["AAPL", "MSFT"])
      failing.set(symbol, new ToolError("UPSTREAM_UNAVAILABLE", "No provider responds"));
    wake();
    expect(await next()).toBe("unavailable UPSTREAM_UNAVAILABLE");
    const waiting = next();
    wake();
    await new Promise((resolve) => setImmediate(resolve));
    failing.clear();
    wake();
    expect(await waiting).toBe("AAPL 100 poll, MSFT 200 poll");
  });

  it("yields a symbol without a price with its reason", async () => {
    const { steps } = follower({ symbols: ["AAPL", "NVDA"] });
    await steps.next();
    const { value } = await steps.next();
    expect(value).toMatchObject({
      kind: "quotes",
      quotes: [
        { symbol: "AAPL", price: 100, reason: null },
        { symbol: "NVDA", price: null, timestamp: null, reason: "No price of NVDA" },
      ],
    });
  });
});

describe("the end of following quotes", () => {
  it.each(["abort", "return"])("comes with an %s, and ends every subscription", async (how) => {
    const { next, steps, stop, followed } = follower();
    await next();
    await next();
    if (how === "abort") {
      const last = next();
      stop.abort();
      expect(await last).toBe("end");
    } else await steps.return();
    expect(followed()).toEqual([]);
    expect(await next()).toBe("end");
  });

  it.each([
    ["UNAUTHENTICATED", () => Promise.reject(new ToolError("UNAUTHENTICATED", "Revoked"))],
    ["SCOPE_REQUIRED", async () => ({ ...member, scopes: [] })],
  ])("comes with %s once the key is invalid, before the next price", async (code, refreshPrincipal) => {
    const { next, send, followed } = follower(undefined, { refreshPrincipal });
    await next();
    await next();
    send("AAPL", 101);
    await expect(next()).rejects.toMatchObject({ code });
    expect(followed()).toEqual([]);
  });

  it.each([
    ["UNKNOWN_SYMBOL", { symbols: ["ZZZZQ"] }],
    ["NO_PRICE", { symbols: ["NVDA"] }],
    ["INVALID_INPUT", { symbols: Array.from({ length: 21 }, (_, i) => `A${i}`) }],
    ["INVALID_INPUT", { symbols: ["AAPL"], after: "x" }],
  ])("comes at once with %s", async (code, input) => {
    const { next, followed } = follower(input);
    await expect(next()).rejects.toMatchObject({ code });
    expect(followed()).toEqual([]);
  });
});
