import type { Levels } from "../../analytics/levels/levels.ts";
import { type Consensus, consensus } from "../../analytics/score/consensus.ts";
import type { Timeframe } from "../../domain/market/bars.ts";
import type { Resolution } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { withAlternativesHint } from "./alternatives-hint.ts";
import type { FactPorts } from "./facts.ts";
import { type Gathered, type GatherPorts, gather } from "./gather.ts";
import { inputsHash } from "./inputs-hash.ts";
import { pastMoment } from "./moment.ts";
import { type Structure, structureOf } from "./structure.ts";
import { withFacts } from "./with-facts.ts";

export interface PictureRequest {
  /** As typed. */
  readonly symbol: string;
  readonly timeframe: Timeframe;
  /** ISO date or time to look back from; now when undefined. */
  readonly as_of?: string | undefined;
  readonly signal: AbortSignal;
}
/** Ports required to build a picture. */
export const PICTURE_NEEDS = [
  "symbols",
  "bars",
  "prints",
  "clock",
  "cache",
  "market",
  "news",
  "offExchange",
  "contracts",
  "contractHistory",
  "flowDays",
  "chains",
] as const satisfies readonly (keyof PicturePorts)[];
export type PicturePorts = GatherPorts & FactPorts & Pick<Ports, "clock">;

/** The whole picture of one symbol at one moment; tools, the engine and agents read it and compute nothing again. */
export interface Picture extends Gathered {
  readonly resolution: Resolution;
  readonly timeframe: Timeframe;
  /** Requested moment, epoch ms. */
  readonly askedFor: number;
  readonly consensus: Consensus & { readonly levels: Levels; readonly levels_basis: "signal" | "watch" };
  /** What market structure the same bars show; no part of the score. */
  readonly structure: Structure;
  /** Names every number the consensus read: the same hash and model version give the same signal. */
  readonly inputsHash: string;
}

/**
 * Resolves, gathers and computes. Rejects with UNKNOWN_SYMBOL, with NOT_ENOUGH_DATA where there are too few bars for
 * levels, and with INVALID_INPUT for a moment in the future.
 */
export async function pictureOf(request: PictureRequest, ports: PicturePorts): Promise<Picture> {
  const { symbol, timeframe, as_of, signal } = request;
  const now = ports.clock.now();
  const asOf = as_of === undefined ? undefined : pastMoment(as_of, now);
  const resolution = ports.symbols.resolve(symbol);
  const { instrument } = resolution;
  const fromBars = await withAlternativesHint(resolution, ports.symbols, () =>
    gather(instrument, { timeframe, signal, ...(asOf !== undefined && { asOf }) }, ports),
  );
  const gathered = await withFacts(instrument, fromBars, signal, ports);
  if (as_of === undefined) ports.contractHistory.requestSnapshot(instrument);
  const whole = consensus(gathered.input);
  const { levels, levels_basis, levels_reason } = whole;
  if (levels === null || levels_basis === null)
    throw new ToolError("NOT_ENOUGH_DATA", `No levels for ${instrument.symbol}: ${levels_reason}`, {
      hint: "Ask for another timeframe or another symbol.",
      data: { symbol: instrument.symbol, have: whole.bars },
    });
  return {
    ...gathered,
    resolution,
    timeframe,
    askedFor: asOf ?? now.getTime(),
    consensus: { ...whole, levels, levels_basis },
    structure: structureOf(gathered.input.bars),
    inputsHash: inputsHash(gathered.input),
  };
}
