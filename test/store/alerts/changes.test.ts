import { expect, it } from "vitest";
import { CHANGE_RETENTION_MS, type SignalChange } from "../../../src/domain/alerts/changes.ts";
import { changeRepository } from "../../../src/store/alerts/changes.ts";
import { testStore } from "../../support/store.ts";

const AT = Date.UTC(2026, 0, 15, 15);
const series = (symbol: string, timeframe: "1d" | "4h" = "1d") => ({ symbol, timeframe });
const change = (n: number, symbol = "AAPL"): SignalChange => ({
  change_id: `sc_${String(n).padStart(20, "0")}`,
  ...series(symbol),
  changed: ["grade"],
  noticed_at: new Date(AT + n).toISOString(),
  decided_at: new Date(AT + n).toISOString(),
  before: { direction: "WAIT", grade: "C", score: 50 },
  after: { direction: "WAIT", grade: "C+", score: 56 },
  drivers: [],
  price: n,
  source: "fixture",
  model_version: "m",
});
const openRepository = async () => {
  const { db } = await testStore();
  return { db, ...changeRepository({ db, market: "test" }) };
};
type Changes = Awaited<ReturnType<typeof openRepository>>;
const write = (
  { save }: Pick<Changes, "save">,
  before: string | null,
  now: string,
  noticed: SignalChange | null,
  symbol = "AAPL",
) => save({ series: series(symbol), at: AT, state: { before, now }, change: noticed, alerts: [], seen: [] });

it("stores a change only if the state is unchanged since it was read, once per bar", async () => {
  const own = await openRepository();
  expect(await write(own, null, "1", null)).toEqual({ changed: false, alerts: 0 });
  expect(await write(own, null, "9", change(9))).toEqual({ changed: false, alerts: 0 });
  expect(await write(own, "1", "2", change(2))).toEqual({ changed: true, alerts: 0 });
  expect(await write(own, "1", "2", change(3))).toEqual({ changed: false, alerts: 0 });
  expect(await write(own, "2", "3", { ...change(4), decided_at: change(2).decided_at })).toMatchObject({
    changed: false,
  });
  expect(await own.state(series("AAPL"))).toMatchObject({ state: "3" });
  expect((await own.after(0, 9)).map((one) => one.change)).toEqual([change(2)]);
});

it("returns the observed range of each series, without other markets", async () => {
  const own = await openRepository();
  await write(own, null, "1", null);
  await own.save({
    series: series("AAPL"),
    at: AT + 5,
    change: null,
    alerts: [],
    seen: [],
    state: { before: "1", now: "1" },
  });
  await own.save({
    series: series("AAPL"),
    at: AT + 9,
    change: null,
    alerts: [],
    seen: [],
    state: null,
  });
  const since = new Date(AT).toISOString();
  expect(await own.observedRanges([series("MSFT"), series("AAPL"), series("AAPL", "4h")])).toEqual([
    null,
    { since, until: new Date(AT + 5).toISOString() },
    null,
  ]);
  const elsewhere = changeRepository({ db: own.db, market: "another" });
  expect(await elsewhere.state(series("AAPL"))).toBeNull();
  expect(await elsewhere.last()).toBe(0);
});

it("pages through the changes of some series without a gap", async () => {
  const own = await openRepository();
  const last = { AAPL: "0", MSFT: "0" };
  for (const symbol of ["AAPL", "MSFT"]) await write(own, null, "0", null, symbol);
  for (let n = 1; n <= 9; n++) {
    const symbol = n % 3 === 0 ? "MSFT" : "AAPL";
    await write(own, last[symbol], `${n}`, change(n, symbol), symbol);
    last[symbol] = `${n}`;
  }
  const result: number[] = [];
  let after: string | undefined;
  for (let more = true; more; ) {
    const page = await own.since({
      series: [series("AAPL")],
      limit: 2,
      ...(after === undefined ? { from: AT + 2 } : { after }),
    });
    result.push(...page.changes.map(({ price }) => price));
    ({ cursor: after, more } = page);
  }
  expect(result).toEqual([2, 4, 5, 7, 8]);
  expect(after).toBe(await own.now());
  expect(await own.since({ series: [], from: 0, limit: 9 })).toEqual({
    changes: [],
    cursor: after,
    more: false,
  });
  expect(await own.since({ series: [series("AAPL", "4h")], from: 0, limit: 9 })).toMatchObject({
    changes: [],
  });
  await expect(own.since({ series: [series("AAPL")], after: "cu_1", limit: 9 })).rejects.toMatchObject({
    code: "INVALID_INPUT",
  });
});

it("deletes changes of three months ago in small batches, and rejects cursors into deleted ones", async () => {
  const own = await openRepository();
  await write(own, null, "0", null);
  for (let n = 1; n <= 30; n++) await write(own, `${n - 1}`, `${n}`, change(n));
  const [old, stored] = [(await own.after(0, 5)).at(-1)!, (await own.after(0, 25)).at(-1)!];
  const cursors = await Promise.all(
    [old, stored].map(({ change: { change_id } }) =>
      own.since({ series: [series("AAPL")], after: change_id, limit: 1 }),
    ),
  );
  const later = change(CHANGE_RETENTION_MS + 1_000);
  await write(own, "30", "31", { ...later, change_id: change(31).change_id });
  expect((await own.after(0, 99)).map((one) => one.change.price)).toEqual([
    ...[21, 22, 23, 24, 25, 26, 27, 28, 29, 30],
    CHANGE_RETENTION_MS + 1_000,
  ]);
  const page = (after: string) => own.since({ series: [series("AAPL")], after, limit: 99 });
  for (const lost of [old.change.change_id, cursors[0]!.cursor])
    await expect(page(lost)).rejects.toMatchObject({ code: "INVALID_INPUT" });
  expect((await page(cursors[1]!.cursor)).changes).toHaveLength(5);
});
