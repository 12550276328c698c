import { describe, expect, it } from "vitest";
import { sparkline } from "../../../src/features/backtest/backtest.text.ts";

const worth = (...values: readonly number[]) => values.map((equity) => ({ equity }));

describe("sparkline", () => {
  it("draws one block per point, lowest to highest", () => {
    expect(sparkline(worth(0, 1, 2, 3, 4, 5, 6, 7))).toBe("▁▂▃▄▅▆▇█");
    expect(sparkline(worth(7, 0, 7))).toBe("█▁█");
  });

  it("takes the last point of each interval when there are more points than columns", () => {
    // shares 0-2, 3-5 and 6-7, of which 5, 0 and 10 are the last
    expect(sparkline(worth(9, 9, 5, 9, 9, 0, 9, 10), 3)).toBe("▅▁█");
    expect(sparkline(worth(...Array.from({ length: 600 }, (_, i) => i)))).toHaveLength(60);
  });

  it("stays at the bottom for constant equity, and is empty without points", () => {
    expect(sparkline(worth(5, 5, 5))).toBe("▁▁▁");
    expect(sparkline(worth(5))).toBe("▁");
    expect(sparkline([])).toBe("");
  });
});
