import { once } from "node:events";
import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { ToolError } from "../../src/kernel/errors.ts";
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
/** Repeats work while the database is not available. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await work();
    } catch (cause) {
      const isUnavailable =
        cause instanceof ToolError
          ? cause.code === "STORAGE_BUSY"
          : String(cause).includes("PostgreSQL does not answer");
      if (!isUnavailable) throw cause;
      await sleep(20);
    }
}

await once(process.stdin, "data");
const server = await patiently(() => createDeliveryServer(JSON.parse(settings), Number(port)));
server.begin();
for (let next = await patiently(server.written); next < Number(most); next++) {
  await patiently(() => server.notice(next, Number(subscriptions)));
  say(`done ${next}`);
  await sleep(Number(pauseMs));
}
while ((await patiently(server.open)) > 0) await sleep(20);
say("settled");
await server.close();
process.exit(0);
