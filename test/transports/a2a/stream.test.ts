import { describe, expect, it } from "vitest";
import { eventStream } from "../../../src/transports/a2a/stream.ts";

const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));

describe("a stream of events", () => {
  it("writes each event, and comments during idle periods", async () => {
    async function* events() {
      yield { a: 1 };
      await wait(60);
      yield { a: 2 };
    }
    const source = events();
    const response = eventStream(source, await source.next(), String, 20);
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(response.headers.get("x-accel-buffering")).toBe("no");
    expect(await response.text()).toMatch(/^data: {"a":1}\n\n(: keep-alive\n\n)+data: {"a":2}\n\n$/);
  });

  it("ends with an error event if the source fails", async () => {
    async function* events() {
      yield 1;
      throw new Error("inside");
    }
    const source = events();
    const text = await eventStream(source, await source.next(), () => ({ code: -32603 })).text();
    expect(text).toBe('data: 1\n\nevent: error\ndata: {"code":-32603}\n\n');
  });

  it("is consumed to the end of its source after a disconnect", async () => {
    const seen: number[] = [];
    async function* events() {
      for (let i = 1; i <= 3; i++) {
        seen.push(i);
        yield i;
        await wait(5);
      }
      seen.push(4);
    }
    const source = events();
    await eventStream(source, await source.next(), String).body!.cancel();
    await expect.poll(() => seen).toEqual([1, 2, 3, 4]);
  });
});
