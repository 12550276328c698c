import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { FlowDay, OptionTrade } from "../../src/domain/options-flow/options.ts";
import type { Chains, FlowDays, FlowTape, Ports } from "../../src/domain/ports.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { getOptionsFlow } from "../../tools/get-options-flow.ts";
import { NOW, pro, unavailable } from "../support/context.ts";
import { smallMarket } from "../support/market.ts";
import { chainOf, option, optionTrade } from "../support/option-chain.ts";
import { invalidField } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";

const stamps = { source: "fixture", fetchedAt: NOW.toISOString(), stale: false, tried: [] };
const quoted = (middle: number) => ({ bid: middle - 0.25, ask: middle + 0.25 });
/** On the 30-day expiry a call and put at 100, and an unusual call at 110; an older snapshot had half the volume. */
const contracts = [
  option({ volume: 400, openInterest: 1000, iv: 0.3, delta: 0.5, gamma: 0.02, ...quoted(4) }),
  option({ type: "put", volume: 200, openInterest: 500, iv: 0.3, delta: -0.5, gamma: 0.02, ...quoted(3) }),
  option({ type: "put", strike: 90, volume: 0, openInterest: 10, iv: 0.4, delta: -0.25, gamma: 0.01 }),
  option({ strike: 110, volume: 600, openInterest: 100, iv: 0.28, delta: 0.25, gamma: 0.01, ...quoted(1) }),
  option({ expiry: "2026-03-20", volume: 5, openInterest: 7, ...quoted(6) }),
];
const chain = chainOf(contracts, { delayMinutes: 15 });
const before = chainOf(
  contracts.map((one) => ({ ...one, volume: one.volume! / 2 })),
  { asOf: "2026-01-21T20:45:00.000Z", delayMinutes: 15 },
);
const flowDays = (count: number): readonly FlowDay[] => {
  const figures = { callVolume: 1, putVolume: 1, callPremium: null, putPremium: null, putIv: 0.4 };
  return Array.from({ length: count }, (_, i) => {
    return { day: `day ${i}`, at: i, atmIv: 0.2 + (i / count) * 0.2, ...figures };
  });
};

/** A provider of one chain, without an older snapshot. */
const chainsOf = (only: typeof chain, stale = false): Chains => ({
  chain: async () => ({ ...stamps, stale, chain: only, earlier: null }),
});
/** A tape with this function for its trades. */
const tapeOf = (trades: FlowTape["trades"]): FlowTape => ({ ...smallMarket().ports.flowTape, trades });
const taped = { ...stamps, source: "tape", trades: [], completeFrom: null };

/** Ports over the chains above, and the saved days. */
function fixture(over: Partial<Ports> = {}, days: readonly FlowDay[] = []) {
  const written: (readonly [string, FlowDay])[] = [];
  const flowDays: FlowDays = {
    days: async () => days,
    save: async (symbol, day) => void written.push([symbol, day]),
  };
  const chains: Chains = { chain: async () => ({ ...stamps, chain, earlier: before }) };
  const ports = { ...smallMarket().ports, chains, flowDays, ...over };
  const ask = (input: unknown = { symbol: "AAPL" }) =>
    invoke(getOptionsFlow, input, { ports, principal: { ...pro, plan: "individual" }, transport: "test" });
  return { ports, ask, written };
}

const block = { size: 300, premium: 300_000, askPremium: 250_000, bidPremium: 20_000, sweep: false };
const trade = (over: Partial<OptionTrade> = {}) => optionTrade(NOW.getTime(), { ...block, ...over });

describe("get_options_flow", () => {
  it("sums volume, open interest and premium", async () => {
    const flow = await fixture().ask();
    expect(flow).toMatchObject({
      ok: true,
      symbol: "AAPL",
      as_of: "2026-01-21T20:45:00.000Z",
      derived_from: "chain_snapshot",
      session: "2026-01-21",
      coverage: { status: "covered", reason: null },
      underlying: { price: 100, traded_at: "2026-01-21T21:00:00.000Z" },
      contracts: 5,
      volume: { call: 1005, put: 200, total: 1205, put_call: 0.199 },
      open_interest: { call: 1107, put: 510, total: 1617, put_call: 0.4607 },
      // 400 x 4 + 600 x 1 + 5 x 6 and 200 x 3, times 100
      premium: { call: 223_000, put: 60_000, total: 283_000, put_call: 0.2691 },
      volume_oi: 0.7452,
      provenance: { provider: "fixture", delay_minutes: 15, stale: false, fallback_from: [] },
    });
  });

  it("returns volatility, skew, the expected move and gamma", async () => {
    const flow = await fixture().ask();
    expect(flow.iv).toMatchObject({
      atm_30d: 0.3,
      rank: null,
      days: 0,
      reason: expect.stringContaining("126"),
    });
    const skew = { put_25d: 0.4, call_25d: 0.28, put_less_atm: 0.1, put_less_call: 0.12 };
    expect(flow.skew).toEqual({ ...skew, reason: null });
    const move = { dollars: 7, percent: 7, low: 93, high: 107 };
    expect(flow.expected_move).toEqual({ expiry: "2026-02-20", days: 30, strike: 100, ...move });
    expect(flow.gamma!.strikes).toEqual([
      { strike: 90, call: 0, put: -1000, net: -1000 },
      { strike: 100, call: 200_000, put: -100_000, net: 100_000 },
      { strike: 110, call: 10_000, put: 0, net: 10_000 },
    ]);
    expect(flow.gamma!.net).toBe(109_000);
    expect(flow.gamma!.sign).toContain("Dealers are assumed to");
  });

  it("ranks volatility among the stored days", async () => {
    expect((await fixture({}, flowDays(200)).ask()).iv).toMatchObject({
      rank: 50.3,
      days: 200,
      reason: null,
    });
  });

  it("lists unusual and most active contracts, and what traded since the older snapshot", async () => {
    const flow = await fixture().ask();
    expect(flow.unusual).toMatchObject({
      count: 1,
      contracts: [{ strike: 110, volume_oi: 6, premium: 60_000 }],
    });
    expect(flow.most_active.map(({ strike, volume }) => [strike, volume])).toEqual([
      [110, 600],
      [100, 400],
      [100, 200],
      [100, 5],
    ]);
    expect(flow.since).toMatchObject({
      from: "2026-01-21T20:30:00.000Z",
      to: "2026-01-21T20:45:00.000Z",
      volume: { call: 503, put: 100 },
      contracts: [
        { strike: 100, volume: 200, premium: 80_000 },
        { premium: 30_000 },
        { premium: 30_000 },
        {},
      ],
      corrected: 0,
    });
  });

  it("returns sides, sweeps and blocks only from a tape, never from a chain", async () => {
    const reason = expect.stringContaining("UNUSUAL_WHALES_TOKEN");
    expect(await fixture().ask()).toMatchObject({
      sweeps: null,
      blocks: null,
      tape: { status: "not_connected", reason, source: null },
    });
    const trades = [
      trade(),
      trade({ sweep: true, trades: 9, type: "put", askPremium: 10_000, bidPremium: 250_000 }),
    ];
    const flowTape = tapeOf(async () => ({ ...taped, trades }));
    expect(await fixture({ flowTape }).ask()).toMatchObject({
      sweeps: {
        count: 1,
        net_put_premium: -240_000,
        net_call_premium: null,
        largest: [{ side: "bid", trades: 9 }],
      },
      derived_from: "chain_snapshot_and_tape",
      blocks: { count: 1, net_call_premium: 230_000, largest: [{ side: "ask", size: 300 }] },
      tape: { status: "covered", source: "tape", reason: null },
    });
  });

  it("stores the totals of the chain, unless it is stale", async () => {
    const { ask, written } = fixture();
    await ask();
    const sums = { callVolume: 1005, putVolume: 200, callPremium: 223_000, putPremium: 60_000 };
    const day = { day: "2026-01-21", at: NOW.getTime(), ...sums, atmIv: 0.3, putIv: 0.4 };
    expect(written).toEqual([["AAPL", day]]);
    const old = fixture({ chains: chainsOf(chain, true) });
    expect(await old.ask()).toMatchObject({
      since: null,
      provenance: { stale: true },
      notes: ["No provider responds; this is the last known chain"],
    });
    expect(old.written).toEqual([]);
  });

  it("filters sums and lists by expiry, and notes when no contract has it", async () => {
    const { ask } = fixture();
    expect(await ask({ symbol: "AAPL", expiry: "2026-03-20" })).toMatchObject({
      contracts: 1,
      volume: { call: 5, put: null },
      iv: { atm_30d: 0.3 },
      notes: [],
    });
    expect(await ask({ symbol: "AAPL", expiry: "2026-03-27" })).toMatchObject({
      contracts: 0,
      volume: { call: null, total: null },
      gamma: null,
      expected_move: null,
      expected_move_reason: "The chain has no contract of this expiry",
      notes: ["No contract of AAPL expires on 2026-03-27; nearest of its 2 expiries: 2026-03-20"],
    });
    const { notes } = await ask({ symbol: "AAPL", expiry: "2020-01-17" });
    expect(notes[0]).toMatch(
      /^No contract of AAPL expires on 2020-01-17; nearest of its 2 expiries: 2026-\d\d-\d\d$/,
    );
  });

  it("lists at most the requested number of contracts", async () => {
    const { ask } = fixture();
    expect((await ask({ symbol: "AAPL", limit: 1 })).most_active).toHaveLength(1);
    expect((await ask({ symbol: "AAPL", limit: 1 })).unusual.count).toBe(1);
  });

  it("has no figures for stocks without options or without a provider, with the reason", async () => {
    expect(await fixture({ chains: chainsOf(chainOf([])) }).ask()).toMatchObject({
      coverage: { status: "not_covered", reason: "No options on AAPL are listed" },
      volume: { total: null },
    });
    expect(await fixture({ chains: smallMarket().ports.chains }).ask()).toMatchObject({
      coverage: { status: "not_connected", reason: expect.stringContaining("MARKET_DATA=live") },
    });
  });

  it("returns null, not 0, for unknown figures", async () => {
    const reason = "Options are read only for US stocks and funds";
    const { volume, derived_from, provenance, coverage, ...flow } = await fixture().ask({
      symbol: "BTC-USD",
    });
    expect({ coverage, derived_from, provenance, total: volume.total }).toEqual({
      coverage: { status: "not_covered", reason },
      derived_from: null,
      provenance: null,
      total: null,
    });
    expect(flow).toMatchObject({
      session: null,
      contracts: null,
      iv: { days: null, reason },
      skew: { reason },
      unusual: { count: null, contracts: [], reason },
      expected_move: null,
      expected_move_reason: reason,
      gamma: null,
      gamma_reason: reason,
      since: null,
      since_reason: reason,
    });
    const { underlying } = chain;
    const priceless = chainsOf({ ...chain, underlying: { ...underlying, price: null } });
    const price = "The chain has no price of the underlying";
    expect(await fixture({ chains: priceless }).ask()).toMatchObject({
      unusual: { count: null, reason: price },
      expected_move_reason: price,
      gamma_reason: price,
      since: null,
      since_reason: "No snapshot at least 10 minutes old is stored",
    });
    const without = (figure: "volume" | "openInterest") =>
      chainsOf({ ...chain, contracts: contracts.map((one) => ({ ...one, [figure]: null })) });
    expect(await fixture({ chains: without("openInterest") }).ask()).toMatchObject({
      unusual: { count: null, reason: "The chain has no open interest" },
      gamma_reason: "No contract has both open interest and gamma or volatility",
    });
    expect(await fixture({ chains: without("volume") }).ask()).toMatchObject({
      unusual: { count: null, reason: "The chain has no volume" },
    });
    const quiet = chainsOf({ ...chain, contracts: contracts.map((one) => ({ ...one, volume: 0 })) });
    expect((await fixture({ chains: quiet }).ask()).unusual).toMatchObject({ count: 0, reason: null });
  });

  it("requests the tape of the session of the volumes, and returns its start", async () => {
    const asked: number[] = [];
    const flowTape = tapeOf(async (_, { from }) => {
      asked.push(from);
      return { ...taped, stale: true };
    });
    const { tape, sweeps } = await fixture({ flowTape }).ask();
    // midnight in New York of the session's date, 2026-01-21
    expect(asked).toEqual([Date.UTC(2026, 0, 21, 5)]);
    expect(tape).toMatchObject({
      from: "2026-01-21T05:00:00.000Z",
      reason: `The tape does not respond now; this is its data of ${stamps.fetchedAt}`,
    });
    expect(sweeps!.count).toBe(0);
  });

  it("returns the figures of the chain while the tape is unavailable", async () => {
    const reason = "No provider answered for option trades of AAPL";
    const flowTape = tapeOf(unavailable(reason));
    expect(await fixture({ flowTape }).ask()).toMatchObject({
      contracts: 5,
      sweeps: null,
      blocks: null,
      provenance: { provider: "fixture" },
      tape: { status: "unavailable", reason, source: null, from: null, until: null },
    });
    const broken = tapeOf(() => Promise.reject(new TypeError("a defect")));
    await expect(fixture({ flowTape: broken }).ask()).rejects.toMatchObject({ code: "INTERNAL" });
  });

  it("returns the tape while no provider of chains answers, and null with the reason for the rest", async () => {
    const reason = "No provider answered for options on AAPL";
    const asked: number[] = [];
    const flowTape = tapeOf(async (_, { from }) => {
      asked.push(from);
      return { ...taped, trades: [trade({ sweep: true }), trade()] };
    });
    const { ask, written } = fixture({ chains: { chain: unavailable(reason) }, flowTape });
    expect(await ask()).toMatchObject({
      as_of: null,
      provenance: null,
      coverage: { status: "unavailable", reason },
      derived_from: "tape",
      session: null,
      contracts: null,
      volume: { call: null, put: null, total: null },
      open_interest: { total: null },
      iv: { atm_30d: null, reason },
      expected_move: null,
      expected_move_reason: reason,
      gamma: null,
      gamma_reason: reason,
      unusual: { count: null, reason },
      since: null,
      since_reason: reason,
      sweeps: { count: 1 },
      blocks: { count: 1 },
      tape: { status: "covered", source: "tape" },
      notes: [],
    });
    // midnight in New York at the start of the newest session
    expect(asked).toEqual([Date.UTC(2026, 0, 15, 5)]);
    expect(written).toEqual([]);
  });

  it("requests the tape of Friday's session on a weekend and before Monday's open", async () => {
    const asked: number[] = [];
    const flowTape = tapeOf(async (_, { from }) => {
      asked.push(from);
      return taped;
    });
    for (const now of ["2026-01-24T17:00:00Z", "2026-01-26T14:29:00Z", "2026-01-26T14:30:00Z"])
      await fixture({
        chains: { chain: unavailable("No chain") },
        flowTape,
        clock: { now: () => new Date(now) },
      }).ask();
    const friday = Date.UTC(2026, 0, 23, 5);
    expect(asked).toEqual([friday, friday, Date.UTC(2026, 0, 26, 5)]);
  });

  it("fails with the chain's error if there is no tape either", async () => {
    const chains = { chain: unavailable("No provider answered for options on AAPL") };
    const expected = { code: "UPSTREAM_UNAVAILABLE", message: "No provider answered for options on AAPL" };
    await expect(fixture({ chains }).ask()).rejects.toMatchObject(expected);
    const flowTape = tapeOf(unavailable("No provider answered for option trades of AAPL"));
    await expect(fixture({ chains, flowTape }).ask()).rejects.toMatchObject(expected);
  });

  it("waits at most 6 seconds for a tape", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const trades: FlowTape["trades"] = (_, { signal }) =>
      new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    const answer = fixture({ flowTape: tapeOf(trades) }).ask();
    await vi.advanceTimersByTimeAsync(6_000);
    expect(await answer).toMatchObject({
      contracts: 5,
      sweeps: null,
      tape: { status: "unavailable", reason: "The tape did not respond in time: retry in a moment" },
    });
  });

  it("returns the complete period of a tape, and what it lacks", async () => {
    const at = Date.parse("2026-01-21T15:00:00Z");
    const told = { completeFrom: at, completeUntil: at + 60_000, notes: ["2 rows are left out"] };
    const flowTape = tapeOf(async () => ({ ...taped, trades: [trade()], ...told }));
    expect((await fixture({ flowTape }).ask()).tape).toMatchObject({
      from: "2026-01-21T15:00:00.000Z",
      until: "2026-01-21T15:01:00.000Z",
      reason: "Complete only since 2026-01-21T15:00:00.000Z. 2 rows are left out",
    });
  });

  it("returns the session of its volumes, on a weekend the last one", async () => {
    const friday = contracts.map((one) => ({ ...one, last: 1, lastTradedAt: "2026-01-23T20:59:00.000Z" }));
    const saturday = chainOf(friday, { asOf: "2026-01-24T17:00:00.000Z" });
    expect(await fixture({ chains: chainsOf(saturday) }).ask()).toMatchObject({
      session: "2026-01-23",
      as_of: "2026-01-24T17:00:00.000Z",
    });
  });

  it("rounds figures", async () => {
    const dusty = [
      option({ volume: 1, bid: 25.529999999998, ask: 25.6, iv: 3.58593853515625, delta: 0.50004 }),
    ];
    expect((await fixture({ chains: chainsOf(chainOf(dusty)) }).ask()).most_active).toMatchObject([
      { bid: 25.53, ask: 25.6, iv: 3.5859, delta: 0.5 },
    ]);
  });

  it("fails when its provider is unavailable, instead of returning an empty list", async () => {
    const asked = fixture({ chains: { chain: unavailable("No source answers") } }).ask();
    await expect(asked).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  });

  it.each([
    [{ symbol: "AAPL", limit: 0 }, "/limit"],
    [{ symbol: "AAPL", limit: 51 }, "/limit"],
    [{ symbol: "AAPL", expiry: "2026-02-30" }, "/expiry"],
    [{}, "/symbol"],
  ])("refuses %j", async (input, pointer) => {
    await expect(fixture().ask(input)).rejects.toMatchObject(invalidField(pointer));
  });

  it("prints the sums, unusual contracts and why there are no sweeps", async () => {
    const answer = await fixture().ask();
    const lines = getOptionsFlow.terminal!(answer, (_, text) => text).split("\n");
    expect(lines.slice(0, 4)).toEqual([
      "AAPL at $100: options volume calls 1,005, puts 200, put/call 0.199.",
      "5 contracts, session 2026-01-21, as of 2026-01-21T20:45:00.000Z, from fixture",
      "open interest  calls 1,107, puts 510, put/call 0.4607",
      "premium (est.) calls $223,000, puts $60,000, put/call 0.2691",
    ]);
    expect(lines).toContain("most active");
    expect(lines[lines.indexOf("most active") - 1]).toBe(
      "  2026-02-20 110 call     600            100  $60,000",
    );
    expect(lines.at(-1)).toMatch(/^sweeps {9}none: No tape/);
    const none = getOptionsFlow.terminal!(await fixture().ask({ symbol: "BTC-USD" }), (_, text) => text);
    const empty = await fixture().ask({ symbol: "AAPL", expiry: "2026-03-27" });
    expect(getOptionsFlow.terminal!(empty, (_, text) => text)).toMatch(
      /No contract of AAPL expires on 2026-03-27; nearest of its 2 expiries: 2026-03-20$/,
    );
    expect(none).toBe("BTC-USD Options are read only for US stocks and funds");
  });
});

toolContract(getOptionsFlow, { ports: fixture().ports });
