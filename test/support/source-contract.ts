import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Bar, type Bars, TIMEFRAMES, type Timeframe } from "../../src/domain/bars.ts";
import type { Instrument } from "../../src/domain/market.ts";
import { barCloseMs } from "../../src/market/calendar.ts";
import { cleanBars, zoneFor } from "../../src/market/live/clean.ts";
import {
  type FailureKind,
  type Source,
  type SourceBars,
  SourceFailure,
  type SourceQuote,
} from "../../src/market/live/source.ts";
import { fetchFrom, type Reply, type Vendor } from "../replay/vendor.ts";
import type { World } from "../replay/world.ts";
import { BEGINNING, fixedWorld } from "./fixed-world.ts";
import {
  always,
  brokenOff,
  counted,
  endless,
  failingAt,
  overheard,
  repeated,
  rewritten,
  stalled,
  unreachable,
} from "./spoiled-fetch.ts";
import { MARKER, placesIn, reordered, replaced, restrung, wrongValue } from "./spoiled-json.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;

/** Kinds of refusal that a vendor's answer does not let an adapter tell apart. */
type Case = "unknown" | "limits" | "unauthorised" | "blocks" | "shapes" | "unreadable";

export interface SourceContract {
  /** The adapter over a fetch, with the key that the vendor accepts. */
  readonly make: (fetch: typeof globalThis.fetch) => Source;
  readonly vendor: Vendor;
  readonly instruments: {
    /** Of the fixed world. */
    readonly good: Instrument;
    /** Not of it: `UNLISTED_STOCK`, `UNLISTED_TOKEN`. */
    readonly unknown: Instrument;
    /** Another of the fixed world, whose answer must not pass for the good one's. */
    readonly other?: Instrument;
  };
  readonly world?: World;
  /** Relative rounding of the vendor's prices; 1e-9 unless it documents coarser ones. */
  readonly tolerance?: number;
  /** Calls whose answers name no instrument, so that another's cannot be told; say why beside it. */
  readonly echoless?: readonly ("latest" | "history")[];
  /** Where an unknown symbol looks like one without bars. */
  readonly unknownHistory?: "empty";
  /** Bodies that are the vendor's documented way of saying "no bars": `["[]"]`. */
  readonly noBars?: readonly string[];
  /** Where the vendor's volumes are a part of the world's. */
  readonly volumes?: false;
  /** What the vendor says of the latest trade, where that is not the world's newest one. */
  readonly quoted?: (
    world: World,
    instrument: Instrument,
  ) => { readonly price: number; readonly tradedAt: number };
  /** Further kinds of failure that a case may be, for answers that say two things at once. */
  readonly accept?: Readonly<Partial<Record<Case, readonly FailureKind[]>>>;
}

/** What every source of prices promises, shown with its replayed vendor; registered once per adapter. */
export function describeSource(name: string, contract: SourceContract): void {
  const { make, vendor, instruments, tolerance = 1e-9, echoless = [], accept = {} } = contract;
  const { good, unknown, other } = instruments;
  const world = contract.world ?? fixedWorld();
  const now = world.now();
  const honest = fetchFrom(vendor, world);
  const shape = make(honest);
  const lengths = TIMEFRAMES.filter((timeframe) => shape.reaches[timeframe] !== undefined);
  const patient = (): AbortSignal => new AbortController().signal;
  // as the market does: what a source cannot have seen yet does not exist
  const known = now - (shape.barDelayMinutes ?? shape.delayMinutes) * MINUTE;
  const served = world.instruments().filter(({ asset_class }) => shape.serves.has(asset_class));

  const latest = (source: Source, of = good, signal = patient()) => source.latest!(of, { signal });
  const history = (
    source: Source,
    timeframe: Timeframe,
    { from, until = now, of = good, signal = patient() }: Window & { of?: Instrument; signal?: AbortSignal },
  ) => source.history!(of, { timeframe, from, until, signal });

  /** True bars of a window that the source must tell: those closed before its delay. */
  function truth(timeframe: Timeframe, { from, until = now }: Window, of: Instrument): readonly Bar[] {
    return world
      .bars(of.symbol, timeframe, { from, until })
      .filter(({ time }) => barCloseMs(time, timeframe, zoneFor(of.asset_class)) <= known);
  }
  /** The window of the newest `count` closed bars, as far as the source reaches. */
  function newest(timeframe: Timeframe, count: number, of: Instrument): Window {
    const reach = Math.max(BEGINNING, now - shape.reaches[timeframe]! * DAY + DAY);
    return { from: truth(timeframe, { from: reach }, of).at(-count)?.time ?? reach };
  }
  /** Bars as the market will see them, in the window, checked against the truth. */
  function expectTruth(given: SourceBars, timeframe: Timeframe, window: Window, of: Instrument): void {
    const { bars, forming } = cleanBars(given, { assetClass: of.asset_class, timeframe, at: known });
    const expected = truth(timeframe, window, of);
    const last = expected.at(-1)?.time ?? Number.NEGATIVE_INFINITY;
    const rows = rowsOf(bars).filter(({ time }) => time >= window.from && time <= last);
    expect(given.bars.filter(({ time }) => time > (window.until ?? now))).toEqual([]);
    expect(rows.map(({ time }) => iso(time))).toEqual(expected.map(({ time }) => iso(time)));
    const fields = [
      "open",
      "high",
      "low",
      "close",
      ...(contract.volumes === false ? [] : ["volume"]),
    ] as const;
    const wrong = rows.flatMap((row, index) =>
      (fields as readonly (keyof Bar)[])
        .filter((field) => !near(row[field], expected[index]![field], tolerance))
        .map((field) => `${iso(row.time)} ${field}: ${row[field]}, in truth ${expected[index]![field]}`),
    );
    expect(wrong).toEqual([]);
    if (forming === null || known < now) return;
    const growing = world.bars(of.symbol, timeframe, { from: forming.time, until: forming.time })[0];
    expect(forming.close, "the bar in the making").toBeCloseTo(growing?.close ?? Number.NaN, 2);
  }

  interface Question {
    readonly what: "latest" | "history";
    readonly ask: (
      source: Source,
      of?: Instrument,
      signal?: AbortSignal,
    ) => Promise<SourceQuote | SourceBars>;
  }
  const probe = lengths[0];
  const questions: Question[] = [
    ...(shape.latest === undefined
      ? []
      : [
          {
            what: "latest" as const,
            ask: (source: Source, of?: Instrument, signal?: AbortSignal) => latest(source, of, signal),
          },
        ]),
    ...(shape.history === undefined || probe === undefined
      ? []
      : [
          {
            what: "history" as const,
            ask: (source: Source, of = good, signal = patient()) =>
              history(source, probe, { ...newest(probe, 12, of), of, signal }),
          },
        ]),
  ];
  const failing = async (
    question: Question,
    fetch: typeof globalThis.fetch,
    of = good,
  ): Promise<SourceFailure> => failureOf(question.ask(make(counted(fetch)), of));

  describe(`${name}, the contract of a source`, () => {
    it("says who it is, what it serves and how often it may be asked", () => {
      expect(shape.name).toMatch(/^[a-z][a-z0-9]*$/);
      expect(shape.name).toBe(vendor.name);
      expect(shape.serves.size).toBeGreaterThan(0);
      expect(questions.length, "it answers something").toBeGreaterThan(0);
      expect(shape.history === undefined, "bars of no length").toBe(lengths.length === 0);
      expect(Math.min(shape.budget.calls, shape.budget.perMs, shape.budget.atOnce)).toBeGreaterThanOrEqual(1);
      expect(Math.min(shape.delayMinutes, ...Object.values(shape.reaches))).toBeGreaterThanOrEqual(0);
      expect(shape.liveWithinMs).toBeGreaterThan(0);
    });

    it("asks nobody before it is asked", () => {
      const calls = counted(honest);
      make(calls);
      expect(calls.count()).toBe(0);
    });

    if (shape.latest !== undefined)
      describe("latest", () => {
        it.each(served.map((of) => [of.symbol, of] as const))("tells the last trade of %s", async (_, of) => {
          const quote = await latest(make(honest), of);
          const trade = world.trade(of.symbol)!;
          const said = contract.quoted?.(world, of) ?? { price: trade.price, tradedAt: trade.at };
          expect(near(quote.price, said.price, tolerance), `${quote.price}, in truth ${said.price}`).toBe(
            true,
          );
          expect(iso(quote.tradedAt)).toBe(iso(said.tradedAt));
          expect(quote.tradedAt).toBeLessThanOrEqual(now);
          if (contract.quoted === undefined) expect(wrongFields(quote, trade)).toEqual([]);
        });
      });

    const wrongFields = (quote: SourceQuote, trade: Readonly<Record<string, number>> | object): string[] => {
      const true_ = trade as Readonly<Record<string, number>>;
      const fields = [
        "previousClose",
        "open",
        "high",
        "low",
        ...(contract.volumes === false ? [] : ["volume"]),
      ];
      const told = quote as unknown as Readonly<Record<string, number | null>>;
      return fields
        .filter((field) => told[field] !== null && !near(told[field] as number, true_[field]!, tolerance))
        .map((field) => `${field}: ${told[field]}, in truth ${true_[field]}`);
    };

    describe.each(lengths)("history of %s", (timeframe) => {
      it.each(served.map((of) => [of.symbol, of] as const))(
        "tells the newest closed bars of %s",
        async (_, of) => {
          const window = newest(timeframe, 500, of);
          const given = await history(make(counted(honest)), timeframe, { ...window, of });
          expectTruth(given, timeframe, window, of);
          expect(truth(timeframe, window, of).length).toBeGreaterThan(0);
          // a token is never split
          if (of.asset_class !== "crypto")
            expect(given.adjustment, "prices on both sides of a split agree with today's").not.toBe("raw");
        },
      );

      const reach = now - (shape.reaches[timeframe] ?? 0) * DAY;
      const days = SPECIAL_DAYS.filter(({ from }) => from >= reach);
      it.each(days)("is right over $what", async ({ from, until }) => {
        for (const of of served)
          expectTruth(
            await history(make(counted(honest)), timeframe, { from, until, of }),
            timeframe,
            { from, until },
            of,
          );
      });

      it("gives no bars where there are none", async () => {
        for (const of of served.filter(({ asset_class }) => asset_class !== "crypto")) {
          const given = await history(make(honest), timeframe, { ...WEEKEND, of });
          expect(given.bars.filter(({ time }) => time >= WEEKEND.from)).toEqual([]);
        }
      });

      if (other !== undefined && !echoless.includes("history"))
        it("does not take another instrument's answer", async () => {
          const window = newest(timeframe, 12, good);
          const texts: string[] = [];
          await history(make(overheard(honest, texts)), timeframe, { ...window, of: other });
          const { kind } = await failureOf(history(make(repeated(texts)), timeframe, window));
          expect(kind).toBe("malformed");
        });

      it("is whole or nothing when a call fails on the way", async () => {
        const window = newest(timeframe, 500, good);
        const calls = counted(honest);
        await history(make(calls), timeframe, window);
        for (let call = 0; call < calls.count(); call += 1) {
          const cut = failingAt(honest, call, always({ status: 503, body: "" }));
          expect((await failureOf(history(make(cut), timeframe, window))).kind).toBe("down");
        }
      });

      it.each(["twice", "backwards"] as const)("is right or refused with rows %s", async (how) => {
        const order = <T>(rows: readonly T[]): T[] =>
          how === "twice" ? rows.flatMap((row) => [row, row]) : rows.toReversed();
        const window = newest(timeframe, 100, good);
        const fetch = rewritten(honest, (text) => inJson(text, (value) => reordered(value, order)));
        try {
          expectTruth(await history(make(counted(fetch)), timeframe, window), timeframe, window, good);
        } catch (failure) {
          if (!(failure instanceof SourceFailure)) throw failure;
          expect(failure.kind).toBe("malformed");
        }
      });
    });

    if (shape.history !== undefined)
      it("refuses bar lengths it does not have without asking", async () => {
        for (const timeframe of TIMEFRAMES.filter((length) => !lengths.includes(length))) {
          const calls = counted(honest);
          const failure = await failureOf(history(make(calls), timeframe, { from: now - DAY }));
          expect([timeframe, failure.kind, calls.count()]).toEqual([timeframe, "unsupported", 0]);
        }
      });

    describe.each(questions)("$what, when the answer is none", (question) => {
      const kinds = (about: Case, kind: FailureKind): readonly FailureKind[] => [
        kind,
        ...(accept[about] ?? []),
      ];

      it("refuses what it does not serve without asking", async () => {
        for (const of of world.instruments().filter(({ asset_class }) => !shape.serves.has(asset_class))) {
          const calls = counted(honest);
          const { kind } = await failureOf(question.ask(make(calls), of));
          expect([of.symbol, kind, calls.count()]).toEqual([of.symbol, "unsupported", 0]);
        }
      });

      it("does not know an unknown symbol", async () => {
        if (question.what === "history" && contract.unknownHistory === "empty")
          expect(await question.ask(make(honest), unknown)).toMatchObject({ bars: [] });
        else
          expect(kinds("unknown", "unknown_symbol")).toContain(
            (await failing(question, honest, unknown)).kind,
          );
      });

      const replies = (list: readonly Reply[]) =>
        list.map((reply) => [`${reply.status} ${reply.body.slice(0, 40)}`, reply] as const);
      const refused = async (reply: Reply, expected: readonly FailureKind[]) => {
        const failure = await failing(question, always(reply));
        expect(expected).toContain(failure.kind);
        const seconds = Number(reply.headers?.["retry-after"] ?? Number.NaN);
        if (failure.kind === "rate_limited" && Number.isFinite(seconds))
          expect(failure.retryAfterMs).toBe(seconds * 1000);
        const marked = {
          ...reply,
          body: inJson(reply.body, (value) => restrung(value, (text) => `${text} ${MARKER}`), MARKER),
        };
        expect((await failing(question, always(marked))).message).not.toContain(MARKER);
      };
      it.each(replies(vendor.limits))("is told to wait: %s", (_, reply) =>
        refused(reply, kinds("limits", "rate_limited")),
      );
      it.each(replies(vendor.unauthorised))("has a wrong key: %s", (_, reply) =>
        refused(reply, kinds("unauthorised", "auth")),
      );
      it.each(replies(vendor.blocks))("is shut out: %s", (_, reply) =>
        refused(reply, kinds("blocks", "blocked")),
      );

      it.each([500, 502, 503, 504])("calls it down at status %i", async (status) => {
        for (const body of ["", '{"message":"oops"}', "<html>oops</html>"])
          expect((await failing(question, always({ status, body }))).kind).toBe("down");
      });

      it("calls it down without a connection, or with one that breaks", async () => {
        expect((await failing(question, unreachable)).kind).toBe("down");
        expect((await failing(question, brokenOff('{"data":'))).kind).toBe("down");
      });

      it.each(["", "not json", "{", '{"a":1}{', "\u0000\u0001"])("does not read %j", async (body) => {
        const { kind } = await failing(question, always({ status: 200, body }));
        expect(kinds("unreadable", "malformed")).toContain(kind);
      });

      it("does not read half an answer", async () => {
        const half = rewritten(honest, (text) => text.slice(0, text.length / 2));
        expect(kinds("unreadable", "malformed")).toContain((await failing(question, half)).kind);
      });

      it.each(["{}", "[]", "null", '"text"', "1", "true", "[[]]", "[{}]", '{"data":null}', '{"data":[]}'])(
        "takes %s for no answer",
        async (body) => {
          const asked = question.ask(make(counted(always({ status: 200, body }))));
          if (question.what === "history" && contract.noBars?.includes(body))
            expect(await asked).toMatchObject({ bars: [] });
          else expect(kinds("shapes", "malformed")).toContain((await failureOf(asked)).kind);
        },
      );

      it.each([{ begins: false }, { begins: true }])("lets go when told to: $begins", async (when) => {
        const stuck = stalled(when);
        const leaving = new AbortController();
        const asked = failureOf(question.ask(make(stuck), good, leaving.signal));
        setImmediate(() => leaving.abort());
        expect((await asked).kind).toBe("timeout");
        expect(stuck.stopped()).toBe(true);
      });

      it("stops reading an answer without end", async () => {
        const flood = endless();
        expect((await failing(question, flood)).kind).toBe("malformed");
        expect(flood.sent()).toBeLessThan(64 * 1024 * 1024);
        expect(flood.cancelled()).toBe(true);
      });

      if (other !== undefined && !echoless.includes(question.what))
        it("does not take another instrument's answer", async () => {
          const texts: string[] = [];
          await question.ask(make(overheard(honest, texts)), other);
          expect((await failing(question, repeated(texts))).kind).toBe("malformed");
        });

      it("takes US dollars alone", async () => {
        let changed = 0;
        const inEuros = (text: string, key: string) => {
          if (!/^currency$/i.test(key) || text !== "USD") return text;
          changed += 1;
          return "EUR";
        };
        const fetch = rewritten(honest, (text) => inJson(text, (value) => restrung(value, inEuros)));
        const kind = await question.ask(make(counted(fetch))).then(
          () => "answered",
          (failure: SourceFailure) => failure.kind,
        );
        expect(kind).toBe(changed > 0 ? "malformed" : "answered");
      });

      it("repeats no word of the vendor's", async () => {
        const fetch = rewritten(honest, (text) => inJson(text, (value) => restrung(value, () => MARKER)));
        const said = await question.ask(make(counted(fetch))).then(
          () => "",
          (failure: unknown) => messageOf(failure),
        );
        expect(said).not.toContain(MARKER);
      });

      it("gives prices that can be, or a failure of ours, whatever is wrong in an answer", async () => {
        const texts: string[] = [];
        await question.ask(make(overheard(honest, texts)));
        const answers = texts.map((text) => ({ text, value: parsed(text) }));
        const places = answers.flatMap(({ value }, call) =>
          value === undefined ? [] : placesIn(value).map((place) => ({ call, place })),
        );
        const spoil = fc.record({ at: fc.constantFrom(...places), by: wrongValue });
        await fc.assert(
          fc.asyncProperty(spoil, async ({ at: { call, place }, by }) => {
            const spoiled = JSON.stringify(replaced(answers[call]!.value, place, by)) ?? "";
            const fetch = rewritten(honest, (text, index) => (index === call ? spoiled : text));
            try {
              plausible(await question.ask(make(counted(fetch))));
            } catch (failure) {
              expect(messageOf(failure)).not.toContain(MARKER);
            }
          }),
          { numRuns: 200 },
        );
      });
    });
  });

  /** Throws unless every figure of an answer could be true. */
  function plausible(answer: SourceQuote | SourceBars): void {
    if ("bars" in answer) {
      const { bars } = cleanBars(answer, { assetClass: good.asset_class, timeframe: probe!, at: now });
      const figures = rowsOf(bars).flatMap(({ open, high, low, close }) => [open, high, low, close]);
      expect(figures.filter((price) => !(Number.isFinite(price) && price > 0))).toEqual([]);
      return;
    }
    const { price, previousClose, open, high, low, volume, tradedAt } = answer;
    const prices = [price, previousClose, open, high, low].filter((figure) => figure !== null);
    expect(prices.filter((figure) => !(Number.isFinite(figure) && figure > 0))).toEqual([]);
    expect(volume === null || (Number.isFinite(volume) && volume >= 0), `volume ${volume}`).toBe(true);
    expect(Number.isFinite(new Date(tradedAt).getTime()), `traded at ${tradedAt}`).toBe(true);
  }
}

interface Window {
  readonly from: number;
  readonly until?: number;
}

/** A weekend, from Saturday 00:00 UTC to Sunday's end. */
const WEEKEND = { from: Date.UTC(2025, 10, 22), until: Date.UTC(2025, 10, 24) - 1 };

const SPECIAL_DAYS = [
  {
    what: "Thanksgiving and the half day after it",
    from: Date.UTC(2025, 10, 26),
    until: Date.UTC(2025, 11, 2),
  },
  { what: "the day of a split", from: Date.UTC(2025, 10, 7), until: Date.UTC(2025, 10, 12) },
  { what: "the end of summer time", from: Date.UTC(2025, 9, 31), until: Date.UTC(2025, 10, 4) },
  { what: "the start of summer time", from: Date.UTC(2025, 2, 7), until: Date.UTC(2025, 2, 11) },
  { what: "a day of mourning", from: Date.UTC(2025, 0, 8), until: Date.UTC(2025, 0, 11) },
];

async function failureOf(asked: Promise<unknown>): Promise<SourceFailure> {
  const outcome = await asked.then(
    (answer) => ({ answer }),
    (failure: unknown) => ({ failure }),
  );
  expect(outcome, "it answered where it had to fail").toHaveProperty("failure");
  const { failure } = outcome as { failure: unknown };
  expect(messageOf(failure)).not.toContain(MARKER);
  return failure as SourceFailure;
}

/** What a failure says; anything but a `SourceFailure` is thrown on. */
function messageOf(failure: unknown): string {
  if (!(failure instanceof SourceFailure)) throw failure;
  return failure.message;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Text with its JSON changed; what is no JSON stays, with `otherwise` behind it. */
function inJson(text: string, change: (value: unknown) => unknown, otherwise = ""): string {
  const value = parsed(text);
  return value === undefined ? text + otherwise : JSON.stringify(change(value));
}

const near = (actual: number, expected: number, tolerance: number): boolean =>
  Math.abs(actual - expected) <= tolerance * Math.abs(expected);

const iso = (epochMs: number): string => new Date(epochMs).toISOString();

const rowsOf = ({ time, open, high, low, close, volume }: Bars): Bar[] =>
  Array.from(time, (at, index) => ({
    time: at,
    open: open[index]!,
    high: high[index]!,
    low: low[index]!,
    close: close[index]!,
    volume: volume[index]!,
  }));
