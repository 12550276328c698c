import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { openTracing } from "../../src/app/tracing.ts";
import { collectingLog } from "../support/context.ts";
import { install } from "../support/installation.ts";
import { suiteDir } from "../support/temp-dir.ts";

const CALLS = 60;
const ROUNDS = 12;

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Time of a warm call with traces off, off again (the noise of the machine) and on, in turns. */
export async function run(): Promise<void> {
  const receiver = createServer((request, response) => request.resume().on("end", () => response.end("{}")));
  await new Promise<void>((listening) => receiver.listen(0, "127.0.0.1", listening));
  const endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const tracer = (await openTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, collectingLog()))!;
  const dirs = [suiteDir(), suiteDir(), suiteDir()];
  const sites = await Promise.all(
    dirs.map(({ dir }, at) => install(dir, "sample", {}, at === 2 ? { tracer } : {})),
  );
  for (const path of ["/api/v1/quote/AAPL", "/api/v1/signals/AAPL"]) {
    const keys = await Promise.all(sites.map((site) => site.key("enterprise")));
    const times: number[][] = sites.map(() => []);
    for (let round = 0; round < ROUNDS; round++)
      for (const [at, { site }] of sites.entries())
        for (let n = 0; n < CALLS; n++) {
          const headers = { authorization: `Bearer ${keys[at]!.key}`, host: "127.0.0.1" };
          const begun = performance.now();
          await (await site.fetch(new Request(`http://127.0.0.1${path}`, { headers }))).text();
          if (round > 0) times[at]!.push(performance.now() - begun);
        }
    const [off, again, on] = times.map((values) => Math.round(1_000 * median(values)));
    console.log(`${path}: off ${off} us, off again ${again} us, on ${on} us`);
  }
  for (const site of sites) await site.stop();
  await tracer.close();
  receiver.close();
  for (const { remove } of dirs) remove();
}
