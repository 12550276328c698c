import { describe, expect, it } from "vitest";
import { indexSessionOn, indexStateAt } from "../../../src/market/calendar/index-hours.ts";

const at = (time: string) => Date.parse(`2026-01-15T${time}:00-05:00`);
const states = (symbol: string, ...times: readonly string[]) =>
  times.map((time) => indexStateAt(symbol, at(time)));

describe("the session of an index", () => {
  it("is that of stocks", () => {
    expect(states("^GSPC", "08:00", "09:30", "15:59", "16:00", "18:00")).toEqual([
      "closed",
      "regular",
      "regular",
      "closed",
      "closed",
    ]);
    expect(indexStateAt("^GSPC", Date.parse("2026-01-17T15:00:00Z"))).toBe("closed");
  });

  it("of options ends 15 minutes later, also on half days, and has levels before the open", () => {
    expect(states("^VIX", "03:00", "08:00", "09:30", "16:14", "16:15")).toEqual([
      "closed",
      "pre",
      "regular",
      "regular",
      "closed",
    ]);
    // the day after Thanksgiving
    const half = indexSessionOn("^VIX", Date.UTC(2026, 10, 27))!;
    expect(new Date(half.close).toISOString()).toBe("2026-11-27T18:15:00.000Z");
    expect(indexSessionOn("^VIX", Date.UTC(2026, 0, 17))).toBeNull();
  });
});
