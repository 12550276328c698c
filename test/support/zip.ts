import { deflateRawSync } from "node:zlib";

/** A zip archive of one file in the Clerk's format; `stored` disables compression. */
export function zipOf(name: string, content: string | Uint8Array, { stored = false } = {}): Buffer {
  const data = Buffer.from(content as string);
  const packed = stored ? data : deflateRawSync(data);
  const label = Buffer.from(name, "latin1");
  const method = stored ? 0 : 8;
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(method, 8);
  local.writeUInt32LE(packed.length, 18);
  local.writeUInt32LE(data.length, 22);
  local.writeUInt16LE(label.length, 26);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(method, 10);
  entry.writeUInt32LE(packed.length, 20);
  entry.writeUInt32LE(data.length, 24);
  entry.writeUInt16LE(label.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length + label.length, 12);
  end.writeUInt32LE(local.length + label.length + packed.length, 16);
  return Buffer.concat([local, label, packed, entry, label, end]);
}
