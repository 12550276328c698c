import { marketFact } from "../../analytics/contracts/market-fact.ts";
import type { Instrument } from "../../domain/market.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { CallOptions, Ports } from "../../ports/index.ts";
import type { FoundContracts } from "./contracts-for.ts";

/** Daily closes that the volatility is taken over, and one before them. */
const BARS = 64;

/** The driver k_mkt of one instrument; null with a reason where no contract tells. */
export interface MarketDriver {
  readonly value: number | null;
  readonly reason: string | null;
  readonly inputs: Readonly<Record<string, number | string | null>>;
}

/** Reads k_mkt at the moment of the contracts, from the price of that moment and the volatility of the days before it. */
export async function marketDriver(
  instrument: Instrument,
  found: FoundContracts,
  { asOf, signal }: CallOptions & { readonly asOf?: number },
  ports: Pick<Ports, "bars" | "quotes">,
): Promise<MarketDriver> {
  const none = (reason: string): MarketDriver => ({ value: null, reason, inputs: {} });
  const linked = found.contracts.filter((contract) => found.levelOf(contract) !== null);
  if (linked.length === 0) return none(found.reason ?? "No linked market is on a price level");
  const at = Date.parse(found.as_of);
  const lent = signal === undefined ? {} : { signal };
  try {
    const daily = await ports.bars.history(instrument, { ...lent, timeframe: "1d", limit: BARS, asOf: at });
    const hour =
      asOf === undefined
        ? null
        : await ports.bars.history(instrument, { ...lent, timeframe: "1h", limit: 1, asOf });
    const price =
      asOf === undefined ? (await ports.quotes.latest(instrument, lent)).price : hour!.bars.close.at(-1);
    const told = marketFact(linked, { bars: daily.bars, at, ...(price !== undefined && { price }) });
    return told.fact === null
      ? none(told.reason)
      : { value: told.fact.value, reason: null, inputs: told.fact.inputs };
  } catch (cause) {
    if (cause instanceof ToolError && cause.code !== "INTERNAL" && cause.code !== "CANCELLED")
      return none("There is no price or no bars to weigh the level against");
    throw cause;
  }
}
