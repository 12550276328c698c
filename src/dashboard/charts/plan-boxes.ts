import type {
  IPrimitivePaneRenderer,
  ISeriesPrimitive,
  SeriesAttachedParameter,
  Time,
} from "lightweight-charts";
import { colorOf, withOpacity } from "./colors.ts";

export interface PlanLevels {
  readonly from: Time;
  readonly entryLow: number;
  readonly entryHigh: number;
  readonly stop: number;
  readonly target: number;
}

/** Draws a plan as traders do: reward, risk and entry zone as boxes from the last bar to the right edge. */
export class PlanBoxes implements ISeriesPrimitive<Time> {
  #attached: SeriesAttachedParameter<Time> | undefined;
  #levels: PlanLevels | null = null;

  attached(parameter: SeriesAttachedParameter<Time>): void {
    this.#attached = parameter;
  }

  detached(): void {
    this.#attached = undefined;
  }

  set(levels: PlanLevels | null): void {
    this.#levels = levels;
    this.#attached?.requestUpdate();
  }

  autoscaleInfo() {
    const levels = this.#levels;
    if (levels === null) return null;
    const all = [levels.stop, levels.entryLow, levels.entryHigh];
    return { priceRange: { minValue: Math.min(...all), maxValue: Math.max(...all) } };
  }

  paneViews() {
    const renderer: IPrimitivePaneRenderer = {
      draw: (target) =>
        target.useBitmapCoordinateSpace(
          ({ context, bitmapSize, horizontalPixelRatio, verticalPixelRatio }) => {
            const [attached, levels] = [this.#attached, this.#levels];
            if (attached === undefined || levels === null) return;
            const from = attached.chart.timeScale().timeToCoordinate(levels.from);
            if (from === null) return;
            const left = from * horizontalPixelRatio;
            const fill = (a: number, b: number, color: string) => {
              const [ya, yb] = [attached.series.priceToCoordinate(a), attached.series.priceToCoordinate(b)];
              if (ya === null || yb === null) return;
              context.fillStyle = color;
              context.fillRect(
                left,
                Math.min(ya, yb) * verticalPixelRatio,
                bitmapSize.width - left,
                Math.max(1, Math.abs(ya - yb) * verticalPixelRatio),
              );
            };
            const middle = (levels.entryLow + levels.entryHigh) / 2;
            fill(middle, levels.target, withOpacity(colorOf("chart-up"), "22"));
            fill(middle, levels.stop, withOpacity(colorOf("chart-down"), "26"));
            fill(levels.entryLow, levels.entryHigh, withOpacity(colorOf("accent"), "40"));
          },
        ),
    };
    return [{ zOrder: () => "bottom" as const, renderer: () => renderer }];
  }
}
