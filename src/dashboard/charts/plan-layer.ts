import { sideOfLevels } from "../../lib/levels-side.ts";
import type { ChartPlan, FanBand } from "./chart-data.ts";
import { type Colors, withOpacity } from "./colors.ts";
import { createLayer, type Scene } from "./layer.ts";

interface Ahead {
  readonly colors: Colors;
  readonly plan: ChartPlan | null;
  readonly fan: readonly FanBand[];
  /** Index and close of the last closed bar. */
  readonly last: number;
  readonly close: number;
}

/**
 * Draws what lies ahead, from the last bar to the right: reward, risk and entry zone as boxes, and the range in which the
 * close stays with odds of 90 and 50 percent.
 */
export function createPlanLayer() {
  let ahead: Ahead | null = null;
  const layer = createLayer({
    order: "bottom",
    draw(scene) {
      if (ahead === null) return;
      if (ahead.plan !== null) drawBoxes(scene, ahead.plan, ahead);
      drawFan(scene, ahead);
    },
    prices() {
      const plan = ahead?.plan;
      return plan ? [plan.stop, plan.entryLow, plan.entryHigh, plan.target] : [];
    },
  });
  return {
    primitive: layer.primitive,
    set(next: Ahead | null): void {
      ahead = next;
      layer.redraw();
    },
  };
}

function drawBoxes({ context, width, x, y }: Scene, plan: ChartPlan, { last, colors }: Ahead): void {
  const left = x(last);
  if (left === null) return;
  const fill = (a: number, b: number, color: string) => {
    const [ya, yb] = [y(a), y(b)];
    if (ya === null || yb === null) return;
    context.fillStyle = color;
    context.fillRect(left, Math.min(ya, yb), width - left, Math.max(1, Math.abs(ya - yb)));
  };
  // reward and risk are reckoned from the worse edge of the zone
  const edge = sideOfLevels(plan.stop, plan.target) === "LONG" ? plan.entryHigh : plan.entryLow;
  fill(edge, plan.target, withOpacity(colors("chart-up"), "22"));
  fill(edge, plan.stop, withOpacity(colors("chart-down"), "26"));
  fill(plan.entryLow, plan.entryHigh, withOpacity(colors("accent"), "40"));
}

function drawFan({ context, x, y }: Scene, { fan, last, close, colors }: Ahead): void {
  const line = (price: (band: FanBand) => number | undefined): readonly (readonly [number, number])[] =>
    [{ bars: 0, price: close }, ...fan.map((band) => ({ bars: band.bars, price: price(band) }))].flatMap(
      (point) => {
        const at = x(last + point.bars);
        const height = point.price === undefined ? null : y(point.price);
        return at === null || height === null ? [] : [[at, height] as const];
      },
    );
  const trace = (points: readonly (readonly [number, number])[]) => {
    context.beginPath();
    for (const [px, py] of points) context.lineTo(px, py);
  };
  const color = colors("accent");
  const area = (low: (band: FanBand) => number | undefined, high: (band: FanBand) => number | undefined) => {
    const points = [...line(low), ...line(high).toReversed()];
    if (points.length < 4) return;
    trace(points);
    context.fillStyle = withOpacity(color, "1c");
    context.fill();
  };
  area(
    ({ p5 }) => p5,
    ({ p95 }) => p95,
  );
  area(
    ({ p25 }) => p25,
    ({ p75 }) => p75,
  );
  context.setLineDash([3, 3]);
  context.lineWidth = 1;
  context.strokeStyle = withOpacity(color, "b0");
  for (const price of [({ p5 }: FanBand) => p5, ({ p95 }: FanBand) => p95]) {
    trace(line(price));
    context.stroke();
  }
}
