import { describe, expect, it } from "vitest";
import { createApp } from "../../../src/app/app.ts";
import { readConfig } from "../../../src/app/config.ts";
import { checkOrder } from "../../../tools/check-order.ts";
import { getClaims } from "../../../tools/get-claims.ts";
import { getHistory } from "../../../tools/get-history.ts";
import { getQuote } from "../../../tools/get-quote.ts";
import { getTrackRecord } from "../../../tools/get-track-record.ts";
import { recordClaim } from "../../../tools/record-claim.ts";
import { withdrawClaim } from "../../../tools/withdraw-claim.ts";
import { collectingLog } from "../../support/context.ts";
import { movingClock } from "../../support/store.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { callerOf } from "../../support/tool-call.ts";

const DAY = 86_400_000;

/** One installation that is restarted for each `visit`, so that its logs are written. */
function installation(settings: Record<string, string> = {}) {
  const clock = movingClock(new Date("2026-06-10T21:00:00.000Z")); // after the close of a Wednesday
  const env = { DATA_DIR: tempDir(), MARKET_DATA: "sample", LOG_LEVEL: "silent", ...settings };
  const { log, lines } = collectingLog();
  async function visit<T>(work: (app: Awaited<ReturnType<typeof createApp>>) => Promise<T>): Promise<T> {
    const app = await createApp(readConfig({ CACHE_MB: "2048", ...env }), { clock, log });
    try {
      return await work(app);
    } finally {
      await app.close();
    }
  }
  /** Runs over another symbol, which settles what is due. */
  const settle = () =>
    visit(({ engine }) => engine.run({ universe: { name: "file:mine.txt", symbols: ["KO"] } }));
  return { clock, lines, visit, settle };
}
type App = Awaited<ReturnType<typeof createApp>>;

const toolsOf = ({ ports, owner }: App, account = owner.account) => {
  const principal = { ...owner, account };
  return {
    claim: callerOf(recordClaim, ports, principal),
    claims: callerOf(getClaims, ports, principal),
    withdraw: callerOf(withdrawClaim, ports, principal),
    check: callerOf(checkOrder, ports, principal),
    record: callerOf(getTrackRecord, ports, principal),
    quote: callerOf(getQuote, ports, principal),
    /** Oldest first. */
    bars: async (from: string, to: string) => {
      const { bars } = await callerOf(getHistory, ports, principal)({ symbol: "AAPL", from, to, limit: 100 });
      return bars.toReversed();
    },
  };
};

describe("a recorded claim", () => {
  it("is dated now, settled by its bars once, and shown beside its base", async () => {
    const { clock, visit, settle } = installation();
    const terms = { author: "Wire\u202e of\u0007 tips", symbol: "AAPL", deadline: "2026-07-08" };
    const { price, claims } = await visit(async (app) => {
      const { claim, quote } = toolsOf(app);
      const { price } = (await quote({ symbol: "AAPL" })).data;
      const near = { side: "LONG", target: price * 1.001 } as const;
      const far = { side: "SHORT", target: price * 0.2 } as const;
      const claims = [];
      for (const one of [near, far, near, { side: "LONG" } as const])
        claims.push(await claim({ ...terms, ...one }));
      return { price, claims };
    });
    const [near, far, again, close] = claims.map(({ claim }) => claim);
    expect(claims.map(({ recorded }) => recorded)).toEqual([true, true, false, true]);
    expect(again).toEqual(near);
    expect(near).toMatchObject({
      author: "Wire of tips",
      rule: "touch",
      bars: 28, // 11 June to 8 July: simulated bars are days of UTC, without holidays
      recorded_at: "2026-06-10T21:00:00.000Z",
      data_as_of: "2026-06-10T00:00:00.000Z",
      state: "open",
      withdrawn_at: null,
    });
    expect(near!.base).toBeGreaterThan(0.8);
    expect([far!.base, close!.rule]).toEqual([0, "close_beyond"]);
    expect(close!.target).toBeCloseTo(price, 2);

    clock.pass(27 * DAY); // 7 July: one bar is missing
    await settle();
    const open = await visit((app) => toolsOf(app).claims({ state: "open" }));
    expect(open.count).toBe(3);

    await visit((app) => toolsOf(app).withdraw({ claim_id: far!.claim_id }));
    clock.pass(2 * DAY);
    await settle();
    const { all, bars } = await visit(async (app) => {
      const { claims, bars } = toolsOf(app);
      return { bars: await bars("2026-06-11", "2026-07-08"), all: await claims({}) };
    });
    expect(bars).toHaveLength(28);
    const states = Object.fromEntries(all.claims.map(({ claim_id, state }) => [claim_id, state]));
    const highest = Math.max(...bars.map(({ high }) => high));
    expect(states).toEqual({
      [near!.claim_id]: highest >= near!.target ? "right" : "wrong",
      [far!.claim_id]: "wrong",
      [close!.claim_id]: bars.at(-1)!.close >= close!.target ? "right" : "wrong",
    });
    const right = Object.values(states).filter((state) => state === "right").length;
    expect(all.records).toMatchObject([
      { author: "Wire of tips", claims: 3, open: 0, withdrawn: 1, n: 3, n_eff: 1 },
    ]);
    expect(all.records[0]!.right).toBeCloseTo(right / 3, 4);
    expect(right).toBeGreaterThan(0);
  });

  it("is visible to its own account only", async () => {
    const { visit } = installation();
    await visit(async (app) => {
      const mine = toolsOf(app);
      const { claim } = await mine.claim({
        author: "A friend",
        symbol: "BTC-USD",
        side: "LONG",
        deadline: "2026-06-11",
      });
      expect(claim.bars).toBe(1); // the day of 11 June, UTC
      const other = toolsOf(app, "other");
      expect((await other.claims({})).count).toBe(0);
      await expect(other.withdraw({ claim_id: claim.claim_id })).rejects.toMatchObject({ code: "NOT_FOUND" });
      const withdrawn = await mine.withdraw({ claim_id: claim.claim_id });
      expect(withdrawn.claim.withdrawn_at).toBe("2026-06-10T21:00:00.000Z");
    });
  });

  it.each([
    [{ deadline: "2026-06-09" }, "deadline", "has passed"],
    [{ deadline: "2026-06-10" }, "deadline", "No daily bar opens after now"],
    [{ deadline: "2028-01-03" }, "deadline", "more than 366 days"],
    [{ stop: 1 }, "target", "needs a target"],
    [{ target: 1e6, stop: 1e5 }, "stop", "must be below the price"],
    [{ target: 1 }, "target", "must be above the price"],
    [{ target: 1, entry: 2 }, "target", "must be above the entry of 2"],
    [{ rule: "target_first", target: 1e6 }, "stop", "needs a stop"],
    [{ rule: "touch", target: 1e6, stop: 1 }, "stop", "has no stop"],
    [{ rule: "close_beyond", entry: 5 }, "entry", "has no entry"],
    [{ author: "\u200b\u0007" }, "author", "no readable characters"],
  ] as const)("of %j is refused by %s", async (over, field, text) => {
    const { visit } = installation();
    const terms = {
      author: "A friend",
      symbol: "MSFT",
      side: "LONG",
      deadline: "2026-07-08",
      ...over,
    } as const;
    const outcome = await visit((app) =>
      toolsOf(app)
        .claim(terms)
        .catch((error: unknown) => error),
    );
    expect(outcome).toMatchObject({ code: "INVALID_INPUT", data: { errors: [{ pointer: `/${field}` }] } });
    expect((outcome as Error).message).toContain(text);
  });
});

describe("checked orders", () => {
  const order = { symbol: "AAPL", side: "buy", quantity: 10, horizon: 5 } as const;

  it("are stored once without the account, and scored when their bars arrive", async () => {
    const { clock, visit, settle } = installation();
    const levels = await visit(async (app) => {
      const { check, quote } = toolsOf(app);
      const { price } = (await quote({ symbol: "AAPL" })).data;
      const levels = {
        limit_price: Number((price * 0.99).toFixed(2)),
        stop_loss: Number((price * 0.9).toFixed(2)),
        take_profit: Number((price * 1.1).toFixed(2)),
      };
      await check({ ...order, ...levels });
      await check({ ...order, ...levels, quantity: 77, account: { equity: 12_345 } });
      await check({ ...order, ...levels, as_of: "2026-05-01" });
      await check({ ...order, ...levels, receipt: true });
      await toolsOf(app, "other").check({ ...order, ...levels });
      const sent = { price, bid: price, ask: price };
      await check({ ...order, ...levels, take_profit: price * 1.2, quote: sent }); // a price that the caller sent
      return levels;
    });
    const stored = await visit(({ store }) => store.db.selectFrom("checked_orders").selectAll().execute());
    expect(stored).toHaveLength(2); // of two accounts
    expect(stored[0]).toMatchObject({ symbol: "AAPL", result: null, until: "2026-06-16T00:00:00.000Z" });
    expect(JSON.parse(stored[0]!.json).plan).toEqual({
      side: "LONG",
      kind: "limit",
      entry: levels.limit_price,
      limit: null,
      stop: levels.stop_loss,
      target: levels.take_profit,
    });
    expect(JSON.stringify(stored)).not.toMatch(/owner|other|"quantity"|12345/);

    clock.pass(8 * DAY);
    await settle();
    const { record, bars } = await visit(async (app) => ({
      record: (await toolsOf(app).record({})).checks,
      bars: await toolsOf(app).bars("2026-06-11", "2026-06-15"),
    }));
    const filled = Math.min(...bars.map(({ low }) => low)) <= levels.limit_price;
    expect(record).toMatchObject({ orders: 2, from: "2026-06-10T21:00:00.000Z", reason: null });
    const fill = record.rows.filter(({ event }) => event === "fill");
    expect(
      fill.map(({ asset_class, side, n, n_eff, happened }) => [asset_class, side, n, n_eff, happened]),
    ).toEqual(
      [
        [null, null],
        [null, "LONG"],
        ["equity", null],
        ["equity", "LONG"],
      ].map((group) => [...group, 2, 1, Number(filled)]),
    );
    expect(record.rows.filter(({ event }) => event === "stop_first")).toHaveLength(filled ? 4 : 0);
  });

  it("are not stored with CHECK_RECORD=off", async () => {
    const { visit } = installation({ CHECK_RECORD: "off" });
    await visit((app) => toolsOf(app).check({ ...order, stop_loss: 1, take_profit: 1e5 }));
    const stored = await visit(({ store }) => store.db.selectFrom("checked_orders").selectAll().execute());
    expect(stored).toEqual([]);
  });
});
