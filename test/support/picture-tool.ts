import { z } from "zod";
import { Media } from "../../src/domain/media.ts";
import { defineTool } from "../../src/kernel/tool.ts";

/** Bytes used as a picture. */
export const PICTURE = Buffer.from("\u0089PNG not really", "latin1");

const output = z.object({
  ok: z.boolean().describe("true"),
  symbol: z.string().describe("What was drawn"),
  timeframe: z.string().describe("Bar length"),
  media: Media.extend({ mime: z.literal("image/png") }).optional(),
});
const media = { mime: "image/png" as const, base64: PICTURE.toString("base64"), alt: "a picture" };
const drawing = { toolset: "market", plan: "member", effect: "read", needs: [], output } as const;

/** Returns a picture; `none` returns a result without one. */
export const drawPicture = defineTool({
  ...drawing,
  name: "draw_picture",
  title: "Draw",
  description: "Draws.",
  route: "GET /api/v1/picture/:symbol",
  input: z.object({
    symbol: z.string().describe("What to draw"),
    timeframe: z.enum(["1d", "4h"]).default("1d").describe("Bar length"),
    none: z.boolean().optional().describe("Draw nothing"),
  }),
  examples: [{ ask: "Draw it", input: { symbol: "AAPL" } }],
  terminal: ({ symbol }) => `drew ${symbol}`,
  handler: ({ symbol, timeframe, none }) => ({
    ok: true,
    symbol: symbol.toUpperCase(),
    timeframe,
    ...(none !== true && { media }),
  }),
});

/** Returns a picture only on request. */
export const drawOnRequest = defineTool({
  ...drawing,
  name: "draw_on_request",
  title: "Draw on request",
  description: "Draws.",
  route: "GET /api/v1/on-request/:symbol",
  input: z.object({
    symbol: z.string().describe("What to draw"),
    picture: z.boolean().default(false).describe("Draw it"),
  }),
  examples: [{ ask: "Draw it", input: { symbol: "AAPL" } }],
  terminal: ({ symbol }) => `read ${symbol}`,
  handler: ({ symbol, picture }) => ({ ok: true, symbol, timeframe: "1d", ...(picture && { media }) }),
});

/** Has input fields named `format` and `out`. */
export const drawFormat = defineTool({
  ...drawing,
  name: "draw_format",
  title: "Draw a format",
  description: "Draws.",
  route: "GET /api/v1/format",
  input: z.object({
    format: z.string().describe("Its own word"),
    out: z.string().optional().describe("Its own word too"),
  }),
  examples: [{ ask: "Draw it", input: { format: "wide" } }],
  terminal: ({ symbol }) => `drew ${symbol}`,
  handler: ({ format, out = "" }) => ({
    ok: true,
    symbol: `${format} ${out}`.trim(),
    timeframe: "1d",
    media,
  }),
});
