import { expect, it } from "vitest";
import {
  evaluateNow,
  nextEvaluation,
  nextEvaluationAfterFailure,
} from "../../../src/features/alerts/next-evaluation.ts";

const MINUTE = 60_000;
const at = (text: string) => Date.parse(`2026-01-17T${text}Z`);
const HOURLY = { timeframe: "1h", assetClass: "crypto" } as const;

it("waits for the next close after a new bar, and retries a late bar with growing delays", () => {
  const first = nextEvaluation(evaluateNow(at("10:20:00")), {
    now: at("10:20:00"),
    closedAt: "2026-01-17T10:00:00.000Z",
    ...HOURLY,
  });
  expect(first).toEqual({ at: at("11:00:02"), retries: 0, closedAt: "2026-01-17T10:00:00.000Z" });
  let due = first;
  const waits: number[] = [];
  let now = due.at;
  for (let n = 0; n < 7; n++) {
    due = nextEvaluation(due, { now, closedAt: "2026-01-17T10:00:00.000Z", ...HOURLY });
    waits.push((due.at - now) / MINUTE);
    now = due.at;
  }
  // at the last one, 12:00:02, the next bar has closed
  expect(waits).toEqual([1, 2, 4, 8, 15, 15, 15]);
  expect(nextEvaluation(due, { now, closedAt: "2026-01-17T11:00:00.000Z", ...HOURLY })).toEqual({
    at: at("13:00:02"),
    retries: 0,
    closedAt: "2026-01-17T11:00:00.000Z",
  });
});

it("never waits beyond the next close", () => {
  const due = { at: 0, retries: 5, closedAt: "2026-01-17T10:00:00.000Z" };
  expect(nextEvaluation(due, { now: at("11:55:00"), closedAt: due.closedAt, ...HOURLY }).at).toBe(
    at("12:00:02"),
  );
});

it("retries after a failure with growing delays", () => {
  const one = nextEvaluationAfterFailure(evaluateNow(0), 0);
  const two = nextEvaluationAfterFailure(one, one.at);
  expect([one.at, two.at - one.at]).toEqual([MINUTE, 2 * MINUTE]);
});
