import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createProgressReporter } from "../../../src/transports/mcp/progress.ts";

function listening(token: string | undefined, at = () => 0) {
  const notified: unknown[] = [];
  const notify = async ({ params }: { params?: unknown }) => void notified.push(params);
  return {
    notified,
    ...createProgressReporter({ ...(token && { _meta: { progressToken: token } }), notify }, { elapsed: at }),
  };
}

describe("reporter", () => {
  it("sends nothing to a client without a progress token", async () => {
    const { notified, report, flushed: sent } = listening(undefined);
    report({ done: 1 });
    await sent();
    expect(notified).toEqual([]);
  });

  it("sends at most ten steps per second, and always the last", async () => {
    let now = 0;
    const { notified, report, flushed: sent } = listening("t", () => now);
    for (let done = 1; done <= 20; done++) {
      report({ done, total: 20 });
      now += 30;
    }
    await sent();
    expect(notified).toEqual(
      [1, 5, 9, 13, 17, 20].map((progress) => ({ progressToken: "t", progress, total: 20 })),
    );
  });

  it("ignores a disconnected client", async () => {
    const { report, flushed: sent } = createProgressReporter({
      _meta: { progressToken: 1 },
      notify: () => Promise.reject(new Error("closed")),
    });
    report({ done: 1, message: "one" });
    await expect(sent()).resolves.toBeUndefined();
  });

  it("only sends increasing values", () => {
    fc.assert(
      fc.asyncProperty(fc.array(fc.double()), async (steps) => {
        let now = 0;
        const { notified, report, flushed: sent } = listening("t", () => (now += 1000));
        for (const done of steps) report({ done });
        await sent();
        const values = notified.map((params) => (params as { progress: number }).progress);
        expect(values.every((value, i) => i === 0 || value > values[i - 1]!)).toBe(true);
      }),
    );
  });
});
