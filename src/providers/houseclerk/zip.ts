import { inflateRawSync } from "node:zlib";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
/** The end record and the longest comment behind it. */
const MAX_TRAILER_BYTES = 22 + 65_535;
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * One file of a zip archive, by the end of its name. Reads stored and deflated files; anything else, and an archive that is
 * damaged, cut off or grows beyond 64 MB, is a ProviderFailure "malformed".
 * @see PKWARE, APPNOTE.TXT 6.3.10, 4.3
 */
export function extractZipFile(zip: Uint8Array, ending: string): Uint8Array {
  const bytes = Buffer.from(zip.buffer, zip.byteOffset, zip.byteLength);
  try {
    const { at, size, packed, method } = entryOf(bytes, ending);
    if (bytes.readUInt32LE(at) !== LOCAL || size > MAX_BYTES) throw new Error("no such file");
    const from = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
    const data = bytes.subarray(from, from + packed);
    if (data.length !== packed || (method !== 0 && method !== 8)) throw new Error("cut off");
    const whole = method === 0 ? data : inflateRawSync(data, { maxOutputLength: MAX_BYTES });
    if (whole.length !== size) throw new Error("another length");
    return whole;
  } catch (cause) {
    throw new ProviderFailure("malformed", "an archive that cannot be read", { cause });
  }
}

function entryOf(bytes: Buffer, ending: string) {
  let end = bytes.length - 22;
  while (end >= 0 && end > bytes.length - MAX_TRAILER_BYTES && bytes.readUInt32LE(end) !== END) end--;
  if (end < 0 || bytes.readUInt32LE(end) !== END) throw new Error("no end");
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    if (bytes.readUInt32LE(at) !== ENTRY) throw new Error("no entry");
    const [name, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset));
    if (bytes.toString("latin1", at + 46, at + 46 + name!).endsWith(ending))
      return {
        method: bytes.readUInt16LE(at + 10),
        packed: bytes.readUInt32LE(at + 20),
        size: bytes.readUInt32LE(at + 24),
        at: bytes.readUInt32LE(at + 42),
      };
    at += 46 + name! + extra! + comment!;
  }
  throw new Error("no such file");
}
