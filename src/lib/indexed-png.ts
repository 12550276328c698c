import { promisify } from "node:util";
import { crc32, deflate } from "node:zlib";

const packed = promisify(deflate);

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
/** Sizes of a palette, tried in this order until the image is small enough. */
const PALETTE_SIZES = [256, 64, 32, 16] as const;
/** Size in bytes that the image of an answer should not exceed, because some clients show its text form to a model. */
const MAX_BYTES = 40_000;

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Four bytes per pixel: red, green, blue, and an alpha that is ignored. */
  readonly rgba: Uint8Array;
}

/**
 * Encodes an opaque image as a PNG with a palette of 256 colours, a third of the size of true colour, or of fewer if it
 * is then over `maxBytes`, 40 KB by default. Other colours (blurred edges of letters) are replaced by the nearest frequent one. Compression
 * runs on another thread.
 * @see W3C, "Portable Network Graphics (PNG) Specification", Third Edition (2025)
 */
export async function indexedPng(pixels: Pixels, maxBytes = MAX_BYTES): Promise<Uint8Array> {
  const colours = coloursOf(pixels.rgba, pixels.width * pixels.height);
  let png = new Uint8Array();
  for (const size of PALETTE_SIZES) {
    png = await encoded(pixels, colours, size);
    if (png.length <= maxBytes) break;
  }
  return png;
}

/** Encodes an image with a palette of a size; one of at most 16 colours has two pixels a byte. */
async function encoded({ width, height, rgba }: Pixels, colours: Colours, size: number) {
  const { paletteIndex, palette } = paletteOf(rgba, colours, size);
  const perByte = size > 16 ? 1 : 2;
  const rowBytes = Math.ceil(width / perByte) + 1; // each row starts with its filter, 0: none
  const rows = new Uint8Array(rowBytes * height);
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const index = paletteIndex[colours.kinds[i++]!]!;
      if (perByte === 1) rows[y * rowBytes + 1 + x] = index;
      else rows[y * rowBytes + 1 + (x >> 1)]! |= x % 2 === 0 ? index << 4 : index;
    }
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, width);
  header.setUint32(4, height);
  header.setUint8(8, 8 / perByte); // bits per index
  header.setUint8(9, 3); // indexed colour
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", new Uint8Array(header.buffer)),
    chunk("PLTE", palette),
    chunk("IDAT", await packed(rows, { level: 9, memLevel: 9 })),
    chunk("IEND", new Uint8Array()),
  ]);
}

/** The distinct colours of an image, and for each pixel the index of its colour in `found`. */
interface Colours {
  readonly found: readonly { readonly at: number; readonly pixels: number }[];
  readonly kinds: Uint32Array;
}

function coloursOf(rgba: Uint8Array, count: number): Colours {
  const whole = rgba.byteOffset % 4 === 0 ? rgba : rgba.slice();
  const words = new Int32Array(whole.buffer, whole.byteOffset, count);
  const known = new Map<number, number>();
  const found: { readonly at: number; pixels: number }[] = [];
  const kinds = new Uint32Array(count);
  let colour: number | null = null;
  let kind = -1;
  let start = 0;
  for (let i = 0; i < count; i++) {
    const here = words[i]!;
    // skips the lookup, because most pixels equal the previous one
    if (here !== colour) {
      if (kind >= 0) found[kind]!.pixels += i - start;
      [colour, start] = [here, i];
      kind = known.get(here) ?? -1;
      if (kind === -1) {
        kind = found.push({ at: 4 * i, pixels: 0 }) - 1;
        known.set(here, kind);
      }
    }
    kinds[i] = kind;
  }
  if (kind >= 0) found[kind]!.pixels += count - start;
  return { found, kinds };
}

/** Returns the palette of the most frequent colours, and the palette index of each colour. */
function paletteOf(rgba: Uint8Array, { found }: Colours, size: number) {
  const frequent = [...found.keys()].sort((a, b) => found[b]!.pixels - found[a]!.pixels).slice(0, size);
  const palette = Uint8Array.from(
    frequent.flatMap((each) => [...rgba.subarray(found[each]!.at, found[each]!.at + 3)]),
  );
  const paletteIndex = new Uint8Array(found.length);
  const indexOf = new Map(frequent.map((each, index) => [each, index]));
  for (const [each, { at }] of found.entries())
    paletteIndex[each] = indexOf.get(each) ?? nearest(palette, rgba, at);
  return { paletteIndex, palette };
}

/** Returns the palette index of the colour nearest to the colour at offset `at` of `bytes`. */
function nearest(palette: Uint8Array, bytes: Uint8Array, at: number): number {
  let best = 0;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (let i = 0; i < palette.length; i += 3) {
    const red = palette[i]! - bytes[at]!;
    const green = palette[i + 1]! - bytes[at + 1]!;
    const blue = palette[i + 2]! - bytes[at + 2]!;
    const distance = red * red + green * green + blue * blue;
    if (distance < bestDistance) [best, bestDistance] = [i / 3, distance];
  }
  return best;
}

/** Encodes a chunk: length, name, data and checksum. */
function chunk(name: string, data: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(name, 4, "latin1");
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}
