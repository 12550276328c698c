import "./charts.css";
import { type PointerEvent, useState } from "react";
import {
  fittingTicks,
  linearScale,
  linePath,
  nearest,
  type Point,
  paddedRange,
  roundTicks,
  spread,
} from "./scale.ts";
import { useWidth } from "./use-width.ts";

/** Colour of a part of a chart, by its meaning. */
export type Tone = "up" | "down" | "accent" | "warn" | "flat" | "text";

export interface Line {
  readonly name: string;
  readonly tone: Tone;
  readonly dashed?: boolean;
  /** Ascending by x. */
  readonly points: readonly Point[];
}

export interface Band {
  readonly name: string;
  readonly tone: Tone;
  /** 0-1. */
  readonly opacity: number;
  readonly points: readonly { readonly x: number; readonly low: number; readonly high: number }[];
}

/** A horizontal line at a value. */
export interface Level {
  readonly y: number;
  readonly text: string;
  readonly tone: Tone;
}

export interface Mark extends Point {
  readonly sign: "▲" | "▼" | "◆";
  readonly tone: Tone;
}

interface LineChartProps {
  /** What the chart shows, for those who do not see it. */
  readonly label: string;
  readonly height: number;
  readonly lines: readonly Line[];
  readonly bands?: readonly Band[];
  readonly levels?: readonly Level[];
  readonly marks?: readonly Mark[];
  readonly ticks: readonly { readonly x: number; readonly text: string }[];
  /** Place whose values are shown while no pointer is over the chart. Default: the last one. */
  readonly at?: number;
  /** Returns the text of a value. */
  format(value: number): string;
  /** Returns the text of a place on the x axis. */
  formatX(x: number): string;
}

/** Width of a character of the axes at most, and of the gap beside a text, px. */
const TEXT = { character: 6.5, gap: 8 } as const;
const BOTTOM = 20;
const TOP = 8;
const widthOf = (text: string): number => text.length * TEXT.character;
const colour = (tone: Tone): string => `var(--${tone})`;

/** Lines and bands over one axis, with the values under the pointer, by default the last ones. */
export function LineChart(props: LineChartProps) {
  const { label, height, lines, bands = [], levels = [], marks = [], ticks, at, format, formatX } = props;
  const [box, width] = useWidth();
  const [hovered, setHovered] = useState<number | null>(null);
  const xs = [...lines, ...bands].flatMap(({ points }) =>
    [points[0]?.x ?? [], points.at(-1)?.x ?? []].flat(),
  );
  const range = [Math.min(...xs), Math.max(...xs)] as const;
  const values = [
    ...lines.flatMap(({ points }) => points.map(({ y }) => y)),
    ...bands.flatMap(({ points }) => points.flatMap(({ low, high }) => [low, high])),
    ...levels.map(({ y }) => y),
    ...marks.map(({ y }) => y),
  ];
  const yRange = paddedRange(values);
  const yTicks = roundTicks(...yRange, Math.ceil(height / 48)).map((tick) => ({ tick, text: format(tick) }));
  const right = Math.max(width - 2 * TEXT.gap - Math.max(...yTicks.map(({ text }) => widthOf(text))), 1);
  const toX = linearScale(range, [4, right]);
  const toY = linearScale(yRange, [height - BOTTOM, TOP]);
  const placed = (points: readonly Point[]) => points.map(({ x, y }) => ({ x: toX(x), y: toY(y) }));
  const levelText = spread(
    levels.map(({ y }) => toY(y) - 4),
    13,
  );
  const move = ({ clientX, currentTarget }: PointerEvent<SVGSVGElement>) => {
    const ratio = (clientX - currentTarget.getBoundingClientRect().left - 4) / (right - 4);
    setHovered(range[0] + Math.min(1, Math.max(0, ratio)) * (range[1] - range[0]));
  };
  const shown = hovered ?? at ?? range[1];
  const valueAt = <P extends { readonly x: number }>(points: readonly P[]) =>
    points.length > 0 && shown >= points[0]!.x && shown <= points.at(-1)!.x
      ? nearest(points, shown)
      : undefined;
  /** Returns the distance of the lines from a text at the left or right edge, px. */
  const clearance = (isAtEdge: (x: number) => boolean, y: number) =>
    Math.min(
      ...lines
        .flatMap(({ points }) => placed(points))
        .flatMap((point) => (isAtEdge(point.x) ? Math.abs(point.y - y) : [])),
    );
  const isFreeAtRight = (y: number, width: number) =>
    clearance((x) => x > right - width, y) > clearance((x) => x < width, y);
  const main = nearest<{ readonly x: number }>((lines[0] ?? bands[0])?.points ?? [], shown);
  return (
    <div className="line-chart">
      <ul className="legend num">
        <li className="muted">{formatX(main?.x ?? shown)}</li>
        {lines.map(({ name, tone, dashed, points }) => {
          const point = valueAt(points);
          return (
            <li key={name}>
              <svg width="16" height="8" aria-hidden="true">
                <path
                  d="M0 4H16"
                  stroke={colour(tone)}
                  strokeWidth="2"
                  strokeDasharray={dashed ? "4 3" : ""}
                />
              </svg>
              {name} {point !== undefined && <b>{format(point.y)}</b>}
            </li>
          );
        })}
        {bands.map(({ name, tone, opacity, points }) => {
          const point = valueAt(points);
          return (
            <li key={name}>
              <svg width="16" height="10" aria-hidden="true">
                <rect width="16" height="10" rx="2" fill={colour(tone)} opacity={Math.min(1, opacity * 2)} />
              </svg>
              {name} {point !== undefined && <b>{`${format(point.low)} – ${format(point.high)}`}</b>}
            </li>
          );
        })}
      </ul>
      <div ref={box}>
        <svg
          width={width}
          height={height}
          role="img"
          aria-label={label}
          onPointerMove={move}
          onPointerLeave={() => setHovered(null)}
        >
          {yTicks.map(({ tick, text }) => (
            <g key={tick}>
              <path d={`M0 ${toY(tick)}H${right}`} stroke="var(--grid)" />
              <text x={right + TEXT.gap} y={toY(tick) + 4}>
                {text}
              </text>
            </g>
          ))}
          {fittingTicks(
            ticks.map(({ x, text }) => ({ x: toX(x), text, width: widthOf(text) })),
            right,
            TEXT.gap,
          ).map(({ left, text }) => (
            <text key={left} x={left} y={height - 4}>
              {text}
            </text>
          ))}
          {bands.map(({ name, tone, opacity, points }) => (
            <path
              key={name}
              d={`${linePath(points.map(({ x, high }) => ({ x: toX(x), y: toY(high) })))}${linePath(
                [...points].reverse().map(({ x, low }) => ({ x: toX(x), y: toY(low) })),
              ).replace("M", "L")}Z`}
              fill={colour(tone)}
              opacity={opacity}
            />
          ))}
          {lines.map(({ name, tone, dashed, points }) => (
            <path
              key={name}
              d={linePath(placed(points))}
              fill="none"
              stroke={colour(tone)}
              strokeWidth={dashed ? 1.2 : 1.7}
              strokeLinejoin="round"
              strokeDasharray={dashed ? "4 3" : ""}
            />
          ))}
          {levels.map(({ y, text, tone }, index) => (
            <g key={text}>
              <path d={`M0 ${toY(y)}H${right}`} stroke={colour(tone)} strokeDasharray="2 4" />
              <text
                {...(isFreeAtRight(levelText[index]! - 4, widthOf(text) + TEXT.gap)
                  ? { x: right - 4, textAnchor: "end" }
                  : { x: 6 })}
                y={levelText[index]}
                className="on-chart"
                fill={colour(tone)}
              >
                {text}
              </text>
            </g>
          ))}
          {marks.map(({ x, y, sign, tone }) => (
            <text
              key={`${x} ${y} ${sign}`}
              x={toX(x)}
              y={toY(y) + (sign === "▲" ? 12 : sign === "▼" ? -4 : 4)}
              textAnchor="middle"
              className="mark"
              fill={colour(tone)}
            >
              {sign}
            </text>
          ))}
          {hovered !== null && main !== undefined && (
            <path
              d={`M${toX(main.x)} ${TOP}V${height - BOTTOM}`}
              stroke="var(--muted)"
              strokeDasharray="3 3"
            />
          )}
        </svg>
      </div>
    </div>
  );
}
