import { describe, expect, it } from "vitest";
import { shownScore } from "../../src/domain/figures.ts";
import { pictureOf } from "../../src/features/signal/picture.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { whatChanged } from "../../tools/what-changed.ts";
import { pro } from "../support/context.ts";
import { toolContract } from "../support/tool-contract.ts";
import { alertMarket, alertRunFixture, DAY, START, subscribed, turningBars } from "../support/watch.ts";

const small = await alertMarket();
type House = Awaited<ReturnType<typeof alertRunFixture>>;
const ask = ({ ports }: House, input: object, account = "ada") =>
  invoke(whatChanged, input, { ports, principal: { ...pro, account }, transport: "test" });
const BTC = { symbols: ["BTC-USD"] };

/** A fixture that watched bitcoin for this number of days. */
async function watchedFor(days: number) {
  const fixture = await alertRunFixture({ bars: { "BTC-USD": turningBars(), "ETH-USD": turningBars() } });
  const leave = fixture.changes.follow([{ symbol: "BTC-USD", timeframe: "1d" }]);
  for (let day = 0; day < days; day++) {
    await fixture.watcher.evaluate();
    if (day < days - 1) fixture.clock.pass(DAY);
  }
  leave();
  return fixture;
}

describe("what_changed", () => {
  it("returns changes since a moment in pages, and later changes from a cursor", async () => {
    const fixture = await watchedFor(12);
    const told = (await fixture.rows.after(0, 100)).map(({ change }) => change);
    expect(told.length).toBeGreaterThan(3);
    const since = new Date(START.getTime() + 1).toISOString();
    const whole = await ask(fixture, { ...BTC, since });
    expect(whole).toMatchObject({
      since,
      changes: told,
      count: told.length,
      more: false,
      coverage: [],
      compared: [],
      notes: [],
      watching: [{ symbol: "BTC-USD", timeframe: "1d" }],
      market: "sample",
    });
    const first = await ask(fixture, { ...BTC, since, limit: 2 });
    expect(first).toMatchObject({ changes: told.slice(0, 2), more: true });
    const rest = await ask(fixture, { ...BTC, after: first.cursor });
    expect(rest).toMatchObject({ changes: told.slice(2), more: false, since: null, cursor: whole.cursor });
    expect(await ask(fixture, { ...BTC, after: whole.cursor })).toMatchObject({ changes: [], more: false });
    expect(await ask(fixture, { ...BTC, after: told[0]!.change_id })).toMatchObject({
      changes: told.slice(1),
    });
    const late = await ask(fixture, { ...BTC, since: told.at(-1)!.noticed_at });
    expect(late.changes).toEqual(told.slice(-1));
    expect((await ask(fixture, { ...BTC, timeframe: "4h", after: first.cursor })).changes).toEqual([]);
    const concise = await ask(fixture, { ...BTC, since, detail: "concise" });
    expect(concise.changes.map(({ drivers }) => drivers)).toEqual(
      told.map(({ drivers }) => drivers.slice(0, 3)),
    );
  });

  it("compares then and now for symbols that were not watched, and notes it", async () => {
    const fixture = await watchedFor(12);
    const since = "2025-11-25";
    const answer = await ask(fixture, { symbols: ["ETH-USD", "BTC-USD"], since });
    expect(answer.coverage).toEqual([
      { symbol: "ETH-USD", timeframe: "1d", known_from: null, known_until: null },
    ]);
    const signal = new AbortController().signal;
    const at = async (as_of?: string) => {
      const { consensus, decidedAt } = await pictureOf(
        { symbol: "ETH-USD", timeframe: "1d", as_of, signal },
        fixture.ports,
      );
      const { direction, grade, score } = consensus;
      return { direction, grade, score: shownScore(score!), decided_at: decidedAt };
    };
    const [before, after] = [await at("2025-11-25T00:00:00Z"), await at()];
    expect(before.decided_at).toBe("2025-11-25T00:00:00.000Z");
    expect(answer.compared).toMatchObject([{ symbol: "ETH-USD", before, after, reason: null }]);
    expect(answer.compared[0]!.changed.length).toBeGreaterThan(0);
    expect(answer.notes).toEqual([expect.stringContaining("create_subscription")]);
    // before the first evaluation, and after the last one
    const early = await ask(fixture, { ...BTC, since: "2025-11-20" });
    expect(early.coverage).toMatchObject([{ symbol: "BTC-USD", known_from: START.toISOString() }]);
    fixture.clock.pass(3 * DAY);
    expect((await ask(fixture, { ...BTC, since })).compared).toMatchObject([{ symbol: "BTC-USD" }]);
  });

  it("covers everything the account watches by default, or a named watchlist", async () => {
    const fixture = await watchedFor(1);
    await expect(ask(fixture, {})).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await fixture.ports.watchlists.save("ada", {
      name: "eth",
      symbols: ["ETH-USD"],
      saved_at: START.toISOString(),
    });
    await fixture.rows.add("ada", { subscription: subscribed(1), seen: {} });
    await fixture.rows.add("ada", { subscription: subscribed(2, { timeframe: "4h" }), seen: {} });
    const watching = async (input: object) =>
      (await ask(fixture, input)).watching.map(({ symbol }) => symbol);
    expect(await watching({})).toEqual(["ETH-USD", "BTC-USD"]);
    expect(await watching({ watchlist: "ETH" })).toEqual(["ETH-USD"]);
    await expect(ask(fixture, { watchlist: "eth" }, "bob")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("rejects a future time, a cursor of another market, and conflicting inputs", async () => {
    const fixture = await watchedFor(1);
    const other = await alertRunFixture({ market: "another" });
    for (const input of [
      { since: "2027-01-01" },
      { after: await other.rows.now() },
      { after: "cu_00000000_1" },
      { after: `${(await fixture.rows.now()).replace(/\d+$/, "")}999` },
      { after: "sc_00000000000000000000" },
      { since: "2025-11-01", after: await fixture.rows.now() },
    ])
      await expect(ask(fixture, { ...BTC, ...input }), JSON.stringify(input)).rejects.toMatchObject({
        code: "INVALID_INPUT",
      });
    await expect(ask(fixture, { ...BTC, watchlist: "x" })).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });
});

it("returns the changes of a past range, and compares with the signal at its end", async () => {
  const fixture = await watchedFor(12);
  const told = (await fixture.rows.after(0, 100)).map(({ change }) => change);
  const from = new Date(START.getTime() + 1).toISOString();
  const to = told[1]!.noticed_at;
  const past = await ask(fixture, { ...BTC, from, to });
  expect(past).toMatchObject({ since: from, changes: told.slice(0, 2), more: false });
  expect((await ask(fixture, { ...BTC, after: past.cursor })).changes).toEqual(told.slice(2));
  const [compared] = (await ask(fixture, { symbols: ["ETH-USD"], from, to })).compared;
  expect(compared!.after!.decided_at <= to).toBe(true);
  await expect(ask(fixture, { ...BTC, from, since: from })).rejects.toMatchObject({ code: "INVALID_INPUT" });
  await expect(ask(fixture, { ...BTC, from, after: past.cursor })).rejects.toMatchObject({
    code: "INVALID_INPUT",
  });
});

toolContract(whatChanged, { ports: small.ports });
