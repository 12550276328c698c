import { describe, expect, it } from "vitest";
import { ToolError } from "../../src/kernel/errors.ts";
import { outcomesOf } from "../../src/kernel/outcomes.ts";
import { collectingLog } from "../support/context.ts";

function setup(signal = new AbortController().signal) {
  const { log, lines } = collectingLog();
  const steps: unknown[] = [];
  const logEntryOf = (item: string) => ({ log, event: "step", fields: { item } });
  const run = (items: readonly string[], step: (item: string) => Promise<string>) =>
    outcomesOf(items, step, {
      signal,
      progress: (one) => void steps.push(one),
      logEntryOf,
      nameOf: (item) => item,
    });
  return { run, lines, steps };
}
const failing = (code: "UNKNOWN_SYMBOL" | "PLAN_REQUIRED") => new ToolError(code, "no");

describe("outcomesOf", () => {
  it("returns outcomes in item order, with each failure in its place", async () => {
    const { run, steps, lines } = setup();
    const outcomes = await run(["a", "b", "c"], async (item) => {
      if (item === "b") throw failing("UNKNOWN_SYMBOL");
      await new Promise((done) => setTimeout(done, item === "a" ? 10 : 0));
      return item.toUpperCase();
    });
    expect(outcomes.map(({ output, error }) => output ?? error?.code)).toEqual(["A", "UNKNOWN_SYMBOL", "C"]);
    expect(steps.map((step) => (step as { message: string }).message)).toEqual(["b", "c", "a"]);
    expect(steps.at(-1)).toEqual({ done: 3, total: 3, message: "a" });
    expect(lines).toEqual([]);
  });

  it("logs an internal failure with its cause, and returns it without the cause", async () => {
    const { run, lines } = setup();
    const [outcome] = await run(["a"], async () => {
      throw new Error("secret");
    });
    expect(outcome?.error).toMatchObject({ code: "INTERNAL" });
    expect(outcome?.error?.message).not.toContain("secret");
    expect(lines).toMatchObject([{ level: "error", event: "step", fields: { item: "a" } }]);
  });

  it("rejects with an error that affects the whole call, and starts no further step", async () => {
    const { run } = setup();
    const begun: string[] = [];
    const all = run([..."abcdefgh"], async (item) => {
      begun.push(item);
      throw failing("PLAN_REQUIRED");
    });
    await expect(all).rejects.toMatchObject({ code: "PLAN_REQUIRED" });
    expect(begun).toEqual(["a", "b", "c", "d"]);
  });

  it("reports no progress after a cancellation", async () => {
    const caller = new AbortController();
    const { run, steps } = setup(caller.signal);
    caller.abort();
    await run(["a"], async () => "A");
    expect(steps).toEqual([]);
  });
});
