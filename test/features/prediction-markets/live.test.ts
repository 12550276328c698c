import { describe, expect, it } from "vitest";
import type {
  ContractProviderAnswer,
  VenueContract,
} from "../../../src/domain/prediction-markets/provider.ts";
import { ProviderFailure } from "../../../src/domain/providers/price-provider.ts";
import { liveContracts } from "../../../src/features/prediction-markets/live.ts";
import { contract } from "../../support/contracts.ts";
import { respondingProvider } from "../../support/providers.ts";
import { movingClock } from "../../support/store.ts";

const MINUTE = 60_000;
const { venue: _, real_money: __, as_of: ___, ...fields } = contract();
const row = (id: string): VenueContract => ({ ...fields, id });

type Way = (text: string) => readonly string[] | ProviderFailure;
/** Venues that return contracts of these ids for a text, or fail. */
function liveVenues(ways: Readonly<Record<string, Way>>) {
  const clock = movingClock(new Date("2026-01-15T15:00:00.000Z"));
  const venues = Object.entries(ways).map(([name, way]) => ({
    name,
    real_money: name !== "play",
    providers: [
      respondingProvider(name, clock, (text: string): ContractProviderAnswer | ProviderFailure => {
        const ids = way(text);
        return ids instanceof ProviderFailure ? ids : { contracts: ids.map(row), dropped: 1 };
      }),
    ],
  }));
  return { clock, contracts: liveContracts({ venues, clock }) };
}
const down = () => new ProviderFailure("down", "so");

describe("prediction markets over live venues", () => {
  it("are requested concurrently, each contract once, with its venue and time", async () => {
    const { contracts } = liveVenues({ one: (text) => [text, "both"], play: () => ["both"] });
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

  it("are limited to the requested venues", async () => {
    const { contracts } = liveVenues({ one: () => ["x"], two: down });
    expect((await contracts.search({ texts: ["a"], venues: ["one"] }))!.coverage).toHaveLength(1);
    expect(contracts.venues()).toEqual([
      { name: "one", real_money: true },
      { name: "two", real_money: true },
    ]);
  });

  it("name the venues that failed next to the answers of the others", async () => {
    const { contracts } = liveVenues({ one: () => [], two: down });
    const reason = "It did not respond or rejected the request";
    expect(await contracts.search({ texts: ["a"] })).toMatchObject({
      contracts: [],
      reason: "The venues that responded list no contracts; two did not respond",
      coverage: [{ state: "answered" }, { venue: "two", state: "failed", reason, fetched_at: null }],
    });
  });

  it("reject if no venue responds", async () => {
    const { contracts } = liveVenues({ one: down, two: down });
    await expect(contracts.search({ texts: ["a"] })).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  });

  it("note that a part of a venue's answers is missing", async () => {
    const { contracts } = liveVenues({ one: (text) => (text === "a" ? ["x"] : down()) });
    expect((await contracts.search({ texts: ["a", "b"] }))!.coverage).toMatchObject([
      { state: "answered", reason: "1 of 2 searches failed", found: 1 },
    ]);
  });

  it("are cached for a minute, and returned as stale for half an hour", async () => {
    let up = true;
    const { clock, contracts } = liveVenues({ one: () => (up ? ["x"] : down()) });
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

  it("return nothing for an earlier moment, without a request", async () => {
    const { clock, contracts } = liveVenues({ one: down });
    const asOf = clock.now().getTime() - 86_400_000;
    expect(await contracts.search({ texts: ["a"], asOf })).toMatchObject({
      contracts: [],
      as_of: "2026-01-14T15:00:00.000Z",
      coverage: [{ state: "not_requested" }],
      reason: "The venues provide only current data",
    });
  });

  it("are null without a venue", async () => {
    expect(await liveVenues({}).contracts.search({ texts: ["a"] })).toBeNull();
  });

  it("end when the caller leaves", async () => {
    const { contracts } = liveVenues({ one: () => ["x"] });
    const leaving = new AbortController();
    leaving.abort(new Error("left"));
    await expect(contracts.search({ texts: ["a"], signal: leaving.signal })).rejects.toThrow("left");
  });
});
