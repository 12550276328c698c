import { expect } from "vitest";
import type { ContractHistory, Contracts } from "../../src/domain/ports.ts";
import type { Contract, LevelSnapshot } from "../../src/domain/prediction-markets/contracts.ts";
import { ContractRow } from "../../src/domain/prediction-markets/contracts.ts";
import type { ContractProviderAnswer } from "../../src/domain/prediction-markets/provider.ts";
import { NOW } from "./context.ts";

/** An open real-money contract on AAPL; every field can be overridden. */
export const contract = (over: Partial<Contract> = {}): Contract => ({
  venue: "acme",
  id: "c1",
  url: null,
  question: "Will AAPL be above $140 on February 27, 2026?",
  outcome: "Yes",
  probability: 0.5,
  probability_basis: "mid",
  bid: 0.49,
  ask: 0.51,
  spread: 0.02,
  volume_total: 100_000,
  volume_24h: 1_000,
  volume_unit: "USD",
  liquidity: null,
  liquidity_unit: null,
  open_interest: null,
  close_time: "2026-02-27T21:00:00.000Z",
  status: "open",
  real_money: true,
  as_of: "2026-01-15T15:00:00.000Z",
  event: "e1",
  event_title: "AAPL price?",
  strike: null,
  keywords: [],
  ...over,
});

/** Throws unless every contract of a response is plausible. */
export function plausibleContracts({ contracts, dropped }: ContractProviderAnswer): void {
  expect(dropped).toBeGreaterThanOrEqual(0);
  for (const contract of contracts) {
    const row = { venue: "acme", real_money: true, as_of: "2026-01-15T15:00:00.000Z", ...contract };
    expect(ContractRow.safeParse(row).error).toBeUndefined();
    expect(
      `${contract.question}${contract.outcome}${contract.event_title}${contract.keywords.join("")}`,
    ).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect((contract.probability === null) === (contract.probability_basis === null)).toBe(true);
  }
}

/** A port that finds these contracts for any text; `requests` records the texts. */
export function fixedContracts(
  contracts: readonly Contract[],
  reason: string | null = null,
  supportsHistory = true,
) {
  const requests: (readonly string[])[] = [];
  const port: Contracts = {
    missing: null,
    supportsHistory,
    venues: () => [
      { name: "acme", real_money: true },
      { name: "play", real_money: false },
    ],
    async search({ texts, venues, asOf }) {
      requests.push(texts);
      const as_of = new Date(asOf ?? NOW).toISOString();
      const found = contracts.filter(({ venue }) => venues === undefined || venues.includes(venue));
      const head = {
        state: "answered",
        reason: null,
        source: "fixture",
        fetched_at: as_of,
        dropped: 0,
      } as const;
      const coverage = [{ venue: "acme", real_money: true, ...head, found: found.length }];
      return { contracts: found, coverage, stale: false, as_of, reason };
    },
  };
  return { port, requests };
}

/** A repository of these snapshots, oldest first. */
export const contractHistoryOf = (...snapshots: readonly LevelSnapshot[]): ContractHistory => ({
  ...noContractBook,
  newest: async (_, { since, until }) => snapshots.findLast(({ at }) => at >= since && at <= until) ?? null,
  oldestSavedAt: async () => snapshots[0]?.at ?? null,
});

/** A repository that stores nothing. */
export const noContractBook: ContractHistory = {
  newest: async () => null,
  oldestSavedAt: async () => null,
  save: async () => {},
  requestSnapshot: () => {},
};
