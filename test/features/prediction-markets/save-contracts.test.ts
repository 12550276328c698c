import { describe, expect, it } from "vitest";
import type { ContractSnapshotRepository } from "../../../src/domain/ports.ts";
import type { Contract, LevelSnapshot } from "../../../src/domain/prediction-markets/contracts.ts";
import {
  createContractRepository,
  saveContracts,
} from "../../../src/features/prediction-markets/save-contracts.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { collectingLog } from "../../support/context.ts";
import { contract, fixedContracts, noContractBook } from "../../support/contracts.ts";
import { smallMarket } from "../../support/market.ts";
import { movingClock } from "../../support/store.ts";

/** A book in memory, with venues that tell the present alone. */
function stand(contracts: readonly Contract[] = [contract()], supportsHistory = false) {
  const clock = movingClock();
  const { ports } = smallMarket();
  const { port, requests } = fixedContracts(contracts, null, supportsHistory);
  const rows: LevelSnapshot[] = [];
  const kept: ContractSnapshotRepository = {
    newest: async (_, { since, until }) => rows.findLast(({ at }) => at >= since && at <= until) ?? null,
    oldestSavedAt: async () => rows[0]?.at ?? null,
    save: async (_, snapshot) => void rows.push(snapshot),
  };
  const { log, lines } = collectingLog();
  const { instrument } = ports.symbols.resolve("AAPL");
  const lent = { symbols: ports.symbols, quotes: ports.quotes, contracts: port, clock };
  return {
    instrument,
    clock,
    requests,
    rows,
    kept,
    log,
    lines,
    lent,
    keepWith: { ...lent, contractHistory: kept },
  };
}

describe("keeping contracts", () => {
  it("keeps the liquid bets on the price with the price of the moment", async () => {
    const { instrument, keepWith, rows, lent, clock } = stand([
      contract(),
      contract({ id: "thin", volume_total: 10 }),
      contract({ id: "split", question: "Will AAPL split?" }),
    ]);
    expect(await saveContracts(instrument, keepWith)).toBe(true);
    const { price } = await lent.quotes.latest(instrument);
    const bet = { venue: "acme", id: "c1", kind: "at", level: 140, probability: 0.5, dollars: 100_000 };
    const dates = { by: Date.parse("2026-02-27T21:00:00Z"), at: clock.now().getTime() };
    expect(rows).toEqual([{ at: clock.now().getTime(), price, bets: [{ ...bet, ...dates }], reason: null }]);
  });

  it("asks again after a quarter of an hour", async () => {
    const { instrument, keepWith, clock, requests } = stand();
    await saveContracts(instrument, keepWith);
    clock.pass(15 * 60_000);
    expect(await saveContracts(instrument, keepWith)).toBe(false);
    expect(requests).toHaveLength(1);
    clock.pass(1);
    expect(await saveContracts(instrument, keepWith)).toBe(true);
  });

  it("keeps that there is nothing, with its reason", async () => {
    const reasonOf = async (contracts: readonly Contract[]) => {
      const { instrument, keepWith, rows } = stand(contracts);
      await saveContracts(instrument, keepWith);
      return rows.map(({ bets, price, reason }) => [bets.length, price, reason]);
    };
    expect(await reasonOf([])).toEqual([
      [0, null, "No open prediction market was about one of its price levels"],
    ]);
    expect(await reasonOf([contract({ real_money: false })])).toEqual([
      [0, null, "No linked market on a price level is liquid"],
    ]);
  });

  it("does not take a venue that was not heard for one that lists nothing", async () => {
    const { instrument, keepWith, rows } = stand([]);
    const { contracts } = keepWith;
    const deaf: typeof contracts = {
      ...contracts,
      async search(request) {
        const found = (await contracts.search(request))!;
        return { ...found, coverage: found.coverage.map((one) => ({ ...one, state: "failed" })) };
      },
    };
    expect(await saveContracts(instrument, { ...keepWith, contracts: deaf })).toBe(false);
    expect(rows).toEqual([]);
  });

  it("asks nobody where venues tell the past, or none is connected", async () => {
    const { instrument, keepWith, requests } = stand([contract()], true);
    expect(await saveContracts(instrument, keepWith)).toBe(false);
    const nobody = { ...keepWith.contracts, supportsHistory: false, venues: () => [] };
    expect(await saveContracts(instrument, { ...keepWith, contracts: nobody })).toBe(false);
    expect(requests).toEqual([]);
  });
});

describe("a book that is wanted", () => {
  it("keeps in the background, once at a time, and ends what is under way before it closes", async () => {
    const { instrument, lent, kept, log, requests, rows } = stand();
    const book = createContractRepository({ ...lent, repository: kept, log });
    book.requestSnapshot(instrument);
    book.requestSnapshot(instrument);
    expect(rows).toEqual([]);
    await book.close();
    expect([rows.length, requests.length]).toEqual([1, 1]);
    book.requestSnapshot(instrument);
    await book.close();
    expect(requests).toHaveLength(1);
  });

  it("says nothing of venues that do not answer, and logs what is broken", async () => {
    const { instrument, lent, log, lines } = stand();
    const failing = (cause: Error) => ({
      ...lent.contracts,
      search: async () => {
        throw cause;
      },
    });
    const book = (cause: Error) =>
      createContractRepository({ ...lent, contracts: failing(cause), repository: noContractBook, log });
    for (const cause of [new ToolError("UPSTREAM_UNAVAILABLE", "Nobody answers"), new Error("broken")]) {
      const one = book(cause);
      one.requestSnapshot(instrument);
      await one.close();
    }
    expect(lines.map(({ event }) => event)).toEqual(["contracts_not_kept"]);
  });
});
