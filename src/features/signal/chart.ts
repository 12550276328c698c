import type { Resolution } from "../../domain/market/market.ts";
import { ToolError } from "../../kernel/errors.ts";
import { type ClosedBars, closedBars } from "./closed-bars.ts";
import { CONSENSUS_BARS } from "./gather.ts";
import { type Picture, type PicturePorts, type PictureRequest, pictureOf } from "./picture.ts";

/** Data of a chart: the bars of a signal, and the signal if available. */
export interface ChartData {
  readonly resolution: Resolution;
  readonly series: Picture["series"];
  /** When the last bar closed, ISO 8601 UTC. */
  readonly decidedAt: string;
  readonly consensus: Picture["consensus"] | null;
  /** Why no levels are drawn; null with levels. */
  readonly levels_reason: string | null;
}

/**
 * Reads a symbol's bars and, if wanted, its signal. With too few bars for levels it returns the bars only, with the reason.
 * Rejects as `pictureOf` does, with NOT_ENOUGH_DATA only where there are no bars at all.
 */
export async function readChartData(
  request: PictureRequest & { readonly levels: boolean },
  ports: PicturePorts,
): Promise<ChartData> {
  if (!request.levels) return withoutLevels(request, ports, "Levels were not requested.");
  try {
    const { resolution, series, decidedAt, consensus } = await pictureOf(request, ports);
    return { resolution, series, decidedAt, consensus, levels_reason: null };
  } catch (cause) {
    if (!(cause instanceof ToolError && cause.code === "NOT_ENOUGH_DATA")) throw cause;
    return withoutLevels(request, ports, cause.message);
  }
}

async function withoutLevels(
  request: PictureRequest,
  ports: PicturePorts,
  reason: string,
): Promise<ChartData> {
  const resolution = ports.symbols.resolve(request.symbol);
  const series: ClosedBars = await closedBars(resolution, { ...request, limit: CONSENSUS_BARS }, ports);
  return { resolution, series, decidedAt: series.as_of, consensus: null, levels_reason: reason };
}
