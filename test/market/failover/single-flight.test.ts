import { getEventListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createSingleFlight } from "../../../src/market/failover/single-flight.ts";

describe("createSingleFlight", () => {
  it("runs work once for concurrent callers, and again for later ones", async () => {
    const flight = createSingleFlight<number>();
    let made = 0;
    const work = async () => {
      await sleep(5);
      return ++made;
    };
    expect(await Promise.all([flight("a", work), flight("a", work), flight("b", work)])).toEqual([1, 1, 2]);
    expect(await flight("a", work)).toBe(3);
  });

  it("aborts the work when the last caller cancels", async () => {
    const flight = createSingleFlight<string>();
    let ended: unknown = null;
    const work = (signal: AbortSignal) =>
      new Promise<string>((done, fail) => {
        setTimeout(() => done("made"), 30);
        signal.addEventListener("abort", () => {
          ended = signal.reason;
          fail(signal.reason);
        });
      });
    const one = new AbortController();
    const first = flight("a", work, one.signal);
    const second = flight("a", work);
    one.abort("first left");
    await expect(first).rejects.toBe("first left");
    expect([await second, ended]).toEqual(["made", null]);
    const both = [new AbortController(), new AbortController()];
    const left = both.map(({ signal }) => flight("a", work, signal).catch((cause: unknown) => cause));
    for (const [i, controller] of both.entries()) controller.abort(`left ${i}`);
    expect(await Promise.all(left)).toEqual(["left 0", "left 1"]);
    expect(ended).toBe("left 1");
  });

  it("starts new work after aborted work", async () => {
    const flight = createSingleFlight<string>();
    const slow = (signal: AbortSignal) =>
      new Promise<string>((_, fail) => {
        signal.addEventListener("abort", () => setTimeout(() => fail(new Error("given up")), 20));
      });
    const leaver = new AbortController();
    const first = flight("a", slow, leaver.signal).catch(() => "gone");
    leaver.abort();
    await first;
    expect(await flight("a", async () => "made")).toBe("made");
  });

  it("removes its listeners from the callers' signals", async () => {
    const flight = createSingleFlight<number>();
    const { signal } = new AbortController();
    for (let i = 0; i < 20; i++) await flight(String(i), async () => i, signal);
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });
});
