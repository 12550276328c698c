import { FONT, type Ink, label, lineTo, path, rect, textWidth } from "./svg.ts";
import { INK, SIZE } from "./theme.ts";
import type { TimeTick } from "./time-axis.ts";

/** Margin at the left and right edge of a picture, and length of the lines from the panes to their tags, in pixels. */
export const EDGE = 20;
export const LEADER = 16;
/** Style of grid lines, and of the border lines of a pane. */
export const GRID = { stroke: INK.grid, width: 1, crisp: true } as const;
export const FRAME = { stroke: INK.frame, width: 1, crisp: true } as const;

/** Returns a whole picture as SVG text; draws its parts in order on a white background. */
export const picture = (parts: readonly string[]): string =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE.width}" height="${SIZE.height}" viewBox="0 0 ${SIZE.width} ${SIZE.height}" font-family="${FONT}" xml:space="preserve">`,
    rect({ x: 0, y: 0, ...SIZE }, { fill: INK.paper }),
    ...parts,
    "</svg>",
  ].join("");

/** Draws the label of simulated prices across the picture; empty for real prices. */
export const watermark = (simulated: string | null, x: number, y: number): string =>
  simulated === null
    ? ""
    : label(x, y, simulated, { size: 60, bold: true, fill: INK.sample, anchor: "middle", opacity: 0.07 });

/** Draws text in a box of the heading whose right edge is at `right`; returns it with the width of the box. */
export function pill(text: string, right: number, colours: { fill: string; stroke: string; text: string }) {
  const width = textWidth(text, 14) + 20;
  const { fill, stroke } = colours;
  const x = right - width;
  const drawn =
    rect({ x, y: 19, width, height: 26 }, { fill, stroke, width: 1.5, round: 4 }) +
    label(x + width / 2, 37, text, { size: 14, bold: true, fill: colours.text, anchor: "middle" });
  return { width, drawn };
}
/** Colours of the box that marks simulated prices. */
export const SAMPLE_PILL = { fill: INK.samplePaper, stroke: INK.sample, text: INK.sample } as const;

/** Returns the path steps of a horizontal line, aligned to the pixel grid. */
export const level = (left: number, y: number, right: number): string =>
  lineTo(left, Math.round(y) + 0.5, right, Math.round(y) + 0.5);

/** Draws a label of the vertical axis left of a pane, with its baseline at `y`. */
export const axisLabel = (left: number, y: number, text: string): string =>
  label(left - 8, y, text, { fill: INK.quiet, anchor: "end" });

/** Draws the labels of the time axis below `bottom`, none beyond `end` (default: `right`), and `UTC` unless bars are daily. */
export const timeLabels = (
  ticks: readonly TimeTick[],
  {
    left,
    right,
    bottom,
    end = right,
  }: { readonly left: number; readonly right: number; readonly bottom: number; readonly end?: number },
  xOf: (index: number) => number,
  isDaily: boolean,
): string =>
  [
    ...ticks.map(({ index, text, major }) => {
      const half = textWidth(text) / 2;
      const x = Math.max(left + half, Math.min(end - half, xOf(index)));
      const style = { fill: major ? INK.text : INK.quiet, bold: major, anchor: "middle" } as const;
      return label(x, bottom + 20, text, style);
    }),
    isDaily ? "" : label(right, bottom + 36, "UTC", { fill: INK.quiet, size: 11, anchor: "end" }),
  ].join("");

/** Draws a legend in one row: each line style with its name in the same colour. */
export function legendRow(
  from: number,
  y: number,
  entries: readonly (readonly [text: string, style: Ink & { readonly stroke: string }])[],
): string {
  let x = from;
  return entries
    .map(([text, style]) => {
      const entry =
        path(lineTo(x, y - 4, x + 22, y - 4), style) +
        label(x + 28, y, text, { fill: style.stroke, bold: true });
      x += 28 + textWidth(text) + 22;
      return entry;
    })
    .join("");
}
