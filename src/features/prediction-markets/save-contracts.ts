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

/** What was kept so recently need not be asked for again. */
const RECENT_MS = 15 * 60_000;
/** How long what is under way may take when all ends. */
const SHUTDOWN_MS = 2_000;

export type SaveContractPorts = Pick<Ports, "symbols" | "contracts" | "quotes" | "clock"> & {
  readonly contractHistory: ContractSnapshotRepository;
};

/**
 * Asks the venues for one instrument and keeps the bets on its price with the price of the moment; false where something was kept
 * within a quarter of an hour, where venues are asked of the past themselves, and where there is nothing to keep. Rejects as the
 * venues and quotes do.
 */
export async function saveContracts(
  instrument: Instrument,
  ports: SaveContractPorts,
  options: CallOptions = {},
): Promise<boolean> {
  const { contracts, contractHistory, quotes, clock } = ports;
  if (contracts.tellsPast || contracts.venues().length === 0) return false;
  const now = clock.now().getTime();
  const recent = { since: now - RECENT_MS, until: now };
  if ((await contractHistory.newest(instrument.symbol, recent)) !== null) return false;
  const found = await findContracts(instrument, options, ports);
  const linked = found.contracts.filter((contract) => found.levelOf(contract) !== null);
  const { bets, reason } = levelBetsOf(linked, clock.now().getTime());
  const failed = found.coverage.some(({ state }) => state === "failed");
  // that nothing is listed is known where everybody was heard
  if (bets.length === 0 && (failed || found.coverage.length === 0)) return false;
  const price = bets.length === 0 ? null : (await quotes.latest(instrument, options)).price;
  await contractHistory.save(instrument.symbol, {
    at: clock.now().getTime(),
    price,
    bets,
    reason: linked.length === 0 ? "No prediction market on a price level of it was open" : reason,
  });
  return true;
}

/** A book whose contracts are kept in the background when somebody wants them, until it is closed. */
export function createContractRepository({
  kept,
  log,
  ...ports
}: Omit<SaveContractPorts, "contractHistory"> & {
  readonly kept: ContractSnapshotRepository;
  readonly log: Log;
}): ContractHistory & {
  close(): Promise<void>;
} {
  const stop = new AbortController();
  const underWay = new Map<string, Promise<void>>();
  return {
    ...kept,
    wanted(instrument) {
      const { symbol } = instrument;
      if (stop.signal.aborted || underWay.has(symbol)) return;
      const keeping = saveContracts(instrument, { ...ports, contractHistory: kept }, { signal: stop.signal })
        .catch((cause: unknown) => {
          // a venue that does not answer is no event
          if (!stop.signal.aborted && !(cause instanceof ToolError))
            log.warn("contracts_not_kept", { symbol, cause });
        })
        .then(() => void underWay.delete(symbol));
      underWay.set(symbol, keeping);
    },
    async close() {
      const patience = AbortSignal.timeout(SHUTDOWN_MS);
      patience.addEventListener("abort", () => stop.abort(), { once: true });
      await Promise.all(underWay.values());
      stop.abort();
    },
  };
}
