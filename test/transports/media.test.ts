import { describe, expect, it } from "vitest";
import { fileFormatOf, fileNameOf, withPicture } from "../../src/transports/media.ts";
import { getTide } from "../support/http-tools.ts";
import { drawOnRequest, drawPicture } from "../support/picture-tool.ts";

const png = { mime: "image/png", extension: "png" };

describe("the file of a tool's result", () => {
  it("has the format of the tool's output schema", () => {
    expect(fileFormatOf(drawPicture)).toEqual(png);
    expect(fileFormatOf(getTide)).toBeNull();
  });

  it("is drawn where it is requested, unless the input says otherwise or the tool always draws", () => {
    expect(withPicture(drawOnRequest, { symbol: "AAPL" })).toEqual({ symbol: "AAPL", picture: true });
    expect(withPicture(drawOnRequest, { picture: false })).toEqual({ picture: false });
    expect(withPicture(drawPicture, { symbol: "AAPL" })).toEqual({ symbol: "AAPL" });
  });

  const name = (result: object, given: object = {}) =>
    fileNameOf(drawPicture, given as Record<string, unknown>, result as Record<string, unknown>, png);

  it("is named after the tool and its inputs, as resolved in the result", () => {
    expect(name({ symbol: "AAPL", timeframe: "1d", extra: "x" }, { symbol: "apple" })).toBe(
      "draw-picture-AAPL-1d.png",
    );
    expect(name({ symbol: "BRK.B" })).toBe("draw-picture-BRK.B.png");
    expect(name({}, { symbol: "BTC/USD", none: true })).toBe("draw-picture-BTC-USD.png");
  });

  it.each(["../../etc/passwd", 'a"; rm -rf /', "C:\\x", "a\r\nb", "é🐂", "...", "x".repeat(500)])(
    "has a portable name for the input %j",
    (symbol) => {
      expect(name({}, { symbol })).toMatch(/^draw-picture[\w.-]{0,50}\.png$/);
      expect(name({}, { symbol })).not.toMatch(/\/|\\/);
    },
  );
});
