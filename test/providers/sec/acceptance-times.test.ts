import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newYorkDate, newYorkOffsetMs } from "../../../src/lib/newyork.ts";
import { acceptanceTimes } from "../../../src/providers/sec/acceptance-times.ts";
import type { Submissions } from "../../../src/providers/sec/client.ts";
import { describeWithData } from "../../support/test-data.ts";
import { readJson } from "../requests.ts";

type Recent = Submissions["filings"]["recent"];
type Row = readonly [form: string, items: string, filed: string, accepted: string];

const listOf = (rows: readonly Row[]): Recent => ({
  form: rows.map(([form]) => form),
  items: rows.map(([, items]) => items),
  filingDate: rows.map(([, , filed]) => filed),
  reportDate: rows.map(() => ""),
  acceptanceDateTime: rows.map(([, , , accepted]) => accepted),
});
const isoTimes = (recent: Recent) =>
  acceptanceTimes(recent).map((at) => (at === null ? null : new Date(at).toISOString()));
const timesOf = (...rows: readonly Row[]) => isoTimes(listOf(rows));

/** Times that New York's offset is added to the UTC time in each convention. */
const SHIFTS = [0, 1, -1] as const;
const RELEASE: Row = ["8-K", "2.02,9.01", "2025-05-21", "2025-05-21T20:05:00.000Z"];

describe("the acceptance times of a list", () => {
  it("are UTC in a list of Strategy Inc of June 2026", () => {
    // https://data.sec.gov/submissions/CIK0001050446.json, recorded on 2026-07-04: the weekly 8-K at 08:00 New York time
    const rows: readonly Row[] = [
      ["8-K", "7.01,8.01", "2026-06-29", "2026-06-29T12:00:15.000Z"],
      ["4", "", "2026-06-24", "2026-06-24T23:06:08.000Z"],
      ["424B5", "", "2026-06-23", "2026-06-23T20:38:46.000Z"],
      ["144", "", "2026-06-23", "2026-06-23T19:35:48.000Z"],
      ["4", "", "2026-06-22", "2026-06-22T23:57:28.000Z"],
      ["8-K", "7.01,8.01", "2026-06-22", "2026-06-22T12:00:16.000Z"],
      ["4", "", "2026-06-18", "2026-06-18T21:55:50.000Z"],
      ["8-K", "5.07", "2026-06-10", "2026-06-10T12:00:34.000Z"],
      ["4", "", "2026-06-09", "2026-06-09T22:22:39.000Z"],
    ];
    expect(timesOf(...rows)).toEqual(rows.map(([, , , accepted]) => accepted));
  });

  it("are decided by the date of a filing after 17:30, except for reports of insiders", () => {
    // 20:05 in New York would have the date of the next day
    expect(timesOf(RELEASE)).toEqual(["2025-05-21T20:05:00.000Z"]);
    expect(timesOf(["10-K", "", "2022-02-07", "2022-02-04T20:11:27.000Z"])).toEqual([
      "2022-02-05T01:11:27.000Z",
    ]);
    // possible in both zones: the later time
    expect(timesOf(["4", "", "2022-11-08", "2022-11-08T20:18:10.000Z"])).toEqual([
      "2022-11-09T01:18:10.000Z",
    ]);
  });

  it("are not turned by a stray time", () => {
    const utc = Array.from({ length: 5 }, () => RELEASE);
    const stray: Row = ["8-K", "5.02", "2025-05-21", "2025-05-21T06:10:00.000Z"]; // 02:10 in New York, if it is UTC
    expect(timesOf(...utc, stray)[0]).toBe("2025-05-21T20:05:00.000Z");
    const newYork: Row = ["8-K", "2.02", "2022-07-05", "2022-07-05T06:16:41.000Z"];
    expect(timesOf(newYork, newYork, RELEASE)[0]).toBe("2022-07-05T10:16:41.000Z");
  });

  it("follow the usual hour of results if no filing decides", () => {
    // filed on a date that fits neither zone: 16:05 in New York as UTC, 20:05 as New York time
    const release: Row = ["8-K", "2.02", "2025-05-20", "2025-05-21T20:05:00.000Z"];
    expect(timesOf(release)).toEqual(["2025-05-21T20:05:00.000Z"]);
    const early: Row = ["8-K", "2.02", "2025-05-20", "2025-05-21T07:00:00.000Z"];
    expect(timesOf(early)).toEqual(["2025-05-21T11:00:00.000Z"]);
    const other: Row = ["8-K", "5.02", "2025-05-20", "2025-05-21T20:05:00.000Z"];
    expect(timesOf(other)).toEqual(["2025-05-22T00:05:00.000Z"]);
  });

  it("are earlier by New York's offset where it was added twice", () => {
    // a list of JPMorgan Chase of October 2026; the headers of the filings say 16:19:03 and 16:20:00
    const rows: readonly Row[] = [
      ["10-Q", "", "2026-08-06", "2026-08-07T00:19:03.000Z"],
      ["10-K", "", "2026-02-13", "2026-02-14T02:20:00.000Z"],
    ];
    expect(timesOf(...rows)).toEqual(["2026-08-06T20:19:03.000Z", "2026-02-13T21:20:00.000Z"]);
  });

  it("are not taken for shifted because of one stray time", () => {
    const utc = Array.from({ length: 30 }, () => RELEASE);
    const stray: Row = ["8-K", "5.02", "2025-05-21", "2025-05-22T01:00:00.000Z"]; // 17:00, shifted twice
    expect(timesOf(...utc, stray)[0]).toBe("2025-05-21T20:05:00.000Z");
  });

  it("follow the header of one filing, or only that filing does if no convention agrees", () => {
    const page = listOf([RELEASE, RELEASE]);
    const at = (time: string) =>
      acceptanceTimes(page, { index: 1, at: Date.parse(time) }).map((one) => new Date(one!).toISOString());
    expect(at("2025-05-21T20:05:00Z")).toEqual(["2025-05-21T20:05:00.000Z", "2025-05-21T20:05:00.000Z"]);
    expect(at("2025-05-21T16:05:00Z")).toEqual(["2025-05-21T16:05:00.000Z", "2025-05-21T16:05:00.000Z"]);
    expect(at("2025-05-22T00:05:00Z")).toEqual(["2025-05-22T00:05:00.000Z", "2025-05-22T00:05:00.000Z"]);
    expect(at("2025-05-21T19:00:00Z")).toEqual(["2025-05-21T20:05:00.000Z", "2025-05-21T19:00:00.000Z"]);
  });

  it("are null where they cannot be read", () => {
    expect(
      timesOf(RELEASE, ["8-K", "2.02", "2025-05-21", "2025-02-31T20:05:00"], ["8-K", "", "", "soon"]),
    ).toEqual(["2025-05-21T20:05:00.000Z", null, null]);
    expect(timesOf()).toEqual([]);
  });

  it("are found in any convention for any company, with up to a fifth of stray times", () => {
    const HOUR = 3_600_000;
    const day = fc.integer({ min: 0, max: 250 });
    const clock = fc.constantFrom(6.2, 7, 8, 8.5, 16.05, 17, 18, 20, 21.5);
    const insider = fc.nat(4).map((value) => value === 0);
    const filing = fc.record({ day, clock, insider });
    const list = fc.record({
      filings: fc.array(filing, { minLength: 25, maxLength: 60 }),
      convention: fc.constantFrom(...SHIFTS),
      stray: fc.constantFrom(...SHIFTS),
    });
    fc.assert(
      fc.property(list, ({ filings, convention, stray }) => {
        const accepted = filings.map(({ day: index, clock: hours }) => {
          const midnight =
            Date.UTC(2025, 0, 6) + 7 * 24 * HOUR * Math.floor(index / 5) + (index % 5) * 24 * HOUR;
          const at = midnight + hours * HOUR;
          return at - newYorkOffsetMs(at + 5 * HOUR);
        });
        const rows = filings.map(({ insider, clock: hours }, i): Row => {
          const at = accepted[i]!;
          const written = at + (i % 5 === 0 ? stray : convention) * newYorkOffsetMs(at);
          const filed = !insider && hours > 17.5 ? at + 24 * HOUR : at;
          return [insider ? "4" : "8-K", "", newYorkDate(filed), new Date(written).toISOString()];
        });
        // early filings tell a shifted time from UTC, late ones New York time from both
        const decisive = (from: number, until: number) =>
          filings.filter((one, i) => i % 5 !== 0 && !one.insider && one.clock > from && one.clock < until)
            .length;
        const strays = Math.ceil(filings.length / 5);
        fc.pre(decisive(6, 9) > strays + 3 && decisive(17.5, 22) > strays + 3);
        const times = acceptanceTimes(listOf(rows));
        return accepted.every((at, i) => i % 5 === 0 || times[i] === at);
      }),
    );
  });
});

describeWithData("acceptance times as recorded", ["fixtures", "sec"], (folder) => {
  const { filings } = readJson<Submissions>(folder, "submissions_trimmed150.json");
  const { recent } = filings;

  it("are New York times in Tesla's list of 2022, also without any one of its filings", () => {
    const all = isoTimes(recent);
    const index = recent.acceptanceDateTime.indexOf("2022-10-19T17:15:46.000Z");
    expect(all[index]).toBe("2022-10-19T21:15:46.000Z");
    for (let left = 0; left < recent.form.length; left++) {
      const rows = recent.form.flatMap((form, i): Row[] =>
        i === left ? [] : [[form, recent.items[i]!, recent.filingDate[i]!, recent.acceptanceDateTime[i]!]],
      );
      expect(timesOf(...rows)).toEqual(all.toSpliced(left, 1));
    }
  });
});
