import { expect, it, onTestFinished, vi } from "vitest";
import { withTimeLimit } from "../../src/lib/time-limit.ts";

const rejectsOnAbort = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

it("aborts work after the time limit with a TimeoutError and clears its timer", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const late = expect(withTimeLimit(100, undefined, rejectsOnAbort)).rejects.toMatchObject({
    name: "TimeoutError",
  });
  await vi.advanceTimersByTimeAsync(100);
  await late;
  expect(await withTimeLimit(100, undefined, async () => 7)).toBe(7);
  expect(vi.getTimerCount()).toBe(0);
});

it("aborts work with the reason of the outer signal", async () => {
  const outer = new AbortController();
  const left = expect(withTimeLimit(1_000, outer.signal, rejectsOnAbort)).rejects.toThrow("gone");
  outer.abort(new Error("gone"));
  await left;
  const aborted = withTimeLimit(1_000, outer.signal, async (signal) => signal.throwIfAborted());
  await expect(aborted).rejects.toThrow("gone");
});

it("aborts parallel parts of work that rejects", async () => {
  let other: AbortSignal | undefined;
  const failed = withTimeLimit(1_000, undefined, async (signal) => {
    other = signal;
    throw new Error("disk I/O error");
  });
  await expect(failed).rejects.toThrow("disk I/O error");
  expect(other?.aborted).toBe(true);
});
