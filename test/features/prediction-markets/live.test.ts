import { describe, expect, it } from "vitest";
import type {
  ContractProviderAnswer,
  VenueContract,
} from "../../../src/domain/prediction-markets/provider.ts";
import { ProviderFailure } from "../../../src/domain/providers/price-provider.ts";
import { liveContracts } from "../../../src/features/prediction-markets/live.ts";
import { guard } from "../../../src/market/failover/guard.ts";
import { contract } from "../../support/contracts.ts";
import { movingClock } from "../../support/store.ts";

const MINUTE = 60_000;
const { venue: _, real_money: __, as_of: ___, ...told } = contract();
const row = (id: string): VenueContract => ({ ...told, id });

type Way = (text: string) => readonly string[] | ProviderFailure;
/** Venues that give contracts of these names for a text, or fail. */
function stand(ways: Readonly<Record<string, Way>>) {
  const clock = movingClock(new Date("2026-01-15T15:00:00.000Z"));
  const venues = Object.entries(ways).map(([name, way]) => ({
    name,
    real_money: name !== "play",
    providers: [
      guard(
        () => ({
          name,
          budget: { calls: 100, perMs: MINUTE, atOnce: 4 },
          call: async (text: string): Promise<ContractProviderAnswer> => {
            const answer = way(text);
            if (answer instanceof ProviderFailure) throw answer;
            return { contracts: answer.map(row), dropped: 1 };
          },
        }),
        { fetch, clock },
      ),
    ],
  }));
  return { clock, contracts: liveContracts({ venues, clock }) };
}
const down = () => new ProviderFailure("down", "so");

describe("prediction markets over live venues", () => {
  it("are asked together, each contract once, with who told it and when", async () => {
    const { contracts } = stand({ one: (text) => [text, "both"], play: () => ["both"] });
    const answer = await contracts.search({ texts: ["a", "b"] });
    expect(answer!.contracts.map(({ venue, id, real_money }) => [venue, id, real_money])).toEqual([
      ["one", "a", true],
      ["one", "both", true],
      ["one", "b", true],
      ["play", "both", false],
    ]);
    expect(answer!.contracts[0]!.as_of).toBe("2026-01-15T15:00:00.000Z");
    expect(answer).toMatchObject({ stale: false, reason: null, as_of: "2026-01-15T15:00:00.000Z" });
    expect(answer!.coverage).toMatchObject([
      { venue: "one", state: "answered", reason: null, source: "one", found: 3, dropped: 2 },
      { venue: "play", state: "answered", found: 1 },
    ]);
  });

  it("are those that were asked for alone", async () => {
    const { contracts } = stand({ one: () => ["x"], two: down });
    expect((await contracts.search({ texts: ["a"], venues: ["one"] }))!.coverage).toHaveLength(1);
    expect(contracts.venues()).toEqual([
      { name: "one", real_money: true },
      { name: "two", real_money: true },
    ]);
  });

  it("say who did not answer beside what the others tell, never an empty list for an outage", async () => {
    const { contracts } = stand({ one: () => [], two: down });
    expect(await contracts.search({ texts: ["a"] })).toMatchObject({
      contracts: [],
      reason: "The venues that answered list nothing; two did not answer",
      coverage: [
        { state: "answered" },
        { venue: "two", state: "failed", reason: "It did not answer, or refused", fetched_at: null },
      ],
    });
  });

  it("reject where nobody answers", async () => {
    const { contracts } = stand({ one: down, two: down });
    await expect(contracts.search({ texts: ["a"] })).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  });

  it("say that a part of a venue's answers is missing", async () => {
    const { contracts } = stand({ one: (text) => (text === "a" ? ["x"] : down()) });
    expect((await contracts.search({ texts: ["a", "b"] }))!.coverage).toMatchObject([
      { state: "answered", reason: "1 of 2 searches were not answered", found: 1 },
    ]);
  });

  it("keep an answer for a minute, and stand it in, as stale, for half an hour", async () => {
    let up = true;
    const { clock, contracts } = stand({ one: () => (up ? ["x"] : down()) });
    await contracts.search({ texts: ["a"] });
    up = false;
    clock.pass(MINUTE - 1);
    expect(await contracts.search({ texts: ["A"] })).toMatchObject({ stale: false });
    clock.pass(MINUTE);
    const later = await contracts.search({ texts: ["a"] });
    expect(later).toMatchObject({ stale: true, coverage: [{ state: "stale" }] });
    expect(later!.contracts[0]!.as_of).toBe("2026-01-15T15:00:00.000Z");
    clock.pass(30 * MINUTE);
    await expect(contracts.search({ texts: ["a"] })).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  });

  it("tell nothing of an earlier moment, and ask nobody about it", async () => {
    const { clock, contracts } = stand({ one: down });
    const asOf = clock.now().getTime() - 86_400_000;
    expect(await contracts.search({ texts: ["a"], asOf })).toMatchObject({
      contracts: [],
      as_of: "2026-01-14T15:00:00.000Z",
      coverage: [{ state: "not_asked" }],
      reason: "The venues provide only current data",
    });
  });

  it("are null where none is connected", async () => {
    expect(await stand({}).contracts.search({ texts: ["a"] })).toBeNull();
  });

  it("end when the caller leaves", async () => {
    const { contracts } = stand({ one: () => ["x"] });
    const leaving = new AbortController();
    leaving.abort(new Error("left"));
    await expect(contracts.search({ texts: ["a"], signal: leaving.signal })).rejects.toThrow("left");
  });
});
