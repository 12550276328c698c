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
  return {
    width,
    height,
    names: [...chunks.keys()],
    colours: palette.length / 3,
    pixel: (x: number, y: number): string => {
      const index = rows[y * (width + 1) + 1 + x]!;
      return `#${palette.toString("hex", 3 * index, 3 * index + 3)}`;
    },
  };
}
