import { expect, it } from "vitest";
import { createProviderAccount } from "../../../src/market/failover/provider-account.ts";
import { settableClock } from "../../support/providers.ts";

const HOUR = 3_600_000;
const LIMITS = [
  { calls: 3, perMs: HOUR, atOnce: 2 },
  { calls: 5, perMs: 24 * HOUR, atOnce: 2 },
  { calls: 1, perMs: 1_000, atOnce: 2 },
];

it("counts a call in every window and records it once", () => {
  const clock = settableClock("2026-01-15T15:00:00Z");
  const took: number[] = [];
  const before = [clock.at() - 2 * HOUR, clock.at() - 1_000];
  const { allowances } = createProviderAccount(LIMITS, clock, { before, record: (at) => took.push(at) });
  const left = () => allowances.map((one) => one.left());
  // of the two before, one lies within the hour, both within the day; no process outlives a second
  expect(left()).toEqual([2, 3, 1]);
  for (const one of allowances) one.take()();
  expect(left()).toEqual([1, 2, 0]);
  expect(took).toEqual([clock.at()]);
});

it("pauses at most a minute, also after the clock was set back", () => {
  const clock = settableClock("2026-01-15T15:00:00Z");
  const account = createProviderAccount([], clock);
  expect(account.pausedUntil()).toBe(0);
  account.pause(clock.at() + 20_000);
  account.pause(clock.at() + 10_000);
  expect(account.pausedUntil()).toBe(clock.at() + 20_000);
  account.pause(clock.at() + 24 * HOUR);
  expect(account.pausedUntil()).toBe(clock.at() + 60_000);
  clock.move(-HOUR);
  expect(account.pausedUntil()).toBe(clock.at() + 60_000);
});
