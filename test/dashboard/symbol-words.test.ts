import { describe, expect, it } from "vitest";
import {
  dayBefore,
  daysBefore,
  type PastSignal,
  signalAt,
  sinceSentences,
} from "../../src/dashboard/pages/symbol/past.ts";
import {
  driverTitle,
  flipSentences,
  stepsOf,
  withFull,
  withoutText,
} from "../../src/dashboard/views/explain/explanation.ts";

const OUTCOME = {
  bars: 20,
  over: true,
  entry_reached: true,
  entry_at: "2026-10-02",
  stop_reached: false,
  stop_at: null,
  target_reached: true,
  target_at: "2026-10-14",
  first: "target" as const,
  change_percent: 8.53,
  r: 1.8,
  right: true,
  reason: null,
};
const ROW = {
  datetime: "2026-10-01",
  direction: "LONG",
  plan: { stop_loss: 95, targets: [110, 120] },
  outcome: OUTCOME,
} as unknown as PastSignal;
const rowWith = (changes: object) => ({ ...ROW, ...changes }) as PastSignal;

describe("what happened since a past day", () => {
  it("names what came first, the move and the result of the plan", () => {
    expect(sinceSentences(ROW, "2026-10-29")).toEqual([
      "Target 1 (110.00) came first, on 14 Oct 2026.",
      "20 bars later the close was +8.53 % away, on 29 Oct 2026: by that close alone, whatever came after it, LONG was right.",
      "Traded from the next open, the plan came to +1.80 R.",
    ]);
  });

  it("says that a WAIT had no trade", () => {
    const outcome = {
      ...OUTCOME,
      first: "stop",
      stop_at: "2026-10-05",
      r: null,
      right: null,
      reason: "WAIT",
    };
    expect(sinceSentences(rowWith({ direction: "WAIT", outcome }))).toEqual([
      "It said WAIT, so there was no trade; of the levels to watch:",
      "The stop (95.00) came first, on 5 Oct 2026.",
      "20 bars later the close was +8.53 % away.",
    ]);
  });

  it("says what is known while its 20 bars are not over", () => {
    const reason = "7 of 20 bars after it have closed";
    const outcome = {
      ...OUTCOME,
      over: false,
      first: null,
      change_percent: null,
      r: null,
      right: null,
      reason,
    };
    expect(sinceSentences(rowWith({ outcome }))).toEqual([
      "Target 1 was reached on 14 Oct 2026.",
      "7 of 20 bars after it have closed.",
    ]);
  });

  it("finds the signal that was the newest on a day", () => {
    const rows = ["2026-10-05", "2026-10-02", "2026-10-01"].map((datetime) => rowWith({ datetime }));
    expect(signalAt(rows, "2026-10-04")?.datetime).toBe("2026-10-02");
    expect(signalAt(rows, "2026-09-30")).toBeNull();
  });

  it("counts days back from the newest one", () => {
    expect(dayBefore("2026-03-01", 1)).toBe("2026-02-28");
    expect(daysBefore("2026-03-01", "2026-02-01")).toBe(28);
  });
});

describe("the explanation of a signal", () => {
  const driver = (id: string, group: string, contribution: number | null) => ({
    id,
    title: `Title of ${id}`,
    group,
    contribution,
  });

  it("steps from zero to the sum, past drivers without a value", () => {
    const steps = stepsOf({
      groups: [{ group: "a" }, { group: "b" }],
      drivers: [driver("1", "a", 0.5), driver("2", "b", null), driver("3", "b", -0.25)],
    } as any).flatMap((group) => group.steps.map(({ from, to }) => [from, to]));
    expect(steps).toEqual([
      [0, 0.5],
      [0.5, 0.5],
      [0.5, 0.25],
    ]);
  });

  it("says what changes the verdict, and why nothing does", () => {
    const none = { price: null, grade: null, change_percent: null, reason: "No close changes it" };
    expect(
      flipSentences({
        flip: { price: 273.15, direction: "SHORT", change_percent: -0.99, reason: "score" },
        grade_flip: { better: { ...none, price: 290, grade: "B", change_percent: 0.5 }, worse: none },
        fewest_absent: { drivers: ["1"], direction: "SHORT", reason: null },
        drivers: [driver("1", "a", 0.5)],
      } as any),
    ).toEqual([
      "The direction becomes SHORT with a close at 273.15 (−0.99 % from the last close): score.",
      "The grade becomes B with a close at 290.00 (+0.50 % from the last close).",
      "A worse grade: No close changes it.",
      "Without Title of 1 it would be SHORT.",
    ]);
  });

  it("takes titles of the full explanation, and of the same inputs all it has", () => {
    const group = { group: "a", title: "Title of a" };
    const row = { id: "t_1", group: "a", value: 0.5 };
    const concise = { inputs_hash: "1", groups: [{ group: "a" }], drivers: [row] } as any;
    const full = { groups: [group], drivers: [{ ...row, value: 0.7, title: "Title", source: "Wyckoff" }] };
    expect(withFull(concise, null)).toBe(concise);
    expect(withFull(concise, { ...full, inputs_hash: "1" } as any)).toEqual({ ...full, inputs_hash: "1" });
    expect(withFull(concise, { ...full, inputs_hash: "2" } as any)).toEqual({
      inputs_hash: "1",
      groups: [group],
      drivers: [{ ...row, title: "Title" }],
    });
  });

  it("names driver and group by their ids in plain words without titles", () => {
    expect(driverTitle({ id: "t_ma200" } as any)).toBe("t ma200");
    expect(stepsOf({ groups: [{ group: "dark_pool" }], drivers: [] } as any)[0]!.title).toBe("dark pool");
  });

  it("gives the verdict without a driver in few words", () => {
    expect(withoutText({ direction: "WAIT", grade: "C", score: 48.2 })).toBe("WAIT, C, 48");
    expect(withoutText({ direction: "WAIT", grade: null, score: null })).toBe("WAIT");
  });
});
