import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CLIENTS } from "../clients/clients.ts";
import { librariesAreInstalled } from "../clients/libraries.ts";
import { measure } from "../clients/measure.ts";
import { clientCode, type MatrixRow, matrixTable } from "../clients/page.ts";
import { type MeasuredServer, startMeasuredServer } from "../clients/server.ts";
import { documentText, withSection } from "./documents.ts";

const PAGE = "docs/clients.md";
const ROWS = CLIENTS.flatMap((client) => client.transports.map((transport) => ({ client, transport })));
if (!librariesAreInstalled)
  console.warn("The client libraries are not installed: `npm ci --prefix test/clients` installs them.");

describe.skipIf(!librariesAreInstalled)("client libraries", () => {
  let server: MeasuredServer;
  let rows: readonly Promise<MatrixRow>[];
  beforeAll(async () => {
    server = await startMeasuredServer();
    // those over stdio run beside the others, as each starts a server of its own
    const last = { stdio: Promise.resolve<unknown>(null), http: Promise.resolve<unknown>(null) };
    rows = ROWS.map(({ client, transport }, index) => {
      const lane = transport.startsWith("stdio") ? "stdio" : "http";
      const row = last[lane].then(async () => ({
        client,
        transport,
        outcomes: await measure(client, transport, index, server),
      }));
      last[lane] = row.catch(() => null);
      return row;
    });
  });
  afterAll(() => server.close());

  for (const [index, { client, transport }] of ROWS.entries())
    it(`run ${client.title} over ${transport}`, { timeout: 400_000 }, async () => {
      await rows[index];
    });

  it("do what docs/clients.md says", async () => {
    const measured = await Promise.all(rows);
    const page = withSection(documentText(PAGE), "clients", matrixTable(measured));
    const text = withSection(page, "client-code", clientCode(CLIENTS));
    await expect(text).toMatchFileSnapshot(`../../${PAGE}`);
  });
});
