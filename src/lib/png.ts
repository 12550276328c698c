import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { indexedPng } from "./indexed-png.ts";

/** Small fonts, because the renderer parses the font again for each letter, which takes most of the rendering time. */
const FONT_FILES = ["DejaVuSansMono", "DejaVuSansMono-Bold"];

/** Renders SVG as a PNG of the same size on a white background, with the bundled font DejaVu Sans Mono. */
export async function pngOf(svg: string, signal?: AbortSignal): Promise<Uint8Array> {
  // loaded with the first image, so that nothing else needs the native binary
  const { renderAsync } = await import("@resvg/resvg-js");
  const fontFiles = FONT_FILES.map((file) =>
    fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${file}.ttf`)),
  );
  const { width, height, pixels } = await renderAsync(
    svg,
    {
      background: "#ffffff",
      font: { fontFiles, loadSystemFonts: false, defaultFontFamily: "DejaVu Sans Mono" },
    },
    // one signal for each rendering, because the renderer refuses a signal that it was given before
    signal === undefined ? null : AbortSignal.any([signal]),
  );
  signal?.throwIfAborted();
  return indexedPng({ width, height, rgba: pixels });
}

/** Returns a text that is equal only for images with the same SVG. */
export const imageKey = (svg: string): string => createHash("sha256").update(svg).digest("base64url");
