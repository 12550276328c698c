import { describe, expect, it, onTestFinished } from "vitest";
import type { BarAnswer } from "../../../src/domain/track-record/track-port.ts";
import { barAnswerRows } from "../../../src/store/track-record/bar-answer-rows.ts";
import { barAnswers } from "../../../src/store/track-record/bar-answers.ts";
import { collectingLog } from "../../support/context.ts";
import { movingClock, testStore } from "../../support/store.ts";

const DAY_MS = 86_400_000;
const T0 = "2026-01-15T15:00:00.000Z";
const T1 = "2026-01-15T15:01:00.000Z";
const T2 = "2026-01-15T15:02:00.000Z";

const answer = (forms: Readonly<Record<string, string>>, over: Partial<BarAnswer> = {}): BarAnswer => ({
  symbol: "AAPL",
  timeframe: "1d",
  decided_at: "2026-01-14T21:00:00.000Z",
  direction: "LONG",
  score: 40,
  grade: "B",
  inputs: Object.entries(forms).map(([input, fingerprint]) => ({
    input,
    fingerprint,
    known_at: "2026-01-14T21:00:00.000Z",
  })),
  ...over,
});

/** Two processes on one database. */
async function processes() {
  const clock = movingClock();
  const { db } = await testStore();
  const rows = barAnswerRows({ db, market: "test" });
  const opened: ReturnType<typeof barAnswers>[] = [];
  const open = () => {
    const log = barAnswers({ rows, clock, log: collectingLog().log });
    opened.push(log);
    return log;
  };
  // one that waits would write into the database of the next test
  onTestFinished(async () => void (await Promise.all(opened.map((log) => log.close()))));
  const count = async () => (await db.selectFrom("bar_answers").select("symbol").execute()).length;
  return { clock, rows, open, count, one: open(), other: open() };
}
const since = async (observed: ReturnType<ReturnType<typeof barAnswers>["observe"]>) =>
  (await observed).inputs.map(({ input, used_since }) => [input, used_since]);

describe("the first answer on a bar", () => {
  it("is the same in every process, and after a restart", async () => {
    const { clock, one, other, open } = await processes();
    await one.observe(answer({ bars: "a", peers: "p" }));
    await one.close();
    clock.pass(60_000);
    const later = answer({ bars: "a", peers: "p" }, { score: 55, grade: "A" });
    for (const log of [one, other, open()]) {
      const { first, inputs, lost } = await log.observe(later);
      expect(first).toMatchObject({ at: T0, score: 40, grade: "B", direction: "LONG", symbol: "AAPL" });
      expect(inputs.map(({ used_since }) => used_since)).toEqual([T0, T0]);
      expect(lost).toEqual([]);
    }
  });

  it("is the earlier one of two that were given at once", async () => {
    const { clock, one, other } = await processes();
    await one.observe(answer({ bars: "a" }));
    clock.pass(60_000);
    expect(await since(other.observe(answer({ bars: "a" })))).toEqual([["bars", T1]]);
    await one.close();
    await other.close();
    expect(await since(other.observe(answer({ bars: "a" })))).toEqual([["bars", T0]]);
  });
});

describe("the inputs of the answers on a bar", () => {
  it("are used since their newest form, whichever process saw it first", async () => {
    const { clock, one, other } = await processes();
    await one.observe(answer({ bars: "a", peers: "p" }));
    await one.close();
    clock.pass(60_000);
    await other.observe(answer({ bars: "b", peers: "p" }));
    await other.close();
    clock.pass(60_000);
    expect(await since(one.observe(answer({ bars: "b", peers: "p" })))).toEqual([
      ["bars", T1],
      ["peers", T0],
    ]);
    clock.pass(60_000);
    expect(await since(one.observe(answer({ bars: "a", peers: "p" })))).toEqual([
      ["bars", "2026-01-15T15:03:00.000Z"],
      ["peers", T0],
    ]);
  });

  it("are lost when an answer lacks them that another process had", async () => {
    const { clock, one, other } = await processes();
    await one.observe(answer({ bars: "a", prints: "x" }));
    await one.close();
    clock.pass(120_000);
    expect(await other.observe(answer({ bars: "a", news: "n" }))).toMatchObject({
      inputs: [
        { input: "bars", used_since: T0 },
        { input: "news", used_since: T2 },
      ],
      lost: ["prints"],
    });
  });

  it("are known to the process alone while nothing can be read or written", async () => {
    const { clock, rows } = await processes();
    const { log, lines } = collectingLog();
    const broken = {
      find: () => Promise.reject(new Error("busy")),
      merge: () => Promise.reject(new Error("full")),
    };
    const own = barAnswers({ rows: broken, clock, log });
    await own.observe(answer({ bars: "a" }));
    await own.close();
    clock.pass(60_000);
    expect(await since(own.observe(answer({ bars: "a" })))).toEqual([["bars", T0]]);
    expect(lines.map(({ event }) => event)).toEqual(["bar_answer_not_read", "bar_answers_not_written"]);
    expect(await rows.find(answer({}))).toBeNull();
  });
});

it("answers on bars are deleted ten days after their last change", async () => {
  const { clock, one, count } = await processes();
  await one.observe(answer({ bars: "a" }, { symbol: "MSFT" }));
  await one.close();
  clock.pass(10 * DAY_MS);
  await one.observe(answer({ bars: "a" }, { symbol: "NVDA" }));
  await one.close();
  expect(await count()).toBe(2);
  clock.pass(1);
  await one.observe(answer({ bars: "a" }, { symbol: "AMZN" }));
  await one.close();
  expect(await count()).toBe(2);
});
