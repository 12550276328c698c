import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";

/** A mail as received: envelope and text with its headers. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly data: string;
}

/** A local mail server that records mail, and replies to each message with `reply`. Default: 250. */
export async function smtpServer(reply: (count: number) => string = () => "250 stored") {
  const got: ReceivedMail[] = [];
  let count = 0;
  const serve = (socket: Socket) => {
    let [from, to, buffer, inData]: [string, string[], string, boolean] = ["", [], "", false];
    const say = (line: string) => socket.write(`${line}\r\n`);
    socket.on("error", () => {});
    say("220 stand-in");
    const command = (line: string) => {
      const verb = line.slice(0, 4).toUpperCase();
      const address = /<([^>]*)>/.exec(line)?.[1] ?? "";
      if (verb === "EHLO") return say("250-stand-in\r\n250 8BITMIME");
      if (verb === "MAIL") [from, to] = [address, []];
      if (verb === "RCPT") to.push(address);
      if (verb === "DATA") {
        inData = true;
        return say("354 go on");
      }
      if (verb === "QUIT") {
        say("221 bye");
        return socket.end();
      }
      return say("250 ok");
    };
    socket.setEncoding("utf8").on("data", (text: string) => {
      buffer += text;
      for (;;) {
        const end = buffer.indexOf(inData ? "\r\n.\r\n" : "\r\n");
        if (end < 0) return;
        const part = buffer.slice(0, end);
        buffer = buffer.slice(end + (inData ? 5 : 2));
        if (!inData) {
          command(part);
          continue;
        }
        inData = false;
        const answer = reply(++count);
        if (answer.startsWith("250")) got.push({ from, to, data: part });
        say(answer);
      }
    });
  };
  const server = createServer(serve);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    got,
    url: `smtp://127.0.0.1:${port}`,
    async close() {
      server.close();
      await once(server, "close");
    },
  };
}
