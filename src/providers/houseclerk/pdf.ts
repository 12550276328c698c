import { createHash } from "node:crypto";
import { inflateRawSync } from "node:zlib";

const MAX_STREAM_BYTES = 4 * 1024 * 1024;
const MAX_OBJECTS = 5_000;
/** Padding of a password shorter than 32 bytes. @see ISO 32000-1, 7.6.3.3 */
const PADDING = Buffer.from("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a", "hex");

/** A numbered object: its dictionary as text and its decoded stream, which is null if it is missing or unreadable. */
export interface PdfObject {
  readonly head: string;
  readonly stream: Buffer | null;
}

/**
 * Parses the numbered objects of a PDF 1.4 file like the Clerk's reports: deflated streams, unencrypted or encrypted
 * with an empty password (RC4). Other streams become null. Returns null for other files.
 * @see ISO 32000-1 (2008), 7.3 and 7.6
 */
export function pdfObjects(pdf: Uint8Array): ReadonlyMap<number, PdfObject> | null {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength);
  if (bytes.toString("latin1", 0, 5) !== "%PDF-") return null;
  const text = bytes.toString("latin1");
  const raw = rawObjects(text);
  const lock = encryptionKey(text, raw);
  const objects = new Map<number, PdfObject>();
  let left = MAX_STREAM_BYTES;
  for (const [number, { head, from, to }] of raw) {
    const data =
      from === null ? null : decodeStream(bytes.subarray(from, to), { head, number, lock, most: left });
    left -= data?.length ?? 0;
    objects.set(number, { head, stream: data });
  }
  return objects;
}

interface RawObject {
  readonly head: string;
  readonly from: number | null;
  readonly to: number;
}

function rawObjects(text: string): ReadonlyMap<number, RawObject> {
  const found = new Map<number, RawObject>();
  const start = /(\d{1,7}) 0 obj\b/g;
  for (let match = start.exec(text); match !== null && found.size < MAX_OBJECTS; match = start.exec(text)) {
    const stop = /endobj|stream\r?\n/g;
    stop.lastIndex = start.lastIndex;
    const end = stop.exec(text);
    if (end === null) break;
    const head = text.slice(start.lastIndex, end.index).replace(/\s+/g, " ");
    const length = end[0].startsWith("stream") ? Number(/\/Length (\d{1,9})\b(?! \d+ R)/.exec(head)?.[1]) : 0;
    const from = end[0].startsWith("stream") && Number.isFinite(length) ? stop.lastIndex : null;
    found.set(Number(match[1]), { head, from, to: (from ?? 0) + length });
    start.lastIndex = stop.lastIndex + (from === null ? 0 : length);
  }
  return found;
}

/** Returns the encryption key; null without encryption, `unknown` for other kinds of encryption. */
function encryptionKey(text: string, raw: ReadonlyMap<number, RawObject>): Buffer | null | "unknown" {
  const number = /\/Encrypt (\d{1,7}) 0 R/.exec(text)?.[1];
  if (number === undefined) return null;
  const head = raw.get(Number(number))?.head ?? "";
  const [owner, id] = [/\/O ?<([0-9A-Fa-f]{64})>/, /\/ID ?\[ ?<([0-9A-Fa-f]*)>/].map((shape, i) =>
    Buffer.from(shape.exec(i === 0 ? head : text)?.[1] ?? "", "hex"),
  );
  const rights = Number(/\/P (-?\d{1,10})/.exec(head)?.[1]);
  const revision = Number(/\/R ([23])\b/.exec(head)?.[1]);
  if (!/\/Filter ?\/Standard/.test(head) || !/\/V [12]\b/.test(head)) return "unknown";
  if (owner!.length !== 32 || !Number.isInteger(rights) || Number.isNaN(revision)) return "unknown";
  const size = revision === 2 ? 5 : Number(/\/Length (\d{2,3})\b/.exec(head)?.[1] ?? 40) / 8;
  const flags = Buffer.alloc(4);
  flags.writeInt32LE(rights | 0);
  let key = md5(PADDING, owner!, flags, id!);
  if (revision === 3) for (let i = 0; i < 50; i++) key = md5(key.subarray(0, size));
  return key.subarray(0, size);
}

function decodeStream(
  data: Buffer,
  {
    head,
    number,
    lock,
    most,
  }: { head: string; number: number; lock: Buffer | null | "unknown"; most: number },
): Buffer | null {
  if (lock === "unknown" || most <= 0 || !/\/Filter ?(\[ ?)?\/FlateDecode ?(\]|\/|>|\s)/.test(head))
    return null;
  if (/\/Length1\b|\/Subtype ?\/Image|\/Predictor/.test(head)) return null;
  const plain = lock === null ? data : rc4(objectKey(lock, number), data);
  try {
    // skips the zlib header, because it states a window smaller than the one used for compression
    return inflateRawSync(plain.subarray(2), { maxOutputLength: most });
  } catch {
    return null;
  }
}

function objectKey(lock: Buffer, number: number): Buffer {
  const salt = Buffer.alloc(5);
  salt.writeUIntLE(number, 0, 3);
  return md5(lock, salt).subarray(0, Math.min(16, lock.length + 5));
}

const md5 = (...parts: readonly Buffer[]): Buffer => {
  const hash = createHash("md5");
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** Decrypts with RC4. @see ISO 32000-1, 7.6.2 */
function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, i) => i);
  const swap = (i: number, j: number) => {
    const swapped = state[i]!;
    state[i] = state[j]!;
    state[j] = swapped;
  };
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + state[i]! + key[i % key.length]!) & 255;
    swap(i, j);
  }
  const out = Buffer.alloc(data.length);
  for (let n = 0, i = 0, j = 0; n < data.length; n++) {
    i = (i + 1) & 255;
    j = (j + state[i]!) & 255;
    swap(i, j);
    out[n] = data[n]! ^ state[(state[i]! + state[j]!) & 255]!;
  }
  return out;
}
