import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { sseStream } from "../../../src/transports/mcp/sse-stream.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const options = {
  id: "1",
  messageUrl: "/messages?sessionId=1",
  keepAliveMs: 15_000,
  idleMs: 60_000,
  bufferBytes: 100,
};
const message = (text: string) => ({ jsonrpc: "2.0" as const, method: text });

it("sends the message URL first, then messages as events and a comment every fifteen seconds", async () => {
  const stream = sseStream(options);
  await stream.start();
  const reader = stream.response.body!.getReader();
  const next = async () => new TextDecoder().decode((await reader.read()).value);
  expect(await next()).toBe("event: endpoint\ndata: /messages?sessionId=1\n\n");
  await stream.send(message("a\nb"));
  expect(await next()).toBe('event: message\ndata: {"jsonrpc":"2.0","method":"a\\nb"}\n\n');
  vi.advanceTimersByTime(15_000);
  expect(await next()).toBe(": keep-alive\n\n");
  expect(Object.fromEntries(stream.response.headers)).toMatchObject({
    "content-type": "text/event-stream",
    "x-accel-buffering": "no",
  });
});

it("closes a stream whose buffer is full", async () => {
  const stream = sseStream(options);
  const closed = vi.fn();
  stream.onclose = closed;
  await stream.start();
  await stream.send(message("x".repeat(200)));
  expect(closed).not.toHaveBeenCalled();
  await expect(stream.send(message("one more"))).rejects.toThrow("too slow");
  expect(closed).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});

it("sends a message larger than the buffer to a reader that keeps up", async () => {
  const stream = sseStream(options);
  await stream.start();
  const reader = stream.response.body!.getReader();
  await reader.read();
  await stream.send(message("x".repeat(500)));
  expect((await reader.read()).value?.length).toBeGreaterThan(500);
});

it("calls onclose once, regardless of which side closes", async () => {
  for (const end of ["server", "reader"] as const) {
    const stream = sseStream(options);
    const closed = vi.fn();
    stream.onclose = closed;
    if (end === "reader") await stream.response.body!.cancel();
    await stream.close();
    await stream.close();
    expect(closed).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
    await expect(stream.send(message("late"))).rejects.toThrow("closed");
  }
});
