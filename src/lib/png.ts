import { fileURLToPath } from "node:url";
import { indexedPng } from "./indexed-png.ts";

/** Small fonts: each letter parses its font again, which takes most of the rendering time. */
const FONT_FILES = ["DejaVuSansMono", "DejaVuSansMono-Bold"];

/** Renders SVG as a PNG of its own size on white, with the bundled font DejaVu Sans Mono. */
export async function pngOf(svg: string, signal?: AbortSignal): Promise<Uint8Array> {
  // loaded at the first picture: other callers need no native binary
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
    signal ?? null,
  );
  signal?.throwIfAborted();
  return indexedPng({ width, height, rgba: pixels });
}
