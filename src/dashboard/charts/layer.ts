import type {
  AutoscaleInfo,
  IPrimitivePaneRenderer,
  ISeriesPrimitive,
  Logical,
  PrimitivePaneViewZOrder,
  SeriesAttachedParameter,
  Time,
} from "lightweight-charts";
import { readColors } from "./colors.ts";

/** Where a layer draws; sizes are CSS pixels. */
export interface Scene {
  readonly context: CanvasRenderingContext2D;
  readonly width: number;
  readonly height: number;
  /** Returns the place of a bar, also of one that is still to come; null without a scale. */
  x(index: number): number | null;
  y(price: number): number | null;
}

interface LayerOptions {
  readonly order: PrimitivePaneViewZOrder;
  draw(scene: Scene): void;
  /** Prices that must be visible. */
  prices?(): readonly number[];
}

export interface Layer {
  readonly primitive: ISeriesPrimitive<Time>;
  redraw(): void;
}

/** Makes a layer of the price chart that draws by itself. */
export function createLayer({ order, draw, prices }: LayerOptions): Layer {
  let attached: SeriesAttachedParameter<Time> | undefined;
  let font = "";
  const renderer: IPrimitivePaneRenderer = {
    draw: (target) =>
      target.useMediaCoordinateSpace(({ context, mediaSize: { width, height } }) => {
        if (attached === undefined) return;
        const { chart, series } = attached;
        const scale = chart.timeScale();
        context.save();
        context.font = font;
        draw({
          context,
          width,
          height,
          x: (index) => scale.logicalToCoordinate(index as Logical),
          y: (price) => series.priceToCoordinate(price),
        });
        context.restore();
      }),
  };
  const views = [{ zOrder: () => order, renderer: () => renderer }];
  return {
    primitive: {
      attached(parameter) {
        attached = parameter;
        font = `11px ${readColors()("font") || "sans-serif"}`;
      },
      detached() {
        attached = undefined;
      },
      paneViews: () => views,
      autoscaleInfo(): AutoscaleInfo | null {
        const all = prices?.() ?? [];
        if (all.length === 0) return null;
        return { priceRange: { minValue: Math.min(...all), maxValue: Math.max(...all) } };
      },
    },
    redraw: () => attached?.requestUpdate(),
  };
}
