import type { Levels } from "../../analytics/levels/levels.ts";
import type { Consensus } from "../../analytics/score/consensus.ts";
import type { Timeframe } from "../../domain/market/bars.ts";
import type { Instrument, Resolution } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import type { InputState } from "../../domain/track-record/track-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { isBusy, yieldToEventLoop } from "../../lib/event-loop.ts";
import { type FactPorts, readFacts } from "./facts.ts";
import { type Gathered, type GatherPorts, gather } from "./gather.ts";
import { inputStates } from "./input-states.ts";
import { digestOnce, inputsHash } from "./inputs-hash.ts";
import { withAlternativesHint } from "./missing-data.ts";
import { requestedTime } from "./past-time.ts";
import { type ComputedPicture, pictureTask } from "./picture-task.ts";
import { seriesOrNull } from "./series.ts";

/** Number of daily bars read for the facts on other timeframes. */
const FACT_DAYS = 64;

const digest = digestOnce();

export interface PictureRequest {
  /** Name or ticker as the user typed it. */
  readonly symbol: string;
  readonly timeframe: Timeframe;
  /** ISO date or time after which nothing is read. Default: now. */
  readonly as_of?: string | undefined;
  readonly signal: AbortSignal;
}
export const PICTURE_PORTS = [
  "symbols",
  "bars",
  "prints",
  "clock",
  "cache",
  "market",
  "engineRuns",
  "news",
  "offExchange",
  "contracts",
  "contractHistory",
  "flowDays",
  "chains",
  "compute",
] as const satisfies readonly (keyof PicturePorts)[];
export type PicturePorts = GatherPorts & FactPorts & Pick<Ports, "clock" | "compute">;

/** Signal, structure and inputs of one symbol at one time. */
export interface Picture extends Gathered, ComputedPicture {
  readonly resolution: Resolution;
  readonly timeframe: Timeframe;
  /** Requested time, epoch ms. */
  readonly requestedAt: number;
  readonly consensus: Consensus & { readonly levels: Levels; readonly levels_basis: "signal" | "watch" };
  /** Hash of every number that the consensus read: the same hash and model version give the same signal. */
  readonly inputsHash: string;
  /** The inputs that it had. */
  readonly inputs: readonly InputState[];
}

/**
 * Resolves the symbol, reads the inputs and computes the signal. Rejects with UNKNOWN_SYMBOL, with NOT_ENOUGH_DATA if
 * there are too few bars for levels, and with INVALID_INPUT for a future time.
 */
export async function pictureOf(request: PictureRequest, ports: PicturePorts): Promise<Picture> {
  const { symbol, timeframe, as_of, signal } = request;
  if (isBusy()) await yieldToEventLoop();
  const now = ports.clock.now();
  const requestedAt = requestedTime(as_of, now);
  const resolution = ports.symbols.resolve(symbol);
  const { instrument } = resolution;
  const fromBars = await withAlternativesHint(resolution, ports.symbols, () =>
    gather(instrument, { timeframe, signal, ...(as_of !== undefined && { asOf: requestedAt }) }, ports),
  );
  const gathered = await withFacts(instrument, fromBars, signal, ports);
  if (as_of === undefined) ports.contractHistory.requestSnapshot(instrument);
  const hash = inputsHash(gathered.input, digest);
  const computed = await ports.compute.run(
    pictureTask,
    { input: gathered.input, symbol: instrument.symbol, hash },
    { signal },
  );
  const { levels, levels_basis, levels_reason, bars } = computed.consensus;
  if (levels === null || levels_basis === null)
    throw new ToolError("NOT_ENOUGH_DATA", `No levels for ${instrument.symbol}: ${levels_reason}`, {
      hint: "Request another timeframe or symbol.",
      data: { symbol: instrument.symbol, available: bars },
    });
  return {
    ...gathered,
    resolution,
    timeframe,
    requestedAt,
    inputsHash: hash,
    inputs: inputStates(gathered, digest),
    ...computed,
    consensus: { ...computed.consensus, levels, levels_basis },
  };
}

/** Adds the facts known at the close of the decision bar to gathered bars. */
export async function withFacts(
  instrument: Instrument,
  gathered: Gathered,
  signal: AbortSignal,
  ports: FactPorts & Pick<Ports, "bars">,
): Promise<Gathered> {
  const { input, decidedAt, printsGap, printsReach } = gathered;
  const { bars, prints = null, printsSource } = input;
  const at = Date.parse(decidedAt);
  const request = { timeframe: "1d", limit: FACT_DAYS, asOf: at, signal } as const;
  const daily = bars.timeframe === "1d" ? bars : (await seriesOrNull(ports.bars, instrument, request))?.bars;
  if (daily === undefined) return gathered;
  const price = bars.close.at(-1)!;
  if (isBusy()) await yieldToEventLoop();
  const { facts, missingReasons } = await readFacts(
    instrument,
    { at, bars: daily, prints, printsSource, printsGap, printsReach, price, signal },
    ports,
  );
  const known = Object.keys(facts).length > 0;
  return { ...gathered, input: { ...input, missingReasons, ...(known && { facts }) } };
}
