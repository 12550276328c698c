import { fixedText } from "../../../src/charts/figures.ts";
import { EDGE, FRAME, GRID, legendRow, level, picture } from "../../../src/charts/frame.ts";
import { label, lineTo, path, rect } from "../../../src/charts/svg.ts";
import { INK } from "../../../src/charts/theme.ts";
import { plainText } from "../../../src/lib/plain-text.ts";

/** Odds of one tenth against the share that happened, all 0-1. */
interface Point {
  readonly forecast: number;
  readonly happened: number;
  /** Null if there is no interval. */
  readonly interval: { readonly low: number; readonly high: number } | null;
  /** Weight of the point among those of its panel, 0-1. */
  readonly weight: number;
}

export interface OddsPicture {
  readonly summary: string;
  /** Names of the series, in the order of the points of each panel. */
  readonly series: readonly string[];
  readonly panels: readonly {
    readonly title: string;
    readonly points: readonly (readonly Point[])[];
  }[];
  readonly notes: readonly string[];
}

const TOP = 152;
const SIZE = 330;
const LEFT = 64;
const GAP = 52;
const FIFTHS = [0, 0.2, 0.4, 0.6, 0.8, 1] as const;
const DIAGONAL = { stroke: INK.quiet, width: 1.4, dash: "6 3" } as const;
const COLOURS = [INK.entry, INK.sample, INK.up, INK.down] as const;
const colourOf = (series: number): string => COLOURS[series % COLOURS.length]!;

/** Returns the position in pixels of a forecast and of a share in a panel, each a square from 0 to 1. */
export const oddsPanel = (panel: number) => {
  const left = LEFT + panel * (SIZE + GAP);
  return {
    left,
    across: (share: number) => left + share * SIZE,
    up: (share: number) => TOP + (1 - share) * SIZE,
  };
};

/** Renders the reliability of touch odds as SVG text, one square per horizon. */
export function oddsSvg({ summary, series, panels, notes }: OddsPicture): string {
  return picture([
    label(EDGE, 38, "Odds of touching a price, and how often it was touched", {
      size: 24,
      bold: true,
      fill: INK.text,
    }),
    label(EDGE, 62, plainText(summary, 150), { size: 13, fill: INK.text }),
    legendRow(EDGE, 92, [
      ...series.map((name, i) => [name, { stroke: colourOf(i), width: 3 }] as const),
      ["as forecast", DIAGONAL] as const,
    ]),
    ...panels.map((panel, i) => panelSvg(panel, i)),
    ...notes.map((note, i) => label(EDGE, 580 + i * 20, plainText(note, 155), { size: 12, fill: INK.quiet })),
  ]);
}

function panelSvg({ title, points }: OddsPicture["panels"][number], panel: number): string {
  const { left, across, up } = oddsPanel(panel);
  const [right, bottom] = [left + SIZE, TOP + SIZE];
  return [
    label(left, TOP - 16, title, { size: 14, bold: true, fill: INK.text }),
    path(
      FIFTHS.map(
        (share) => lineTo(across(share), TOP, across(share), bottom) + level(left, up(share), right),
      ).join(""),
      GRID,
    ),
    path(`${lineTo(left, TOP, left, bottom)}L${right} ${bottom}`, FRAME),
    path(lineTo(left, bottom, right, TOP), DIAGONAL),
    ...points.flatMap((own, series) => own.map((point) => pointSvg(point, panel, colourOf(series)))),
    ...FIFTHS.flatMap((share) => [
      label(across(share), bottom + 18, `${fixedText(100 * share, 0)}%`, {
        size: 11,
        fill: INK.quiet,
        anchor: "middle",
      }),
      label(left - 6, up(share) + 4, `${fixedText(100 * share, 0)}%`, {
        size: 11,
        fill: INK.quiet,
        anchor: "end",
      }),
    ]),
    label((left + right) / 2, bottom + 42, "Odds (x-axis), touched (y-axis)", {
      fill: INK.quiet,
      anchor: "middle",
    }),
  ].join("");
}

/** Draws a point whose area grows with its weight, and a whisker over its interval. */
function pointSvg({ forecast, happened, interval, weight }: Point, panel: number, colour: string): string {
  const { across, up } = oddsPanel(panel);
  const [x, y] = [across(forecast), up(happened)];
  const size = 5 + 9 * Math.sqrt(weight);
  const whisker =
    interval === null
      ? ""
      : path(lineTo(x, up(interval.high), x, up(interval.low)), { stroke: colour, width: 1.5 });
  return (
    whisker +
    rect(
      { x: x - size / 2, y: y - size / 2, width: size, height: size },
      { fill: colour, stroke: INK.paper, width: 1.2, round: size / 2 },
    )
  );
}
