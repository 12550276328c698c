import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../src/analytics/backtest/random.ts";
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

  it("has fewer colours where it would be over 40 KB", async () => {
    const [width, height] = [301, 301];
    /** An image of noise in so many greys, which compresses badly. */
    const noise = (greys: number) => {
      const random = seededRandom(7);
      return opaque(
        ...Array.from({ length: width * height }, (): [number, number, number] => {
          const grey = random.below(greys) * Math.floor(255 / (greys - 1));
          return [grey, grey, grey];
        }),
      );
    };
    const encoded = async (greys: number) => {
      const rgba = noise(greys);
      const bytes = await indexedPng({ width, height, rgba });
      return { size: bytes.length, rgba, png: openPng(bytes) };
    };
    const few = await encoded(8);
    expect([few.size < 40_000, few.png.bits, few.png.colours]).toEqual([true, 8, 8]);
    // 4 bits of noise a pixel are 45 KB in any form: no smaller palette follows
    const many = await encoded(200);
    expect([many.png.bits, many.png.colours]).toEqual([4, 16]);
    const sixteen = await encoded(16);
    expect([sixteen.png.bits, sixteen.png.colours]).toEqual([4, 16]);
    for (const [x, y] of [
      [0, 0],
      [1, 0],
      [300, 0],
      [0, 1],
      [299, 300],
      [300, 300],
    ] as const)
      expect(sixteen.png.pixel(x, y)).toBe(
        `#${Buffer.from(sixteen.rgba.subarray(4 * (y * width + x), 4 * (y * width + x) + 3)).toString("hex")}`,
      );
  });

  it("reads a view that starts at any offset of its buffer", async () => {
    const memory = new Uint8Array(13);
    memory.set(opaque([9, 8, 7], [6, 5, 4], [9, 8, 7]), 1);
    const { pixel } = openPng(await indexedPng({ width: 3, height: 1, rgba: memory.subarray(1) }));
    expect([pixel(0, 0), pixel(1, 0)]).toEqual(["#090807", "#060504"]);
  });
});
