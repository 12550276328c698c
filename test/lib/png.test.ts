import { describe, expect, it } from "vitest";
import { pngOf } from "../../src/lib/png.ts";
import { openPng } from "../support/png.ts";

const svg = (inside: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20" font-family="DejaVu Sans Mono">${inside}</svg>`;
const inkIn = ({ width, height, pixel }: ReturnType<typeof openPng>): number => {
  let ink = 0;
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) if (pixel(x, y) !== "#ffffff") ink++;
  return ink;
};

describe("an SVG rendered as PNG", () => {
  it("has the size of the SVG and a white background", async () => {
    const { width, height, pixel } = openPng(
      await pngOf(svg('<rect x="10" y="0" width="50" height="20" fill="#00897b"/>')),
    );
    expect({ width, height }).toEqual({ width: 60, height: 20 });
    expect([pixel(9, 10), pixel(10, 10), pixel(59, 19)]).toEqual(["#ffffff", "#00897b", "#00897b"]);
  });

  it("contains text, also bold, without fonts of the machine", async () => {
    const text = (style: string) => svg(`<text x="2" y="15" font-size="14" ${style}>AAPL</text>`);
    const [plain, bold, strange] = await Promise.all(
      ["", 'font-weight="bold"', 'font-family="Some Font That Nobody Has"'].map(async (style) =>
        inkIn(openPng(await pngOf(text(style)))),
      ),
    );
    expect(plain).toBeGreaterThan(100);
    expect(bold).toBeGreaterThan(plain! * 1.1);
    expect(strange).toBe(plain);
  });

  it("rejects when the caller aborts", async () => {
    await expect(pngOf(svg(""), AbortSignal.abort(new Error("gone")))).rejects.toThrow();
  });

  it("rejects an invalid SVG", async () => {
    await expect(pngOf("<svg")).rejects.toThrow();
  });
});
