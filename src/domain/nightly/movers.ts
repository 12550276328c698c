import { z } from "zod";
import { Figure, Iso } from "../answers.ts";
import { Percent, Price, Ratio, Usd } from "../figures.ts";
import { AssetClass } from "../market/market.ts";
import { Direction, Grade } from "../signal/signal.ts";
import { SPANS } from "./engine.ts";
import { RunNote } from "./scan.ts";

export const BASIS = "Closes of the newest nightly run, no live prices";
export const Basis = z.literal(BASIS).prefault(BASIS);

export const SpanName = z.enum(SPANS);

export const MoverRow = z.object({
  symbol: z.string(),
  name: z.string(),
  asset_class: AssetClass,
  sector: z.string().nullable(),
  close: Price,
  change_percent: Percent.nullable().describe("Change of the close over `period`"),
  volume: Figure.describe("Of the last session as the provider reports it, in shares or coins"),
  dollar_volume: Usd.nullable().describe("Volume times close, US dollars"),
  volume_ratio: Ratio.nullable().describe("Volume over the mean of the 20 sessions before"),
  bias: Direction,
  grade: Grade.nullable(),
});
export type MoverRow = z.infer<typeof MoverRow>;

/** Closes that the figures of a run refer to, and how many of its members they cover. */
export const RunCoverage = z.object({
  closes: z
    .object({ stocks: Iso.nullable(), crypto: Iso.nullable() })
    .describe("The close that the figures refer to; null: not read"),
  members: z.number().int().describe("Members of the run that match the filters"),
  compared: z.number().int().describe("Members with the figures compared"),
  older: z.number().int().describe("Members left out, because their newest bar is older than the close"),
  incomplete: z.number().int().describe("Members left out, because a figure is missing"),
});
export type RunCoverage = z.infer<typeof RunCoverage>;

const Change = Percent.nullable();
const Changes = z.object({ "1d": Change, "5d": Change, "20d": Change, "60d": Change });
const Member = z.object({ symbol: z.string(), change_percent: Percent }).nullable();

export const SectorFigures = z.object({
  members: z.number().int(),
  returns: Changes.describe("Percent over sessions: mean of the members' returns, equally weighted"),
  above_sma_50_percent: Percent.nullable().describe("Of members"),
  up: z.number().int().describe("Over `period`"),
  down: z.number().int(),
});
export const SectorRow = z.object({
  sector: z.string().describe("GICS sector"),
  ...SectorFigures.shape,
  leader: Member.describe("Member with the highest return over `period`"),
  laggard: Member.describe("Member with the lowest return over `period`"),
});
export type SectorFigures = z.infer<typeof SectorFigures>;
export type SectorRow = z.infer<typeof SectorRow>;

/** What both answers state about the runs that they were read from. */
export const RunBasis = z.object({
  basis: Basis,
  coverage: RunCoverage,
  runs: z.array(RunNote).describe("Runs that the figures come from"),
});
