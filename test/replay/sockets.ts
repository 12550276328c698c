import { createHash } from "node:crypto";
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";

/** The server side of a websocket. */
export interface ServerSocket {
  send(text: string): void;
  /** Sends a frame of bytes. */
  sendBytes(bytes: Uint8Array): void;
  /** Ends the connection with a closing handshake. */
  close(): void;
  /** Breaks the connection. */
  terminate(): void;
}

export interface SocketHandlers {
  message(text: string): void;
  closed(): void;
}

const OPCODES = { text: 1, bytes: 2, close: 8, ping: 9, pong: 10 } as const;
/** Key suffix of the handshake. @see RFC 6455, section 1.3 */
const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/**
 * Accepts websockets on an HTTP server: whole text and binary frames, pings and the closing handshake. `open` returns
 * null to reject a path. @see RFC 6455
 */
export function acceptSockets(
  server: Server,
  open: (pathname: string, socket: ServerSocket) => SocketHandlers | null,
): void {
  server.on("upgrade", (request: IncomingMessage, stream: Duplex) => {
    const write = (opcode: number, payload: Uint8Array) => {
      if (!stream.writableEnded && !stream.destroyed) stream.write(frame(opcode, payload));
    };
    const socket: ServerSocket = {
      send: (text) => write(OPCODES.text, Buffer.from(text)),
      sendBytes: (bytes) => write(OPCODES.bytes, bytes),
      close() {
        write(OPCODES.close, Buffer.from([3, 232]));
        stream.end();
      },
      terminate: () => void stream.destroy(),
    };
    const { pathname } = new URL(request.url ?? "/", "http://127.0.0.1");
    const accept = createHash("sha1")
      .update(`${request.headers["sec-websocket-key"]}${GUID}`)
      .digest("base64");
    stream.on("error", () => undefined);
    stream.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
    );
    const handlers = open(pathname, socket);
    if (handlers === null) {
      stream.destroy();
      return;
    }
    stream.on("close", () => handlers.closed());
    let received: Buffer = Buffer.alloc(0);
    stream.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      for (let next = readFrame(received); next !== null; next = readFrame(received)) {
        received = received.subarray(next.length);
        if (next.opcode === OPCODES.text) handlers.message(next.payload.toString());
        else if (next.opcode === OPCODES.ping) write(OPCODES.pong, next.payload);
        else if (next.opcode === OPCODES.close) {
          write(OPCODES.close, next.payload);
          stream.end();
        }
      }
    });
  });
}

function frame(opcode: number, payload: Uint8Array): Buffer {
  const { length } = payload;
  const head = length < 126 ? Buffer.alloc(2) : length < 65_536 ? Buffer.alloc(4) : Buffer.alloc(10);
  head[0] = 0x80 | opcode;
  if (length < 126) head[1] = length;
  else if (length < 65_536) {
    head[1] = 126;
    head.writeUInt16BE(length, 2);
  } else {
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(length), 2);
  }
  return Buffer.concat([head, payload]);
}

/** Reads a masked frame of a client; null if it is incomplete. */
function readFrame(
  bytes: Buffer,
): { readonly opcode: number; readonly payload: Buffer; readonly length: number } | null {
  if (bytes.length < 6) return null;
  const short = bytes[1]! & 0x7f;
  const extended = short === 126 ? 2 : short === 127 ? 8 : 0;
  const start = 2 + extended + 4;
  if (bytes.length < start) return null;
  const size =
    short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
  if (bytes.length < start + size) return null;
  const mask = bytes.subarray(start - 4, start);
  const payload = Buffer.from(bytes.subarray(start, start + size));
  for (let i = 0; i < size; i++) payload[i]! ^= mask[i % 4]!;
  return { opcode: bytes[0]! & 0x0f, payload, length: start + size };
}
