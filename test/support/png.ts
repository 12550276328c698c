import { inflateSync } from "node:zlib";

/** A decoded indexed-colour PNG: size, chunks, and the colour of each pixel as `#rrggbb`. */
export function openPng(bytes: Uint8Array) {
  const file = Buffer.from(bytes);
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    chunks.set(file.toString("latin1", at + 4, at + 8), file.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const header = chunks.get("IHDR")!;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const palette = chunks.get("PLTE")!;
  const rows = inflateSync(chunks.get("IDAT")!);
  const bits = header[8]!;
  const rowBytes = Math.ceil((width * bits) / 8) + 1;
  return {
    width,
    height,
    bits,
    names: [...chunks.keys()],
    colours: palette.length / 3,
    pixel: (x: number, y: number): string => {
      const byte = rows[y * rowBytes + 1 + Math.floor((x * bits) / 8)]!;
      const index = bits === 8 ? byte : x % 2 === 0 ? byte >> 4 : byte & 15;
      return `#${palette.toString("hex", 3 * index, 3 * index + 3)}`;
    },
  };
}
