import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CLIENTS } from "./clients.ts";
import { librariesAreInstalled } from "./libraries.ts";
import { measure } from "./measure.ts";
import { type MeasuredServer, startMeasuredServer } from "./server.ts";

const only = process.env.ONLY ?? "";
describe.skipIf(!librariesAreInstalled)("x", () => {
  let server: MeasuredServer;
  beforeAll(async () => {
    server = await startMeasuredServer();
  });
  afterAll(() => server?.close());
  it("runs", async () => {
    let row = 0;
    for (const client of CLIENTS) {
      if (!client.driver.match(only)) continue;
      for (const transport of client.transports) {
        row++;
        if (process.env.WAY && !transport.match(process.env.WAY)) continue;
        const t = Date.now();
        const outcomes = await measure(client, transport, row, server).catch((e) => e.message);
        console.log(client.driver, transport, Date.now() - t, outcomes);
      }
    }
    expect(1).toBe(1);
  }, 900_000);
});
