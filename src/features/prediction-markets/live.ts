import type { Clock, Contracts } from "../../domain/ports.ts";
import type {
  Contract,
  ContractSearch,
  Venue,
  VenueCoverage,
} from "../../domain/prediction-markets/contracts.ts";
import type { ContractProvider, ContractProviderAnswer } from "../../domain/prediction-markets/provider.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { Guarded } from "../../market/failover/guard.ts";
import { type Resource, resourceOf } from "../../market/failover/resource.ts";

/** A venue with the providers of its contracts, in order of preference. */
export interface LiveVenue extends Venue {
  readonly providers: readonly Guarded<ContractProvider>[];
}

const FRESH_MS = 60_000;
const STALE_MS = 30 * 60_000;

/**
 * Creates the port for prediction markets. Queries all venues concurrently and reports a failed venue next to the
 * results of the others. Covers only the present. Rejects with UPSTREAM_UNAVAILABLE if no venue responds.
 */
export function liveContracts({
  venues,
  clock,
}: {
  readonly venues: readonly LiveVenue[];
  readonly clock: Clock;
}): Contracts {
  const searches = venues.map(({ providers, ...venue }) => ({
    venue,
    search: resourceOf<string, ContractProviderAnswer>({
      providers,
      clock,
      about: () => "prediction markets",
      keyOf: (text) => text.toLowerCase(),
      freshMs: FRESH_MS,
      staleMs: STALE_MS,
    }),
  }));
  const names = searches.map(({ venue }) => venue);
  return {
    venues: () => names,
    missing: names.length === 0 ? "Every prediction market is switched off by PROVIDERS_OFF" : null,
    supportsHistory: false,
    async search({ texts, venues: only, asOf, signal }): Promise<ContractSearch | null> {
      if (searches.length === 0) return null;
      const now = clock.now().getTime();
      const requested = searches.filter(({ venue: { name } }) => only === undefined || only.includes(name));
      const as_of = new Date(asOf ?? now).toISOString();
      if (asOf !== undefined && asOf < now) {
        const reason = "The venues provide only current data";
        const coverage = requested.map(({ venue }) => unavailableVenue(venue, "not_requested", reason));
        return { contracts: [], coverage, stale: false, as_of, reason };
      }
      const responses = await Promise.all(
        requested.map(({ venue, search }) => searchVenue(venue, search, texts, signal)),
      );
      signal?.throwIfAborted();
      if (responses.every(({ coverage: { state } }) => state === "failed"))
        throw new ToolError("UPSTREAM_UNAVAILABLE", "No prediction market responds now", {
          hint: "Retry in a minute.",
          data: { tried: responses.map(({ coverage: { venue } }) => venue) },
        });
      const failed = responses.filter(({ coverage: { state } }) => state === "failed");
      return {
        contracts: responses.flatMap(({ contracts }) => contracts),
        coverage: responses.map(({ coverage }) => coverage),
        stale: responses.some(({ coverage: { state } }) => state === "stale"),
        as_of: new Date(Math.max(now, clock.now().getTime())).toISOString(),
        reason:
          failed.length === 0
            ? null
            : `The venues that responded list no contracts; ${failed.map(({ coverage }) => coverage.venue).join(" and ")} did not respond`,
      };
    },
  };
}

/** Searches one venue for each text; returns the contracts without duplicates. */
async function searchVenue(
  venue: Venue,
  search: Resource<string, ContractProviderAnswer>,
  texts: readonly string[],
  signal: AbortSignal | undefined,
): Promise<{ readonly contracts: readonly Contract[]; readonly coverage: VenueCoverage }> {
  const answers = await Promise.all(
    texts.map((text) =>
      search(text, { signal }).catch((cause: unknown) => {
        if (signal?.aborted || (cause instanceof ToolError && cause.code === "UPSTREAM_UNAVAILABLE"))
          return null;
        throw cause;
      }),
    ),
  );
  const received = answers.filter((answer) => answer !== null);
  const [first] = received;
  if (first === undefined)
    return {
      contracts: [],
      coverage: unavailableVenue(venue, "failed", "It did not respond or rejected the request"),
    };
  const contracts = new Map<string, Contract>();
  for (const { answer, fetchedAt } of received)
    for (const contract of answer.contracts)
      contracts.set(contract.id, {
        venue: venue.name,
        ...contract,
        real_money: venue.real_money,
        as_of: new Date(fetchedAt).toISOString(),
      });
  const missing = answers.length - received.length;
  const stale = received.some((one) => one.stale);
  return {
    contracts: [...contracts.values()],
    coverage: {
      venue: venue.name,
      real_money: venue.real_money,
      state: stale ? "stale" : "answered",
      reason: missing === 0 ? null : `${missing} of ${answers.length} searches failed`,
      source: first.source,
      fetched_at: new Date(Math.min(...received.map(({ fetchedAt }) => fetchedAt))).toISOString(),
      found: contracts.size,
      dropped: received.reduce((all, { answer }) => all + answer.dropped, 0),
    },
  };
}

const unavailableVenue = (
  { name, real_money }: Venue,
  state: "failed" | "not_requested",
  reason: string,
): VenueCoverage => ({
  venue: name,
  real_money,
  state,
  reason,
  source: name,
  fetched_at: null,
  found: null,
  dropped: null,
});
