import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { WebSocketServer } from "ws";
import { BoundedWebSocket, MAX_MESSAGE_BYTES } from "../../src/lib/websocket.ts";

/** A server that sends a message to each connection, with compression if the client accepts it. */
async function connected(message: string) {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: { threshold: 0 } });
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const extensions: string[] = [];
  server.on("connection", (socket) => {
    extensions.push(socket.extensions);
    socket.send(message);
  });
  const socket = new BoundedWebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(() => socket.close());
  const seen: string[] = [];
  socket.addEventListener("message", ({ data }) => seen.push(`message of ${String(data).length}`));
  for (const type of ["error", "close"] as const) socket.addEventListener(type, () => seen.push(type));
  return { seen, extensions };
}

describe("a websocket", () => {
  it("receives a message of 1 MiB, which is not compressed", async () => {
    const { seen, extensions } = await connected("x".repeat(MAX_MESSAGE_BYTES));
    await vi.waitFor(() => expect(seen).toEqual(["message of 1048576"]));
    expect(extensions).toEqual([""]);
  });

  it("ends the connection at a longer message, before it is read", async () => {
    const { seen } = await connected("x".repeat(MAX_MESSAGE_BYTES + 1));
    await vi.waitFor(() => expect(seen).toEqual(["error", "close"]));
  });

  it("reports an error for a redirect, which it does not follow", async () => {
    const requests: string[] = [];
    const server = createServer().on("upgrade", ({ url }, stream) => {
      requests.push(url!);
      stream.end("HTTP/1.1 302 Found\r\nlocation: /other\r\n\r\n");
    });
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const socket = new BoundedWebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/first`);
    await new Promise<void>((resolve) => socket.addEventListener("error", () => resolve()));
    expect(requests).toEqual(["/first"]);
  });
});
