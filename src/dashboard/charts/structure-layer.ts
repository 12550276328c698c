import {
  type ChartBar,
  type ChartEvent,
  type ChartMark,
  type ChartPoint,
  type ChartPrint,
  type ChartRange,
  indexAt,
  placeOf,
} from "./chart-data.ts";
import { type Colors, TONES, withOpacity } from "./colors.ts";
import { LABEL_HEIGHT, type LabelWish, placeLabels } from "./labels.ts";
import { createLayer, type Scene } from "./layer.ts";

interface Structure {
  readonly colors: Colors;
  readonly bars: readonly ChartBar[];
  /** Index of the last bar that is drawn, also of those after `bars`. */
  readonly last: number;
  readonly events: readonly ChartEvent[];
  readonly range: ChartRange | null;
  readonly path: readonly ChartPoint[];
  readonly marks: readonly ChartMark[];
  readonly prints: readonly ChartPrint[];
}

/** A structure with what takes time to find: the indexes of its bars and moments. */
interface Placed extends Structure {
  readonly rangeEnds: readonly [number, number];
  readonly eventBars: readonly number[];
  readonly pathBars: readonly number[];
  readonly markBars: readonly number[];
}

interface Label extends LabelWish {
  readonly text: string;
  readonly color: string;
  /** false: the text has no point and no line to it. Default: true. */
  readonly isPoint?: boolean;
}

const MARKS: Readonly<Record<ChartMark["kind"], string>> = {
  news: "n",
  earnings: "E",
  dividend: "D",
  split: "S",
};
const MARK_WIDTH = 14;
/** Width of the longest bar of the off-exchange levels, px. */
const PRINT_WIDTH = 60;
/** Off-exchange levels with a text. */
const NAMED_PRINTS = 3;

/** Draws the structure of a market: its trading range with events, a valid wave count, off-exchange levels and dates. */
export function createStructureLayer() {
  let shown: Placed | null = null;
  const layer = createLayer({
    order: "top",
    draw(scene) {
      if (shown === null) return;
      drawRange(scene, shown);
      drawPrints(scene, shown);
      const labels = [
        ...eventLabels(scene, shown),
        ...pathLabels(scene, shown),
        ...rangeLabels(scene, shown),
      ];
      drawMarks(scene, shown);
      drawLabels(scene, labels, shown.colors);
    },
  });
  return {
    primitive: layer.primitive,
    set(next: Structure): void {
      shown = placed(next);
      layer.redraw();
    },
  };
}

function placed(structure: Structure): Placed {
  const { bars, range, events, path, marks } = structure;
  const indexes = new Map(bars.map(({ datetime }, index) => [datetime, index]));
  return {
    ...structure,
    rangeEnds: range === null ? [0, 0] : [indexAt(bars, range.from), indexAt(bars, range.to)],
    eventBars: events.map(({ date }) => indexes.get(date) ?? -1),
    pathBars: path.map(({ date }) => indexAt(bars, date)),
    markBars: marks.map(({ date }) => placeOf(bars, date)),
  };
}

function drawRange({ context, x, y }: Scene, { range, rangeEnds, colors }: Placed): void {
  if (range === null) return;
  const [left, right] = [x(rangeEnds[0]), x(rangeEnds[1])];
  const [top, bottom] = [y(range.high), y(range.low)];
  if (left === null || right === null || top === null || bottom === null) return;
  context.fillStyle = withOpacity(colors("warn"), "14");
  context.strokeStyle = withOpacity(colors("warn"), "90");
  context.lineWidth = 1;
  context.fillRect(left, top, right - left, bottom - top);
  context.strokeRect(left, top, right - left, bottom - top);
}

/** The text of the range, below its left corner. */
function rangeLabels({ context, x, y }: Scene, { range, rangeEnds, colors }: Placed): readonly Label[] {
  if (range === null) return [];
  const [left, top] = [x(rangeEnds[0]), y(range.low)];
  if (left === null || top === null) return [];
  const width = context.measureText(range.text).width + 8;
  const color = colors("warn");
  return [{ x: left + width / 2, y: top, side: "below", text: range.text, color, width, isPoint: false }];
}

/** Off-exchange levels at the right edge; their texts only where no candles are. */
function drawPrints({ context, width: end, x, y }: Scene, { prints, last, colors }: Placed): void {
  const free = end - (x(last) ?? end) - 10;
  context.textBaseline = "middle";
  const texts: number[] = [];
  prints.forEach(({ price, share, text }, index) => {
    const top = y(price);
    if (top === null) return;
    const width = Math.max(4, share * PRINT_WIDTH);
    context.fillStyle = withOpacity(colors("flat"), "55");
    context.fillRect(end - width, top - 2, width, 4);
    const room = context.measureText(text).width + 6;
    if (index >= NAMED_PRINTS || room > free || texts.some((other) => Math.abs(other - top) < LABEL_HEIGHT))
      return;
    texts.push(top);
    context.fillStyle = withOpacity(colors("surface"), "d0");
    context.fillRect(end - room, top - 7, room, 14);
    context.fillStyle = colors("muted");
    context.fillText(text, end - room + 3, top);
  });
}

const eventLabels = (
  { context, x, y }: Scene,
  { bars, events, eventBars, colors }: Placed,
): readonly Label[] =>
  events.flatMap(({ side, text, tone }, place) => {
    const bar = bars[eventBars[place]!];
    if (bar === undefined) return [];
    const [left, top] = [x(eventBars[place]!), y(side === "above" ? bar.high : bar.low)];
    if (left === null || top === null) return [];
    return [
      {
        x: left,
        y: top,
        side,
        text,
        color: colors(TONES[tone]),
        width: context.measureText(text).width + 8,
      },
    ];
  });

function pathLabels({ context, x, y }: Scene, { path, pathBars, colors }: Placed): readonly Label[] {
  const color = colors("accent");
  const points = path.flatMap(({ price, text }, index) => {
    const [left, top] = [x(pathBars[index]!), y(price)];
    if (left === null || top === null) return [];
    const neighbour = path[index - 1] ?? path[index + 1];
    const side =
      neighbour === undefined || price >= neighbour.price ? ("above" as const) : ("below" as const);
    return [{ x: left, y: top, side, text, color, width: context.measureText(text).width + 8 }];
  });
  context.beginPath();
  for (const point of points) context.lineTo(point.x, point.y);
  context.strokeStyle = color;
  context.lineWidth = 1.5;
  context.stroke();
  return points;
}

function drawMarks({ context, width, height, x }: Scene, { marks, markBars, colors }: Placed): void {
  context.textAlign = "center";
  context.textBaseline = "middle";
  const places = marks
    .map(({ kind }, index) => ({ kind, left: x(markBars[index]!) ?? -1 }))
    .filter(({ left }) => left >= 8 && left <= width - 8)
    .sort((a, b) => a.left - b.left);
  let previous = Number.NEGATIVE_INFINITY;
  for (const { kind, left } of places) {
    if (left - previous < MARK_WIDTH && kind === "news") continue;
    previous = left;
    const color = colors(kind === "news" ? "flat" : "accent");
    context.beginPath();
    context.arc(left, height - 9, 6.5, 0, Math.PI * 2);
    context.fillStyle = colors("surface");
    context.fill();
    context.strokeStyle = color;
    context.lineWidth = 1;
    context.stroke();
    context.fillStyle = color;
    context.fillText(MARKS[kind], left, height - 8.5);
  }
  context.textAlign = "left";
}

function drawLabels({ context, width, height }: Scene, labels: readonly Label[], colors: Colors): void {
  const visible = labels.filter(({ x }) => x >= 0 && x <= width);
  const boxes = placeLabels(visible, { width, height: height - 18 });
  context.textBaseline = "middle";
  context.lineWidth = 1;
  visible.forEach(({ x, y, text, color, isPoint = true }, index) => {
    context.fillStyle = color;
    context.beginPath();
    context.arc(x, y, 2.5, 0, Math.PI * 2);
    if (isPoint) context.fill();
    const box = boxes[index];
    if (!box) return;
    const isAbove = box.top < y;
    context.strokeStyle = withOpacity(color, "90");
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(
      Math.max(box.left, Math.min(x, box.left + box.width)),
      isAbove ? box.top + box.height : box.top,
    );
    if (isPoint) context.stroke();
    context.fillStyle = withOpacity(colors("surface"), "e0");
    context.fillRect(box.left, box.top, box.width, box.height);
    context.fillStyle = color;
    context.fillText(text, box.left + 4, box.top + box.height / 2);
  });
}
