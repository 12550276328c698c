import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type FailureKind, ProviderFailure } from "../../../src/domain/providers/price-provider.ts";
import { ChainFailure, callInOrder } from "../../../src/market/failover/chain.ts";
import type { Guarded } from "../../../src/market/failover/guard.ts";
import { fakeProvider, providerQuote, settableClock } from "../../support/providers.ts";

const clock = settableClock("2026-01-15T15:00:00Z");
const never = new AbortController().signal;
const answers = (name: string, price: number, ms = 0) =>
  fakeProvider(name, {
    clock,
    latest: async (signal) => {
      await sleep(ms, undefined, { signal });
      return providerQuote({ price });
    },
  });
const fails = (name: string, ...kinds: FailureKind[]) => {
  let calls = 0;
  return fakeProvider(name, {
    clock,
    latest: async () => {
      const kind = kinds[calls++];
      if (kind === undefined) return providerQuote({ price: 7 });
      throw new ProviderFailure(kind, "no");
    },
  });
};
const price = ({ provider }: Guarded, signal: AbortSignal) =>
  provider.latest!({} as never, { signal }).then((quote) => quote.price);

describe("callInOrder", () => {
  it("returns the first provider's result and calls no other", async () => {
    let calls = 0;
    const second = fakeProvider("second", {
      clock,
      latest: async () => {
        calls++;
        return providerQuote();
      },
    });
    const {
      answer,
      provider: by,
      tried,
    } = await callInOrder([answers("first", 1), second], price, { signal: never });
    expect([answer, by.provider.name, calls]).toEqual([1, "first", 0]);
    expect(tried).toMatchObject([{ provider: "first", outcome: "answered" }]);
  });

  it.each([
    "down",
    "rate_limited",
    "auth",
    "blocked",
    "malformed",
    "timeout",
    "unknown_symbol",
    "unsupported",
  ] as const)("goes on to the next when one is %s, and says so", async (kind) => {
    const { answer, tried } = await callInOrder([fails("first", kind), answers("second", 2)], price, {
      signal: never,
    });
    expect(answer).toBe(2);
    expect(tried.map(({ provider, outcome }) => `${provider} ${outcome}`)).toEqual([
      `first ${kind}`,
      "second answered",
    ]);
  });

  it("calls the next provider while one is slow, and lets the slow call end", async () => {
    const calls: AbortSignal[] = [];
    let answer = () => {};
    const slow = fakeProvider("slow", {
      clock,
      latest: async (signal) => {
        calls.push(signal);
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
        return providerQuote({ price: 1 });
      },
    });
    const won = await callInOrder([slow, answers("quick", 2)], price, { signal: never, hedgeMs: 20 });
    expect(won.answer).toBe(2);
    expect(won.tried.map(({ provider, outcome }) => `${provider} ${outcome}`)).toEqual([
      "quick answered",
      "slow overtaken",
    ]);
    expect(calls.map(({ aborted }) => aborted)).toEqual([false]);
    expect(slow.unavailableReason()).toBe("resting");
    answer();
    await expect.poll(() => slow.unavailableReason()).toBeNull();
    expect(slow.state()).toMatchObject({ failedAt: null, breaker: "closed" });
  });

  it("gives every provider as much more time as the installation states", async () => {
    const slow = { ...answers("slow", 1, 200), timeScale: 100 };
    const { answer, tried } = await callInOrder([slow, answers("quick", 2)], price, {
      signal: never,
      hedgeMs: 20,
    });
    expect([answer, tried.length]).toEqual([1, 1]);
  });

  it("does not wait again for a provider that never answers", async () => {
    let calls = 0;
    const hung = fakeProvider("hung", {
      clock,
      timeoutMs: 60,
      latest: () => {
        calls++;
        return new Promise(() => {});
      },
    });
    const order = [hung, answers("quick", 2)];
    const outcomes = async () =>
      (await callInOrder(order, price, { signal: never, hedgeMs: 20 })).tried.map(
        ({ provider, outcome }) => `${provider} ${outcome}`,
      );
    expect(await outcomes()).toEqual(["quick answered", "hung overtaken"]);
    // the first call is still running
    expect(await outcomes()).toEqual(["hung resting", "quick answered"]);
    await expect.poll(() => hung.state().breaker).toBe("open");
    expect(hung.state().failure).toBe("timeout");
    expect(await outcomes()).toEqual(["hung resting", "quick answered"]);
    expect(calls).toBe(1);
  });

  it("ends the calls of other providers when the caller aborts or the market closes", async () => {
    const signals: AbortSignal[] = [];
    const slow = () =>
      fakeProvider("slow", {
        clock,
        latest: (signal) => {
          signals.push(signal);
          return new Promise(() => {});
        },
      });
    const stop = new AbortController();
    const left = callInOrder([slow()], price, { signal: stop.signal });
    stop.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    const overtaken = slow();
    await callInOrder([overtaken, answers("quick", 2)], price, { signal: never, hedgeMs: 5 });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    overtaken.abortOvertaken();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    await expect.poll(() => overtaken.unavailableReason()).toBeNull();
    expect(overtaken.state().failedAt).toBeNull();
  });

  it("waits for better results after an incomplete one", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const answersAfter = (name: string, ms: number, value: number) =>
      fakeProvider(name, {
        clock,
        latest: () => new Promise((resolve) => setTimeout(resolve, ms, providerQuote({ price: value }))),
      });
    const order = [answersAfter("good", 60, 1), answersAfter("late", 0, 2)];
    const best = (answer: number) => answer === 1;
    const firstWithin = async (graceMs: number) => {
      const result = callInOrder(order, price, { signal: never, hedgeMs: 5, best, graceMs });
      await vi.advanceTimersByTimeAsync(60);
      return (await result).answer;
    };
    expect(await firstWithin(1_000)).toBe(1);
    expect(await firstWithin(5)).toBe(2);
  });

  it("returns the best incomplete result if none is complete", async () => {
    const order = [answers("a", 3), answers("b", 5), fails("c", "auth"), answers("d", 4)];
    const options = { signal: never, best: () => false, better: (a: number, b: number) => a > b };
    expect(await callInOrder(order, price, options)).toMatchObject({
      answer: 5,
      provider: { provider: { name: "b" } },
    });
    const found = await callInOrder(order, price, { ...options, mayHelp: () => false });
    expect([found.answer, found.tried.length]).toEqual([3, 1]);
  });

  it("calls providers with a transient failure once more, and no others", async () => {
    const { answer, tried } = await callInOrder([fails("a", "down"), fails("b", "unknown_symbol")], price, {
      signal: never,
    });
    expect(answer).toBe(7);
    expect(tried.map(({ provider }) => provider)).toEqual(["a", "b", "a"]);
    await expect(
      callInOrder([fails("a", "auth"), fails("b", "rate_limited")], price, { signal: never }),
    ).rejects.toThrow(ChainFailure);
  });

  it("distinguishes an unlisted symbol from an outage", async () => {
    const failure = async (guards: readonly Guarded[]): Promise<ChainFailure> =>
      callInOrder(guards, price, { signal: never }).then(
        () => expect.unreachable(),
        (cause: ChainFailure) => cause,
      );
    const unlisted = () => fails("a", "unknown_symbol");
    expect((await failure([unlisted(), unlisted()])).unknown).toBe(true);
    expect((await failure([unlisted(), fails("b", "unsupported")])).unknown).toBe(true);
    expect((await failure([unlisted(), fails("b", "auth")])).unknown).toBe(false);
    expect((await failure([fails("b", "unsupported")])).unknown).toBe(false);
    expect(await failure([])).toMatchObject({ tried: [], unknown: false });
  });

  it("rejects with the signal's reason when it aborts", async () => {
    const stop = new AbortController();
    const waiting = callInOrder([answers("slow", 1, 2_000)], price, { signal: stop.signal });
    stop.abort(new Error("gone"));
    await expect(waiting).rejects.toThrow("gone");
    await expect(callInOrder([answers("any", 1)], price, { signal: stop.signal })).rejects.toThrow("gone");
  });

  it("calls a provider again before its first call responds, if there is no other provider", async () => {
    let calls = 0;
    const lost = fakeProvider("lost", {
      clock,
      latest: async (signal) => {
        if (++calls === 1) await sleep(5_000, undefined, { signal });
        return providerQuote({ price: 3 });
      },
    });
    const { answer, tried } = await callInOrder([lost], price, { signal: never, hedgeMs: 10 });
    expect(answer).toBe(3);
    expect(tried.map(({ outcome }) => outcome)).toEqual(["answered", "overtaken"]);
  });
});
