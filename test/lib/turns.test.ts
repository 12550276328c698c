import { expect, it } from "vitest";
import { Turns } from "../../src/lib/turns.ts";

it("the work of a key runs in order, also after a failure, while that of other keys goes on", async () => {
  const turns = new Turns();
  const events: string[] = [];
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const failed = turns.run("a", async () => {
    await held;
    events.push("a1");
    throw new Error("refused");
  });
  const second = turns.run("a", async () => events.push("a2"));
  await turns.run("b", async () => events.push("b1"));
  expect(events).toEqual(["b1"]);
  release();
  await expect(failed).rejects.toThrow("refused");
  await second;
  expect(events).toEqual(["b1", "a1", "a2"]);
});

it("is idle once work is done that was added by other work", async () => {
  const turns = new Turns();
  const events: string[] = [];
  void turns.run("a", async () => {
    events.push("first");
    void turns.run("b", async () => events.push("second"));
  });
  await turns.idle();
  expect(events).toEqual(["first", "second"]);
});
