import { describe, expect, it } from "vitest";
import { createCallCounter } from "../../src/lib/call-count.ts";

const setup = () => {
  const counter = createCallCounter();
  const fetch = counter.watch(async () => new Response("ok"));
  return { count: counter.count, send: () => fetch("https://example.com/") };
};

describe("a call counter", () => {
  it("counts the requests that work causes, also those after an await", async () => {
    const { count, send } = setup();
    const { result, calls } = await count(async () => {
      await send();
      await Promise.all([send(), send()]);
      return "done";
    });
    expect([result, calls]).toEqual(["done", 3]);
  });

  it("keeps apart what runs at the same time, and ignores requests of other work", async () => {
    const { count, send } = setup();
    const [one, two] = await Promise.all([
      count(async () => void (await send())),
      count(async () => {
        await send();
        await send();
      }),
      send(),
    ]);
    expect([one.calls, two.calls]).toEqual([1, 2]);
  });

  it("rejects with the error of the work", async () => {
    await expect(setup().count(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  });
});
