import { expect, it } from "vitest";
import { yieldToEventLoop } from "../../src/lib/yield-to-event-loop.ts";

it("lets timers run", async () => {
  const order: string[] = [];
  setTimeout(() => order.push("timer"), 0);
  for (let turn = 0; turn < 50 && order.length === 0; turn++) {
    await yieldToEventLoop();
    await new Promise((next) => setTimeout(next, 1));
  }
  expect(order).toEqual(["timer"]);
});
