import type { EngineRow, EngineRun } from "../../src/domain/nightly/engine.ts";
import type { EngineRuns } from "../../src/domain/ports.ts";
import { outcomeOf, subjectOf } from "../../src/features/nightly/engine-row.ts";
import { type GatherPorts, gather } from "../../src/features/signal/gather.ts";

/** The results of a run over all symbols of a market as of now. */
export async function engineRunOver(ports: GatherPorts, over: Partial<EngineRun> = {}): Promise<EngineRun> {
  const members = ports.symbols.members();
  const { signal } = new AbortController();
  const outcomes = await Promise.all(
    members.map(async (member) =>
      outcomeOf(subjectOf(member, await gather(member, { timeframe: "1d", signal }, ports))),
    ),
  );
  return {
    run_id: "00000000-0000-4000-8000-00000000000a",
    universe: "all",
    members: members.map(({ symbol }) => symbol).sort(),
    universe_hash: "0123456789abcdef",
    timeframe: "1d",
    as_of: "2026-01-15T00:00:00.000Z",
    started_at: "2026-01-15T00:10:00.000Z",
    runAt: "2026-01-15T00:11:00.000Z",
    model_version: "consensus-1.2.0",
    content: null,
    rows: outcomes.flatMap(({ row }) => row ?? []),
    failures: outcomes.flatMap(({ failure }) => failure ?? []),
    index: null,
    ...over,
  };
}

/** Engine results from these runs: of stocks and funds, and of crypto. */
export const runsOf = (run: EngineRun | null): EngineRuns => ({
  latest: async () => null,
  newest: async (_, kind) => {
    if (run === null) return null;
    const isKind = ({ asset_class }: Pick<EngineRow, "asset_class">) =>
      (asset_class === "crypto") === (kind === "crypto");
    return { ...run, rows: run.rows.filter(isKind), failures: kind === "stocks" ? run.failures : [] };
  },
  unfinished: async () => null,
  recent: async () => [],
  ranks: async () => null,
});

/** A market in which no run was made. */
export const noRuns = runsOf(null);
