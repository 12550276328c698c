import { getMaxListeners } from "node:events";
import { expect, it } from "vitest";
import { sharedSignal } from "../../src/lib/shared-signal.ts";

it("lets 200 parts of one piece of work listen, and leaves other signals as they are", () => {
  const { signal } = new AbortController();
  expect(sharedSignal(signal)).toBe(signal);
  expect(getMaxListeners(signal)).toBe(200);
  expect(getMaxListeners(new AbortController().signal)).toBe(10);
});
