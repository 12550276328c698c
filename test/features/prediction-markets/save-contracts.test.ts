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

/** A repository in memory, with venues that cover only the present. */
function memoryRepository(contracts: readonly Contract[] = [contract()], supportsHistory = false) {
  const clock = movingClock();
  const market = smallMarket().ports;
  const { port, requests } = fixedContracts(contracts, null, supportsHistory);
  const rows: LevelSnapshot[] = [];
  const repository: ContractSnapshotRepository = {
    newest: async (_, { since, until }) => rows.findLast(({ at }) => at >= since && at <= until) ?? null,
    oldestSavedAt: async () => rows[0]?.at ?? null,
    save: async (_, snapshot) => void rows.push(snapshot),
  };
  const { log, lines } = collectingLog();
  const { instrument } = market.symbols.resolve("AAPL");
  const ports = { symbols: market.symbols, quotes: market.quotes, contracts: port, clock };
  return {
    instrument,
    clock,
    requests,
    rows,
    repository,
    log,
    lines,
    ports,
    withRepository: { ...ports, contractHistory: repository },
  };
}

describe("saving contracts", () => {
  it("stores the liquid bets on the price with the current price", async () => {
    const { instrument, withRepository, rows, ports, clock } = memoryRepository([
      contract(),
      contract({ id: "thin", volume_total: 10 }),
      contract({ id: "split", question: "Will AAPL split?" }),
    ]);
    expect(await saveContracts(instrument, withRepository)).toBe(true);
    const { price } = await ports.quotes.latest(instrument);
    const bet = { venue: "acme", id: "c1", kind: "at", level: 140, probability: 0.5, dollars: 100_000 };
    const dates = { by: Date.parse("2026-02-27T21:00:00Z"), at: clock.now().getTime() };
    expect(rows).toEqual([{ at: clock.now().getTime(), price, bets: [{ ...bet, ...dates }], reason: null }]);
  });

  it("requests contracts again after a quarter of an hour", async () => {
    const { instrument, withRepository, clock, requests } = memoryRepository();
    await saveContracts(instrument, withRepository);
    clock.pass(15 * 60_000);
    expect(await saveContracts(instrument, withRepository)).toBe(false);
    expect(requests).toHaveLength(1);
    clock.pass(1);
    expect(await saveContracts(instrument, withRepository)).toBe(true);
  });

  it("stores an empty snapshot with its reason", async () => {
    const reasonOf = async (contracts: readonly Contract[]) => {
      const { instrument, withRepository, rows } = memoryRepository(contracts);
      await saveContracts(instrument, withRepository);
      return rows.map(({ bets, price, reason }) => [bets.length, price, reason]);
    };
    expect(await reasonOf([])).toEqual([
      [0, null, "No open prediction market was about one of its price levels"],
    ]);
    expect(await reasonOf([contract({ real_money: false })])).toEqual([
      [0, null, "No linked market on a price level is liquid"],
    ]);
  });

  it("stores nothing if a venue failed", async () => {
    const { instrument, withRepository, rows } = memoryRepository([]);
    const { contracts } = withRepository;
    const failing: typeof contracts = {
      ...contracts,
      async search(request) {
        const found = (await contracts.search(request))!;
        return { ...found, coverage: found.coverage.map((one) => ({ ...one, state: "failed" })) };
      },
    };
    expect(await saveContracts(instrument, { ...withRepository, contracts: failing })).toBe(false);
    expect(rows).toEqual([]);
  });

  it("makes no request if venues cover the past, or none is connected", async () => {
    const { instrument, withRepository, requests } = memoryRepository([contract()], true);
    expect(await saveContracts(instrument, withRepository)).toBe(false);
    const none = { ...withRepository.contracts, supportsHistory: false, venues: () => [] };
    expect(await saveContracts(instrument, { ...withRepository, contracts: none })).toBe(false);
    expect(requests).toEqual([]);
  });
});

describe("a repository of requested contracts", () => {
  it("stores in the background, once at a time, and finishes pending work before it closes", async () => {
    const { instrument, ports, repository, log, requests, rows } = memoryRepository();
    const book = createContractRepository({ ...ports, repository: repository, log });
    book.requestSnapshot(instrument);
    book.requestSnapshot(instrument);
    expect(rows).toEqual([]);
    await book.close();
    expect([rows.length, requests.length]).toEqual([1, 1]);
    book.requestSnapshot(instrument);
    await book.close();
    expect(requests).toHaveLength(1);
  });

  it("logs defects, but not unavailable venues", async () => {
    const { instrument, ports, log, lines } = memoryRepository();
    const failing = (cause: Error) => ({
      ...ports.contracts,
      search: async () => {
        throw cause;
      },
    });
    const openBook = (cause: Error) =>
      createContractRepository({ ...ports, contracts: failing(cause), repository: noContractBook, log });
    for (const cause of [new ToolError("UPSTREAM_UNAVAILABLE", "No venue responds"), new Error("broken")]) {
      const one = openBook(cause);
      one.requestSnapshot(instrument);
      await one.close();
    }
    expect(lines.map(({ event }) => event)).toEqual(["contracts_not_stored"]);
  });
});
