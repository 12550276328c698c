import { describe, expect, it } from "vitest";
import { recordClaim } from "../../tools/record-claim.ts";
import { storedClaims } from "../support/claims.ts";
import { stoppedClock } from "../support/context.ts";
import { climbingBars, marketOf, quote } from "../support/market.ts";
import { callerOf } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";

// 300 closes that rise by 0.125 a day from 100: every window of n bars rises by 0.125 n
const clock = stoppedClock(new Date("2026-07-01T15:00:00.000Z"));
const bars = { AAPL: climbingBars({ end: Date.parse("2026-06-30T00:00:00Z") }) };
const price = bars.AAPL.close.at(-1)!;
const market = marketOf({
  bars,
  clock,
  quotes: { AAPL: quote({ price, timestamp: "2026-07-01T14:50:00.000Z" }) },
});
const ports = { ...market.ports, claims: await storedClaims() };
const record = callerOf(recordClaim, ports);
const terms = { author: "A friend", symbol: "AAPL", side: "LONG", deadline: "2026-07-08" } as const;

describe("record_claim", () => {
  it("counts the bars until the deadline and the past windows in which the same came true", async () => {
    const { claim } = await record({ ...terms, target: price * 1.001 });
    // 2, 6, 7 and 8 July: that of 1 July is open, 3 July 2026 is a holiday
    expect(claim).toMatchObject({ bars: 4, windows: 296, base: 1, rule: "touch", price: 137.375 });
    const far = await record({ ...terms, target: price * 1.1 });
    expect(far.claim.base).toBe(0);
  });

  it("reads side, prices and dates as people write them", async () => {
    const { claim } = await record({
      ...terms,
      side: "bearish",
      target: "$130.50",
      stop: "1,140",
      deadline: "in 7 days",
    } as any);
    expect(claim).toMatchObject({
      side: "SHORT",
      target: 130.5,
      stop: 1140,
      rule: "target_first",
      deadline: "2026-07-08",
    });
  });

  it("waits for an entry as a limit below the price, and as a stop above it", async () => {
    const below = await record({ ...terms, entry: price * 0.5, target: price * 0.6 });
    expect(below.claim).toMatchObject({ windows: 0, base: null }); // never traded there
    const above = await record({ ...terms, entry: price * 1.001, target: price * 1.5 });
    expect(above.claim).toMatchObject({ windows: 296, base: 0 });
  });

  it("refuses a price from before the last session, because a claim is dated now", async () => {
    const recordAt = (time: string) =>
      callerOf(recordClaim, { ...ports, clock: stoppedClock(new Date(time)) })({
        ...terms,
        deadline: "2026-07-20",
      });
    await expect(recordAt("2026-07-02T13:40:00.000Z")).rejects.toMatchObject({
      code: "NOT_ENOUGH_DATA",
      message:
        "No confirmed price of AAPL from its last session; the newest is from 2026-07-01T14:50:00.000Z",
    });
    expect((await recordAt("2026-07-02T13:20:00.000Z")).claim.bars).toBe(12);
  });
});

toolContract(recordClaim, { ports });
