import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { noContracts } from "../../../src/app/providers/not-connected.ts";
import type { Contract } from "../../../src/domain/prediction-markets/contracts.ts";
import { findContracts, findTopicContracts } from "../../../src/features/prediction-markets/contracts-for.ts";
import { readMarkets } from "../../../src/providers/polymarket/contracts.ts";
import { contract, fixedContracts } from "../../support/contracts.ts";
import { directoryOf } from "../../support/market.ts";
import { describeWithData, testData } from "../../support/test-data.ts";

const symbols = directoryOf(["META", "AAPL", "BTC-USD", "V"]);
const meta = symbols.resolve("META").instrument;
const on = (contracts: readonly Contract[], reason: string | null = null) =>
  fixedContracts(contracts, reason);
const ask = (contracts: readonly Contract[], of = meta, options = {}) =>
  findContracts(of, options, { symbols, contracts: on(contracts).port });

describe("the contracts of an instrument", () => {
  it("are requested by name and ticker, with a $ before one or two letters", async () => {
    const { port, requests } = on([]);
    for (const { instrument } of ["META", "BTC", "V"].map((name) => symbols.resolve(name)))
      await findContracts(instrument, {}, { symbols, contracts: port });
    expect(requests).toEqual([
      ["Meta Platforms", "META"],
      ["Bitcoin", "BTC"],
      ["Visa", "$V"],
    ]);
  });

  it("are those about it, highest volume first; similar ones are counted", async () => {
    const row = (id: string, question: string, volume_total: number) =>
      contract({ id, question, volume_total });
    const found = await ask([
      row("small", "Will META hit $700 in March?", 10),
      row("other", "Will Metaplanet buy?", 1e6),
      row("big", "Will Meta split in 2026?", 1e5),
    ]);
    expect(found.contracts.map(({ id }) => id)).toEqual(["big", "small"]);
    expect([found.left_out, found.reason]).toEqual([1, null]);
  });

  it("start with those only on it, regardless of the volume of others", async () => {
    const fund = contract({ id: "fund", question: "Will META beat AAPL in 2026?", volume_total: 1e7 });
    const own = contract({ id: "own", question: "Will META be above $700 on March 27, 2026?" });
    expect((await ask([fund, own])).contracts.map(({ id }) => id)).toEqual(["own", "fund"]);
  });

  it("have a level only when they are only on it", async () => {
    const alone = contract({ question: "Will META be above $700 on March 27, 2026?" });
    const beside = contract({ id: "c2", question: "Will META be above $700 when AAPL is above $300?" });
    const found = await ask([alone, beside]);
    expect(found.levelOf(alone)).toMatchObject({ side: "above", level: 700 });
    expect(found.levelOf(beside)).toBeNull();
  });

  it("can be limited to a topic", async () => {
    const rows = [
      contract({ question: "Will Meta split in 2026?" }),
      contract({ id: "c2", question: "Will Meta hit $700?" }),
    ];
    expect((await ask(rows, meta, { topic: "stock split" })).contracts).toEqual([]);
    expect((await ask(rows, meta, { topic: "split" })).contracts.map(({ id }) => id)).toEqual(["c1"]);
  });

  it("are none with a reason: nothing listed, only similar ones, no response, no venue", async () => {
    const reasonOf = async (contracts: readonly Contract[], sentiment: string | null = null) =>
      (await findContracts(meta, {}, { symbols, contracts: on(contracts, sentiment).port })).reason;
    expect(await reasonOf([])).toBe("The venues that responded list no open contract about META");
    expect(await reasonOf([contract({ question: "Metaplanet?" })])).toBe(
      "The venues that responded list no contract about META, only similar ones",
    );
    expect(await reasonOf([], "Two did not answer")).toBe("Two did not answer");
    const none = await findContracts(meta, {}, { symbols, contracts: noContracts });
    expect([none.contracts, none.reason]).toEqual([[], noContracts.missing]);
  });
});

describe("the contracts on topics", () => {
  it("start with those closest to a topic", async () => {
    const rows = [
      contract({ id: "half", question: "Will the Fed raise its rate?", volume_total: 1e6 }),
      contract({ id: "all", question: "Will the Fed cut its rate?", volume_total: 1e3 }),
      contract({ id: "none", question: "Who wins the House?" }),
    ];
    const found = await findTopicContracts(["Fed rate cut"], {}, { contracts: on(rows).port });
    expect(found.contracts.map(({ id }) => id)).toEqual(["all", "half"]);
    expect(found.left_out).toBe(1);
  });
});

describeWithData("recorded searches", ["fixtures", "polymarket"], () => {
  const recorded = (name: string): readonly Contract[] => {
    const file = testData("fixtures", "polymarket", `public-search_or_event_2026-08_poly_${name}.json`)!;
    const { contracts } = readMarkets(JSON.parse(readFileSync(file, "utf8")));
    const rest = { venue: "acme", real_money: true, as_of: "2026-08-18T22:52:00.000Z" };
    return contracts.map((one) => ({ ...rest, ...one }));
  };

  it("for META return two ladders, each rung with a level of its price", async () => {
    const rows = recorded("search_meta");
    const found = await ask(rows);
    expect([found.contracts.length, found.left_out]).toEqual([20, 0]);
    const levels = found.contracts.map((one) => found.levelOf(one));
    expect(levels.every((level) => level?.kind === "touch")).toBe(true);
    const below = levels.filter((level) => level!.side === "below").map((level) => level!.level);
    expect(below.sort()).toEqual([460, 480, 500, 520, 530, 540, 540]);
    const days = new Set(levels.map((level) => new Date(level!.by!).toISOString()));
    expect([...days].sort()).toEqual(["2026-08-21T20:00:00.000Z", "2026-09-01T03:59:59.999Z"]);
  });

  it("for a rate cut return the open contracts of one event, and none for a symbol", async () => {
    const rows = recorded("search_polluted");
    const found = await findTopicContracts(["Fed rate cut"], {}, { contracts: on(rows).port });
    expect(found.contracts.map(({ question }) => question)).toEqual([
      "Fed rate cut by December 2026 meeting?",
      "Fed rate cut by September 2026 meeting?",
      "Fed rate cut by October 2026 meeting?",
    ]);
    expect(await ask(rows)).toMatchObject({ contracts: [], left_out: 3 });
  });
});
