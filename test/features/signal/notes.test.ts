import { expect, it } from "vitest";
import {
  agedBars,
  lateBarNotes,
  splitNotes,
  staleBarNotes,
  staleRowNotes,
  withStaleNotes,
} from "../../../src/features/signal/notes.ts";
import { pictureOf } from "../../../src/features/signal/picture.ts";
import { smallMarket } from "../../support/market.ts";

it("notes old bars once a fourth session has closed without them", async () => {
  const { ports } = smallMarket();
  const picture = await pictureOf(
    { symbol: "AAPL", timeframe: "1d", signal: new AbortController().signal },
    ports,
  );
  const at = (time: string) => staleBarNotes(agedBars({ ...picture, requestedAt: Date.parse(time) }));
  // Wednesday; Monday the 19th is Martin Luther King Jr. Day
  expect(picture.decidedAt).toBe("2026-01-14T21:00:00.000Z");
  expect(at("2026-01-21T20:59:59.999Z")).toEqual([]);
  expect(at("2026-01-21T21:00:00.000Z")).toEqual([
    "Stale: the newest closed 1d bar is 7 days old: it closed 2026-01-14T21:00:00.000Z.",
  ]);
});

it("notes a missing later bar while it may still be published", () => {
  const noteOf = (
    decidedAt: string,
    asked: string,
    { now = asked, zone = "America/New_York", timeframe = "15m" as const } = {},
  ) =>
    lateBarNotes(
      { decidedAt, timeframe, requestedAt: Date.parse(asked), series: { bars: { zone } } as never },
      new Date(now),
    );
  const late = [
    "The newest available 15m bar closed 2026-01-15T15:30Z: a later bar is not published yet, or nothing traded. A retry may include it.",
  ];
  // 10:30 and 10:45 in New York
  expect(noteOf("2026-01-15T15:30:00.000Z", "2026-01-15T15:45:00.000Z")).toEqual(late);
  expect(noteOf("2026-01-15T15:30:00.000Z", "2026-01-15T15:44:59.999Z")).toEqual([]);
  // a moment more than an hour ago, an hour after trading, another day
  const hourOn = { now: "2026-01-15T16:45:00.001Z" };
  expect(noteOf("2026-01-15T15:30:00.000Z", "2026-01-15T15:45:00.000Z", hourOn)).toEqual([]);
  for (const close of ["18:00", "21:00", "22:00"])
    expect(noteOf(`2026-01-15T${close}:00.000Z`, "2026-01-15T22:30:00.000Z")).toEqual([]);
  expect(noteOf("2026-01-15T15:30:00.000Z", "2026-01-16T14:00:00.000Z")).toEqual([]);
  // coins trade around the clock
  expect(noteOf("2026-01-15T22:00:00.000Z", "2026-01-15T22:30:00.000Z", { zone: "UTC" })).toHaveLength(1);
});

it("lists at most five rows whose bars are stale", () => {
  const now = { at: Date.parse("2026-01-15T15:00:00.000Z"), timeframe: "1d" } as const;
  const line = (symbol: string, as_of: string) => ({ symbol, as_of, asset_class: "equity" as const });
  const fresh = line("AAPL", "2026-01-09T21:00:00.000Z");
  const old = line("OLDE", "2026-01-08T21:00:00.000Z");
  expect(staleRowNotes([fresh], now)).toEqual([]);
  expect(staleRowNotes([fresh, old], now)).toEqual([
    "Stale: more than 3 later 1d bars are missing: OLDE (closed 2026-01-08)",
  ]);
  const seven = Array.from({ length: 7 }, (_, i) => line(`O${i}`, "2020-06-30T20:00:00.000Z"));
  expect(staleRowNotes(seven, now)).toEqual([
    "Stale: more than 3 later 1d bars are missing: O0 (closed 2020-06-30), O1 (closed 2020-06-30), O2 (closed 2020-06-30), O3 (closed 2020-06-30), O4 (closed 2020-06-30) and 2 more",
  ]);
});

it("puts the notes on stale bars first and into a field of their own, whatever they say", () => {
  const answer = withStaleNotes(["old"], ["Stale: bread", "b"]);
  expect(answer).toEqual({ notes: ["old", "Stale: bread", "b"], stale_notes: ["old"] });
  expect(splitNotes(answer)).toEqual({ first: ["old"], others: ["Stale: bread", "b"] });
  expect(withStaleNotes([], ["b"])).toEqual({ notes: ["b"] });
  expect(splitNotes({ notes: ["b"] })).toEqual({ first: [], others: ["b"] });
});
