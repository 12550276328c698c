import { describe, expect, it, onTestFinished, vi } from "vitest";
import { watchClock } from "../../src/app/clock-watch.ts";
import { collectingLog } from "../support/context.ts";

const START = Date.parse("2026-01-15T15:00:00Z");
const DAY = 86_400_000;

/** A watch over clocks that a test moves. */
function setup() {
  const time = { wall: START, monotonic: 500 };
  const { log, lines } = collectingLog();
  const clock = { now: () => new Date(time.wall) };
  const watch = watchClock({ clock, log, elapsed: () => time.monotonic });
  const pass = (ms: number, jump = 0) => {
    time.monotonic += ms;
    time.wall += ms + jump;
    watch.check();
  };
  return { watch, pass, lines };
}

describe("the watch of the clock", () => {
  it("reports no jump while both clocks advance alike, or differ by less than two seconds", () => {
    const { watch, pass, lines } = setup();
    pass(DAY);
    pass(1_000, 1_999);
    pass(1_000, -1_999);
    expect(watch.lastJump()).toBeNull();
    expect(lines).toEqual([]);
  });

  it("logs each jump ahead or back, and reports the last for a day", () => {
    const { watch, pass, lines } = setup();
    pass(1_000, 30 * DAY);
    expect(watch.lastJump()).toEqual({ at: "2026-02-14T15:00:01.000Z", ms: 30 * DAY });
    pass(4_000, -30 * DAY);
    expect(watch.lastJump()).toEqual({ at: "2026-01-15T15:00:05.000Z", ms: -30 * DAY });
    expect(lines).toMatchObject([
      { event: "clock_jumped", fields: { ms: 30 * DAY } },
      { event: "clock_jumped", fields: { ms: -30 * DAY } },
    ]);
    pass(DAY);
    expect(watch.lastJump()).not.toBeNull();
    pass(1);
    expect(watch.lastJump()).toBeNull();
  });

  it("checks every second once started", () => {
    vi.useFakeTimers({ now: START });
    onTestFinished(() => void vi.useRealTimers());
    const { log, lines } = collectingLog();
    const watch = watchClock({ clock: { now: () => new Date() }, log });
    watch.start();
    vi.setSystemTime(START + DAY);
    vi.advanceTimersByTime(1_000);
    expect(lines).toMatchObject([{ event: "clock_jumped" }]);
    watch.close();
    vi.setSystemTime(START);
    vi.advanceTimersByTime(5_000);
    expect(lines).toHaveLength(1);
  });
});
