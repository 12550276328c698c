import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { SignalChange } from "../../../src/domain/alerts/changes.ts";
import { movingClock } from "../../support/store.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { alertRunFixture, START } from "../../support/watch.ts";

type Fixture = Awaited<ReturnType<typeof alertRunFixture>>;
const SERIES = { symbol: "BTC-USD", timeframe: "1d" } as const;

/** The nth change of bitcoin. */
const change = (n: number): SignalChange => ({
  change_id: `sc_${String(n).padStart(20, "0")}`,
  ...SERIES,
  changed: ["grade"],
  noticed_at: START.toISOString(),
  decided_at: new Date(START.getTime() + n).toISOString(),
  before: { direction: "WAIT", grade: "C", score: 50 },
  after: { direction: "WAIT", grade: "C+", score: 56 },
  drivers: [],
  price: n,
  source: "fixture",
  model_version: "m",
});
const note = (fixture: Fixture, n: number) =>
  fixture.rows.save({
    series: SERIES,
    at: START.getTime(),
    alerts: [],
    seen: [],
    change: change(n),
    state: { before: n === 1 ? null : `${n - 1}`, now: `${n}` },
  });

describe("a page after a cursor", () => {
  it("is the stored one, and is read from memory while there are listeners", async () => {
    const fixture = await alertRunFixture();
    const { changes, rows } = fixture;
    const before = await changes.now();
    await note(fixture, 1);
    const leave = changes.listen(() => {});
    await changes.wake();
    const start = await changes.now();
    for (const n of [2, 3, 4]) await note(fixture, n);
    await changes.wake();
    const read = vi.spyOn(rows, "since");
    const other = { symbol: "AAPL", timeframe: "1d" } as const;
    const middle = (await rows.since({ series: [SERIES], after: start, limit: 1 })).cursor;
    for (const series of [[SERIES], [other], [other, SERIES], []])
      for (const limit of [1, 2, 3, 50])
        for (const after of [start, middle, await changes.now()]) {
          read.mockClear();
          const page = await changes.since({ series, after, limit });
          expect(read).not.toHaveBeenCalled();
          expect(page).toEqual(await rows.since({ series, after, limit }));
        }
    const stored = [
      { after: before },
      { after: change(2).change_id },
      { after: start, until: START.getTime() },
      { from: 0 },
    ];
    for (const range of stored) {
      read.mockClear();
      await changes.since({ series: [SERIES], limit: 50, ...range });
      expect(read).toHaveBeenCalledOnce();
    }
    leave();
    read.mockClear();
    await changes.since({ series: [SERIES], after: start, limit: 50 });
    expect(read).toHaveBeenCalledOnce();
  });
});

describe("listeners", () => {
  it("receive each change once and in order until they unsubscribe", async () => {
    const fixture = await alertRunFixture();
    await note(fixture, 1);
    const received: number[] = [];
    const leave = fixture.changes.listen((changes) => received.push(...changes.map(({ price }) => price)));
    await note(fixture, 2);
    await note(fixture, 3);
    await fixture.changes.wake();
    await fixture.changes.wake();
    expect(received).toEqual([2, 3]);
    leave();
    await note(fixture, 4);
    await fixture.changes.wake();
    expect(received).toEqual([2, 3]);
  });

  it("miss nothing between the first page and later changes", async () => {
    const fixture = await alertRunFixture();
    const received: number[] = [];
    fixture.changes.listen((changes) => received.push(...changes.map(({ price }) => price)));
    const first = fixture.changes.since({ series: [SERIES], from: 0, limit: 9 });
    const written = note(fixture, 1);
    const { changes } = await first;
    await written;
    await fixture.changes.wake();
    expect([...new Set([...changes.map(({ price }) => price), ...received])]).toEqual([1]);
  });

  it("receive changes written by another process", async () => {
    const [dataDir, clock] = [join(tempDir(), "data"), movingClock(START)];
    const one = await alertRunFixture({ dataDir, clock });
    const two = await alertRunFixture({ dataDir, clock });
    const received = new Promise<readonly SignalChange[]>((resolve) => {
      one.changes.listen(resolve);
    });
    await one.changes.wake();
    await note(two, 1);
    expect(await received).toEqual([change(1)]);
  });

  it("receive later changes after the store could not be read when the first one came", async () => {
    const fixture = await alertRunFixture();
    const { changes, rows } = fixture;
    vi.spyOn(rows, "last").mockRejectedValueOnce(new Error("busy"));
    const received: number[] = [];
    changes.listen((arrived) => void received.push(...arrived.map(({ price }) => price!)));
    await changes.wake();
    await changes.wake();
    await note(fixture, 1);
    await changes.wake();
    expect(received).toEqual([1]);
  });

  it("are isolated from each other and from other markets", async () => {
    const [dataDir, clock] = [join(tempDir(), "data"), movingClock(START)];
    const fixture = await alertRunFixture({ dataDir, clock });
    const elsewhere = await alertRunFixture({ dataDir, clock, market: "another" });
    const received: number[] = [];
    fixture.changes.listen(() => {
      throw new Error("deaf");
    });
    fixture.changes.listen((changes) => received.push(changes.length));
    await note(elsewhere, 1);
    await fixture.changes.wake();
    expect(received).toEqual([]);
    await note(fixture, 1);
    await fixture.changes.wake();
    expect(received).toEqual([1]);
    expect(fixture.lines).toMatchObject([{ level: "error", event: "changes_listener" }]);
  });
});

describe("followers", () => {
  it("have a series evaluated while at least one follows it", async () => {
    const { changes } = await alertRunFixture();
    const begun: number[] = [];
    changes.onFollow(() => begun.push(1));
    const other = { symbol: "ETH-USD", timeframe: "4h" } as const;
    const leave = changes.follow([SERIES, SERIES]);
    const second = changes.follow([SERIES, other]);
    expect(begun).toHaveLength(2);
    expect(changes.followed()).toEqual([SERIES, other]);
    second();
    changes.follow([SERIES]);
    expect(begun).toHaveLength(2);
    leave();
    expect(changes.followed()).toEqual([SERIES]);
  });
});
