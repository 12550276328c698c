import { plainText } from "../lib/plain-text.ts";

const ENTITY: Readonly<Record<string, string>> = {
  "&": "amp",
  "<": "lt",
  ">": "gt",
  '"': "quot",
  "'": "#39",
};

/**
 * Returns untrusted text for an SVG: cleaned, cut to `limit` characters, without characters that XML forbids, and
 * escaped.
 */
export const xmlText = (text: string, limit = 80): string =>
  plainText(text, limit)
    .replace(/[^\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "")
    .replace(/[&<>"']/g, (mark) => `&${ENTITY[mark]};`);

/** Formats a coordinate to a hundredth of a pixel. @throws RangeError if it is not finite */
export function px(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`Not a coordinate: ${value}`);
  return String(Math.round(value * 100) / 100);
}

export interface Ink {
  readonly fill?: string;
  readonly stroke?: string;
  readonly width?: number;
  readonly dash?: string;
  readonly opacity?: number;
  /** true: sharp edges, without the blur between pixels. */
  readonly crisp?: boolean;
  readonly round?: number;
}

const ink = ({ fill = "none", stroke, width, dash, opacity, crisp, round }: Ink): string =>
  [
    ` fill="${fill}"`,
    stroke === undefined ? "" : ` stroke="${stroke}"`,
    width === undefined ? "" : ` stroke-width="${width}"`,
    dash === undefined ? "" : ` stroke-dasharray="${dash}"`,
    opacity === undefined ? "" : ` opacity="${opacity}"`,
    crisp === true ? ' shape-rendering="crispEdges"' : "",
    round === undefined ? "" : ` rx="${round}"`,
  ].join("");

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const rect = ({ x, y, width, height }: Box, style: Ink): string =>
  `<rect x="${px(x)}" y="${px(y)}" width="${px(width)}" height="${px(height)}"${ink(style)}/>`;

/** Returns a path; empty without steps. */
export const path = (steps: string, style: Ink): string =>
  steps === "" ? "" : `<path d="${steps}"${ink(style)}/>`;

export const lineTo = (x1: number, y1: number, x2: number, y2: number): string =>
  `M${px(x1)} ${px(y1)}L${px(x2)} ${px(y2)}`;

export const FONT = "DejaVu Sans Mono";

interface Lettering {
  readonly size?: number;
  readonly bold?: boolean;
  readonly fill: string;
  readonly anchor?: "start" | "middle" | "end";
  readonly opacity?: number;
}

/** Returns one line of text with its baseline at `y`, cleaned and escaped. */
export function label(x: number, y: number, text: string, style: Lettering): string {
  const { size = 12, bold = false, anchor = "start", ...colours } = style;
  const weight = bold ? ' font-weight="bold"' : "";
  const side = anchor === "start" ? "" : ` text-anchor="${anchor}"`;
  return `<text x="${px(x)}" y="${px(y)}" font-size="${size}"${ink(colours)}${weight}${side}>${xmlText(text, 160)}</text>`;
}

/** Advance of every letter of DejaVu Sans Mono, in ems: 1233 of 2048 units. */
const ADVANCE = 1233 / 2048;

/**
 * Returns the width of a text in DejaVu Sans Mono, regular or bold, in pixels; characters missing from that font may be
 * wider.
 */
export const textWidth = (text: string, size = 12): number => [...text].length * ADVANCE * size;
