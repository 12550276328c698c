import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { heapLeft, reachable } from "./live.ts";
import { ENGINE, SERVERS } from "./place.ts";
import type { Proof } from "./proof.ts";
import { openProofServer, type ProofServer } from "./proof-server.ts";

const CHURN = { quick: 300, full: 5_000 } as const;
/** Limits of each server: ten streams per account, a hundred in all. Connections go to the servers in turn. */
const [ACCOUNTS, EACH] = [10, 10 * SERVERS];
const ALL = ACCOUNTS * EACH;
const PATIENCE_MS = 5_000;
/** A leaked stream would take ten times as much, with its server, buffers and timers. */
const BYTES_A_STREAM = 2_000;

/** Clients that open an event stream and disappear, more of them than the server could hold. */
export const streams: Proof = {
  name: "streams",
  claim: "Abandoned event streams leave nothing behind: no stream, no timer, no memory",

  async run({ scale, report }) {
    const server = await openProofServer({}, { ran: false });
    const broken: string[] = [];
    try {
      const keys = await Promise.all(Array.from({ length: ACCOUNTS }, () => server.key("pro")));
      const fill = async () => {
        const opened = keys.flatMap(({ key }) => Array.from({ length: EACH }, () => openStream(server, key)));
        const sockets = await Promise.all(opened);
        for (const socket of sockets) socket?.destroy();
        return sockets.filter((socket) => socket === null).length;
      };
      await fill();
      await settled();
      const [heapBefore, before] = [heapLeft(), reachable()];
      let abandoned = 0;
      while (abandoned < CHURN[scale]) {
        const missing = await fill();
        if (missing > 0)
          broken.push(`after ${abandoned} streams ${missing} of ${ALL} places were still taken`);
        abandoned += ALL;
        if (abandoned % 1_000 === 0) report(`${abandoned} streams`);
      }
      if ((await fill()) > 0) broken.push("not every place was free again");
      await settled();
      const [heapAfter, after] = [heapLeft(), reachable()];
      const bytes = (heapAfter - heapBefore) / abandoned;
      if (bytes > BYTES_A_STREAM) broken.push(`${Math.round(bytes)} bytes of heap stay for each stream`);
      for (const kind of Object.keys(after) as (keyof typeof after)[])
        if (after[kind] > before[kind] + EACH)
          broken.push(`${kind}: ${before[kind]} before, ${after[kind]} after`);
      broken.push(...server.errors);
      return {
        figure: `${ENGINE}: ${abandoned} streams abandoned, every place free again; heap ${bytes < 0 ? "shrank" : `grew by ${Math.round(bytes)} bytes for each`}; timers ${before.timers} before, ${after.timers} after`,
        broken,
      };
    } finally {
      await server.stop();
    }
  },
};

/** Long enough for the server to notice closed connections on this machine. */
const settled = () => sleep(300);

/** An open event stream after its first event; null if no stream was free. */
async function openStream(server: ProofServer, key: string): Promise<Socket | null> {
  for (let waited = 0; waited < PATIENCE_MS; waited += 50) {
    const socket = connect(server.listening.port, "127.0.0.1");
    socket.on("error", () => {});
    await once(socket, "connect");
    socket.write(`GET /api/mcp/sse HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\n\r\n`);
    const received = await readAll(socket);
    if (received.includes("event: endpoint")) return socket;
    socket.destroy();
    await sleep(50);
  }
  return null;
}

function readAll(socket: Socket): Promise<string> {
  let text = "";
  return new Promise((resolve) => {
    socket.setEncoding("utf8").on("data", (part: string) => {
      text += part;
      if (/event: endpoint|HTTP\/1\.1 (?!200)/.test(text)) resolve(text);
    });
    socket.on("close", () => resolve(text));
  });
}
