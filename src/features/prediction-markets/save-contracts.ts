import { levelBetsOf } from "../../analytics/contracts/market-fact.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type {
  CallOptions,
  ContractHistory,
  ContractSnapshotRepository,
  Log,
  Ports,
} from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { findContracts } from "./contracts-for.ts";

/** Age below which a stored snapshot is not replaced, ms. */
const RECENT_MS = 15 * 60_000;
/** Maximum time for pending work at shutdown, ms. */
const SHUTDOWN_MS = 2_000;

export type SaveContractPorts = Pick<Ports, "symbols" | "contracts" | "quotes" | "clock"> & {
  readonly contractHistory: ContractSnapshotRepository;
};

/**
 * Fetches the contracts of one instrument and stores the bets on its price with the current price. Returns false if a
 * snapshot is less than 15 minutes old, if the venues provide their own history, or if there is nothing to store.
 * Rejects if venues or quotes fail.
 */
export async function saveContracts(
  instrument: Instrument,
  ports: SaveContractPorts,
  options: CallOptions = {},
): Promise<boolean> {
  const { contracts, contractHistory, quotes, clock } = ports;
  if (contracts.supportsHistory || contracts.venues().length === 0) return false;
  const now = clock.now().getTime();
  const recent = { since: now - RECENT_MS, until: now };
  if ((await contractHistory.newest(instrument.symbol, recent)) !== null) return false;
  const found = await findContracts(instrument, options, ports);
  const linked = found.contracts.filter((contract) => found.levelOf(contract) !== null);
  const { bets, reason } = levelBetsOf(linked, clock.now().getTime());
  const failed = found.coverage.some(({ state }) => state === "failed");
  // without bets, an empty snapshot is stored only if every venue responded
  if (bets.length === 0 && (failed || found.coverage.length === 0)) return false;
  const price = bets.length === 0 ? null : (await quotes.latest(instrument, options)).price;
  await contractHistory.save(instrument.symbol, {
    at: clock.now().getTime(),
    price,
    bets,
    reason: linked.length === 0 ? "No open prediction market was about one of its price levels" : reason,
  });
  return true;
}

/** Creates a repository that also stores requested contracts in the background until it is closed. */
export function createContractRepository({
  repository,
  log,
  ...ports
}: Omit<SaveContractPorts, "contractHistory"> & {
  readonly repository: ContractSnapshotRepository;
  readonly log: Log;
}): ContractHistory & { close(): Promise<void> } {
  const stop = new AbortController();
  const underWay = new Map<string, Promise<void>>();
  return {
    ...repository,
    requestSnapshot(instrument) {
      const { symbol } = instrument;
      if (stop.signal.aborted || underWay.has(symbol)) return;
      const { signal } = stop;
      const saving = saveContracts(instrument, { ...ports, contractHistory: repository }, { signal })
        .catch((cause: unknown) => {
          // the unavailability of a venue is not logged
          if (!stop.signal.aborted && !(cause instanceof ToolError))
            log.warn("contracts_not_stored", { symbol, cause });
        })
        .then(() => void underWay.delete(symbol));
      underWay.set(symbol, saving);
    },
    async close() {
      const timer = setTimeout(() => stop.abort(), SHUTDOWN_MS);
      await Promise.all(underWay.values());
      clearTimeout(timer);
      stop.abort();
    },
  };
}
