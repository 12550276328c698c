import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { yieldToEventLoop } from "../../../src/lib/event-loop.ts";
import { type HttpListener, listen } from "../../../src/transports/http/listen.ts";

const HOST = "127.0.0.1";

/** A server on a free port; the first request hangs until `answer` is called. */
async function hanging() {
  let [came, answer] = [() => {}, () => {}];
  const arrived = new Promise<void>((resolve) => {
    came = resolve;
  });
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const listening = await open(async () => {
    came();
    await answered;
    return new Response("done");
  });
  return { listening, arrived, answer };
}

async function open(fetch: () => Response | Promise<Response>): Promise<HttpListener> {
  const listening = await listen(fetch, { host: HOST, port: 0 });
  onTestFinished(() => listening.close(0));
  return listening;
}

/** Sends a request over a keep-alive connection. */
async function ask(port: number): Promise<IncomingMessage> {
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const [response] = await once(get({ host: HOST, port, agent }), "response");
  return response;
}

it("listens on a free port for port 0", async () => {
  const { port } = await open(() => new Response("hello"));
  expect(port).toBeGreaterThan(0);
  expect(await text(await ask(port))).toBe("hello");
});

it("rejects a port in use and names the setting", async () => {
  const { port } = await open(() => new Response());
  await expect(listen(() => new Response(), { host: HOST, port })).rejects.toMatchObject({
    name: "SetupError",
    message: `${HOST}:${port} is in use; set PORT to another one`,
  });
});

it("rejects an address that is not local", async () => {
  await expect(listen(() => new Response(), { host: "192.0.2.1", port: 0 })).rejects.toMatchObject({
    name: "SetupError",
    message: "192.0.2.1:0 is not an address of this machine; check HOST",
  });
});

it("waits for pending responses before it closes all connections", async () => {
  const { listening, arrived, answer } = await hanging();
  const response = ask(listening.port);
  await arrived;
  let closed = false;
  const closing = listening.close(600_000).then(() => {
    closed = true;
  });
  const knock = async () => {
    const socket = connect(listening.port, HOST);
    const received = await once(socket, "connect").catch(({ code }) => code);
    socket.destroy();
    return received;
  };
  await expect.poll(knock).toBe("ECONNREFUSED"); // what came before is taken first
  expect(closed).toBe(false);
  answer();
  expect(await text(await response)).toBe("done");
  await closing;
});

it("responds to requests sent before close, even over connections not yet accepted", async () => {
  const { port, close } = await open(() => new Response("done"));
  const sockets = Array.from({ length: 20 }, () => connect(port, HOST));
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  for (const socket of sockets) socket.write("GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n");
  const closing = close();
  for (const answer of await Promise.all(sockets.map((socket) => text(socket))))
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*done$/);
  await closing;
});

it("closes pending connections at the deadline", async () => {
  const { listening, arrived } = await hanging();
  const response = ask(listening.port);
  const cut = expect(response).rejects.toMatchObject({ code: "ECONNRESET" });
  await arrived;
  await listening.close(10);
  await cut;
});

it("starts a request only after the response to the one before it on the same connection", async () => {
  let [running, most, count] = [0, 0, 0];
  const { port } = await open(async () => {
    most = Math.max(most, ++running);
    await new Promise((next) => setImmediate(next));
    running--;
    return new Response(`answer ${++count};`);
  });
  const socket = connect(port, HOST);
  onTestFinished(() => void socket.destroy());
  socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n".repeat(20));
  let received = "";
  for await (const chunk of socket) {
    received += chunk;
    if (received.includes("answer 20;")) break;
  }
  expect(received.match(/answer \d+;/g)).toEqual(Array.from({ length: 20 }, (_, i) => `answer ${i + 1};`));
  expect(most).toBe(1);
});

it("closes a connection on which more than 256 requests wait", async () => {
  const { listening, arrived, answer } = await hanging();
  const send = async (count: number) => {
    const socket = connect(listening.port, HOST);
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => {}).write("GET / HTTP/1.1\r\nhost: x\r\n\r\n".repeat(count));
    await arrived;
    return socket;
  };
  const closed = await send(258);
  await once(closed, "close");
  const socket = await send(257);
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk;
  });
  answer();
  await expect.poll(() => received.match(/done/g)?.length).toBe(257);
  expect(socket.closed).toBe(false);
});

it("accepts pending connections before waiting work goes on", async () => {
  const CONNECTIONS = 15;
  let handled = 0;
  let steps = 0;
  const { port } = await open(() => {
    handled++;
    return new Response();
  });
  const work = async () => {
    while (handled < CONNECTIONS) {
      await yieldToEventLoop("an account");
      const end = performance.now() + 9;
      while (performance.now() < end);
      steps++;
    }
  };
  const working = work();
  for (let i = 0; i < CONNECTIONS; i++) {
    const socket = connect(port, HOST);
    onTestFinished(() => void socket.destroy());
    socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
  }
  await working;
  expect(steps).toBeLessThan(CONNECTIONS);
});
