import { fileURLToPath } from "node:url";
import { indexedPng } from "./indexed-png.ts";

/** Small files: every letter drawn reads its font anew, which costs most of the time that a picture takes. */
const FONT_FILES = ["DejaVuSansMono", "DejaVuSansMono-Bold"];

/** Draws SVG text as a PNG in its own size, letters in DejaVu Sans Mono and in no font of this machine, on white. */
export async function pngOf(svg: string, signal?: AbortSignal): Promise<Uint8Array> {
  // loaded at the first picture: callers that draw none need no binary
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
