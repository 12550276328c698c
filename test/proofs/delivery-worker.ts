import { once } from "node:events";
import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createDeliveryServer } from "./delivery-server.ts";

/** Writes synchronously, without buffering in this process. */
const say = (line: string) => writeSync(1, `${line}\n`);

const [settings, port, subscriptions, most, pauseMs] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
];
await once(process.stdin, "data");
const server = await createDeliveryServer(JSON.parse(settings), Number(port));
server.begin();
for (let next = await server.written(); next < Number(most); next++) {
  await server.notice(next, Number(subscriptions));
  say(`done ${next}`);
  await sleep(Number(pauseMs));
}
while ((await server.open()) > 0) await sleep(20);
say("settled");
await server.close();
process.exit(0);
