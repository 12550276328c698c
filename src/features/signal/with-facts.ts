import type { Instrument } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import { type FactPorts, readFacts } from "./facts.ts";
import type { Gathered } from "./gather.ts";
import { seriesOrNull } from "./series.ts";

/** Number of daily bars read for the facts on other timeframes. */
const DAYS = 64;

/** Adds the facts known at the close of the decision bar to gathered bars. */
export async function withFacts(
  instrument: Instrument,
  gathered: Gathered,
  signal: AbortSignal,
  ports: FactPorts & Pick<Ports, "bars">,
): Promise<Gathered> {
  const { input, decidedAt } = gathered;
  const at = Date.parse(decidedAt);
  const daily =
    input.bars.timeframe === "1d"
      ? input.bars
      : (await seriesOrNull(ports.bars, instrument, { timeframe: "1d", limit: DAYS, asOf: at, signal }))
          ?.bars;
  if (daily === undefined) return gathered;
  const { facts, missingReasons } = await readFacts(
    instrument,
    {
      at,
      bars: daily,
      prints: input.prints ?? null,
      printsSource: input.printsSource,
      printsGap: gathered.printsGap,
      printsReach: gathered.printsReach,
      price: input.bars.close.at(-1)!,
      signal,
    },
    ports,
  );
  const known = Object.keys(facts).length > 0;
  return { ...gathered, input: { ...input, missingReasons, ...(known && { facts }) } };
}
