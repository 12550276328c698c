import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { eventStream, formatEvent } from "../../../src/transports/http/event-stream.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
});

it("formats an event as lines that end with a blank line", () => {
  expect(formatEvent("change", { a: "x\ny" }, { id: "cu_1", retryMs: 3_000 })).toBe(
    'retry: 3000\nid: cu_1\nevent: change\ndata: {"a":"x\\ny"}\n\n',
  );
  expect(formatEvent("end", null)).toBe("event: end\ndata: null\n\n");
});

it.each(["a\nevent: forged", "a\rb", "a\0"])("omits an id with line breaks or NUL: %j", (id) => {
  expect(formatEvent("change", 1, { id })).toBe("event: change\ndata: 1\n\n");
});

it("resolves waitUntilWritable when the buffer has space, and when the stream closes", async () => {
  const closed = vi.fn();
  const { body, write, waitUntilWritable: room, close } = eventStream({ bufferBytes: 10, onClose: closed });
  await room();
  write("x".repeat(10));
  let free = 0;
  const later = room().then(() => free++);
  await Promise.resolve();
  expect(free).toBe(0);
  const reader = body.getReader();
  await reader.read();
  await later;
  expect(free).toBe(1);
  write("y".repeat(20));
  const never = room();
  close();
  await never;
  close();
  expect(closed).toHaveBeenCalledTimes(1);
  expect(() => write("z")).toThrow("closed");
});

it("closes a stream only if nothing was read between two keep-alives", async () => {
  const closed = vi.fn();
  const { body, write } = eventStream({ keepAliveMs: 1_000, bufferBytes: 10, onClose: closed });
  const reader = body.getReader();
  write("x".repeat(10));
  vi.advanceTimersByTime(1_000);
  await reader.read();
  write("y".repeat(10));
  vi.advanceTimersByTime(1_000);
  expect(closed).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1_000);
  expect(closed).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});
