import { betFact, marketFact } from "../../analytics/contracts/market-fact.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { CallOptions, Ports } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { FoundContracts } from "./contracts-for.ts";
import { lastSnapshot } from "./last-snapshot.ts";

/** Number of daily bars for the volatility: 63 returns and the close before them. */
const BARS = 64;

type DriverPorts = Pick<Ports, "bars" | "quotes" | "contracts" | "contractHistory">;

/**
 * Computes the driver k_mkt at the time of the contracts, from the price at that time and the volatility of the days
 * before; its value is null with a reason if no contract qualifies. For a past time that venues do not cover, uses the
 * stored snapshot, like a signal of that time.
 */
export async function readMarketDriver(
  instrument: Instrument,
  found: FoundContracts,
  { asOf, signal }: CallOptions & { readonly asOf?: number },
  ports: DriverPorts,
) {
  const in_signal = await describeSignalUse(instrument, ports);
  const none = (reason: string) => ({ value: null, reason, in_signal, inputs: {} });
  const daily = async (at: number) =>
    (await ports.bars.history(instrument, { signal, timeframe: "1d", limit: BARS, asOf: at })).bars;
  const latestPrice = async () => (await ports.quotes.latest(instrument, { signal })).price;
  const priceAt = async (asOf: number) =>
    (await ports.bars.history(instrument, { signal, timeframe: "1h", limit: 1, asOf })).bars.close.at(-1);
  async function readFact() {
    if (asOf !== undefined && !ports.contracts.supportsHistory && ports.contracts.venues().length > 0) {
      const { snapshot, reason } = await lastSnapshot(instrument.symbol, asOf, ports.contractHistory);
      if (snapshot === null || snapshot.price === null) return { fact: null, reason };
      return betFact(snapshot.bets, { bars: await daily(asOf), at: snapshot.at, price: snapshot.price });
    }
    const linked = found.contracts.filter((contract) => found.levelOf(contract) !== null);
    if (linked.length === 0)
      return { fact: null, reason: found.reason ?? "No linked market is on a price level" };
    const at = Date.parse(found.as_of);
    const price = asOf === undefined ? await latestPrice() : await priceAt(asOf);
    return marketFact(linked, { bars: await daily(at), at, ...(price !== undefined && { price }) });
  }
  try {
    const { fact, reason } = await readFact();
    return fact === null ? none(reason) : { value: fact.value, reason: null, in_signal, inputs: fact.inputs };
  } catch (cause) {
    if (cause instanceof ToolError && cause.code !== "INTERNAL" && cause.code !== "CANCELLED")
      return none("No price or bars to compare the level with");
    throw cause;
  }
}

/** Describes how a signal uses k_mkt in this market. */
async function describeSignalUse(
  { symbol }: Instrument,
  { contracts, contractHistory }: Pick<DriverPorts, "contracts" | "contractHistory">,
): Promise<string> {
  if (contracts.venues().length === 0) return "Not read: no prediction market is connected";
  if (contracts.supportsHistory) return "Read as of the close of the decision bar";
  const first = await contractHistory.oldestSavedAt(symbol);
  const since = first === null ? "from now on" : `since ${new Date(first).toISOString().slice(0, 16)}Z`;
  return `A signal reads the newest snapshot stored within the day before its close, not this response; ${symbol} is stored ${since}`;
}
