import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { indexedPng } from "../../src/lib/indexed-png.ts";
import { openPng } from "../support/png.ts";

const opaque = (...colours: readonly (readonly [number, number, number])[]) =>
  Uint8Array.from(colours.flatMap((colour) => [...colour, 255]));

describe("an indexed PNG", () => {
  it("contains every pixel in its colour", async () => {
    const [red, blue, white] = [
      [255, 0, 0],
      [0, 0, 255],
      [255, 255, 255],
    ] as const;
    const rgba = opaque(red, blue, white, white, red, blue);
    const { width, height, colours, pixel } = openPng(await indexedPng({ width: 3, height: 2, rgba }));
    expect({ width, height, colours }).toEqual({ width: 3, height: 2, colours: 3 });
    expect([pixel(0, 0), pixel(1, 0), pixel(2, 0)]).toEqual(["#ff0000", "#0000ff", "#ffffff"]);
    expect([pixel(0, 1), pixel(1, 1), pixel(2, 1)]).toEqual(["#ffffff", "#ff0000", "#0000ff"]);
  });

  it("has the signature, chunks and checksums of the specification", async () => {
    const bytes = Buffer.from(await indexedPng({ width: 1, height: 1, rgba: opaque([1, 2, 3]) }));
    expect(bytes.toString("hex", 0, 8)).toBe("89504e470d0a1a0a");
    expect(openPng(bytes).names).toEqual(["IHDR", "PLTE", "IDAT", "IEND"]);
    // length 13, bit depth 8, colour type 3
    expect(bytes.toString("hex", 8, 29)).toBe("0000000d4948445200000001000000010803000000");
    expect(bytes.readUInt32BE(29)).toBe(crc32(bytes.subarray(12, 29)));
    // the same in every PNG
    expect(bytes.toString("hex", bytes.length - 12)).toBe("0000000049454e44ae426082");
  });

  it("keeps the most frequent of more than 256 colours and maps the others to the nearest", async () => {
    // 300 reds and oranges, one pixel each, and 100 white pixels
    const rare = Array.from({ length: 300 }, (_, i) => [Math.min(i, 255), i > 255 ? i - 255 : 0, 0] as const);
    const often = Array.from({ length: 100 }, () => [255, 255, 255] as const);
    const rgba = opaque(...often, ...rare);
    const { colours, pixel } = openPng(await indexedPng({ width: 400, height: 1, rgba }));
    expect(colours).toBe(256);
    expect(pixel(50, 0)).toBe("#ffffff");
    // The first 255 colours of equal frequency are in the palette; red 254, the last of them, replaces the others.
    expect(pixel(100 + 254, 0)).toBe("#fe0000");
    expect(pixel(100 + 255, 0)).toBe("#fe0000");
  });

  it("reads a view that starts at any offset of its buffer", async () => {
    const memory = new Uint8Array(13);
    memory.set(opaque([9, 8, 7], [6, 5, 4], [9, 8, 7]), 1);
    const { pixel } = openPng(await indexedPng({ width: 3, height: 1, rgba: memory.subarray(1) }));
    expect([pixel(0, 0), pixel(1, 0)]).toEqual(["#090807", "#060504"]);
  });
});
