import { expect, it } from "vitest";
import { createRequestWindows } from "../../../src/access/sign-in/request-windows.ts";

const RULE = { window: 60, max: 2 };

function open() {
  let now = 0;
  const { consume } = createRequestWindows(() => now);
  const pass = (ms: number) => {
    now += ms;
  };
  return { pass, consume };
}

it("allows the requests of a window, and says when the next one begins", async () => {
  const { consume, pass } = open();
  expect(await consume("a", RULE)).toEqual({ allowed: true, retryAfter: null });
  pass(20_000);
  expect(await consume("a", RULE)).toEqual({ allowed: true, retryAfter: null });
  pass(500);
  expect(await consume("a", RULE)).toEqual({ allowed: false, retryAfter: 40 });
  expect(await consume("b", RULE)).toEqual({ allowed: true, retryAfter: null });
  pass(39_500);
  expect(await consume("a", RULE)).toEqual({ allowed: true, retryAfter: null });
});

it("never refuses a network that stays within the limit without a pause", async () => {
  const { consume, pass } = open();
  for (let i = 0; i < 200; i++) {
    expect((await consume("a", RULE)).allowed).toBe(true);
    pass(30_000);
  }
});
