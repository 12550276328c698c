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
  const measured: MatrixRow[] = [];
  beforeAll(async () => {
    server = await startMeasuredServer();
  });
  afterAll(() => server.close());

  for (const [index, { client, transport }] of ROWS.entries())
    it(`run ${client.title} over ${transport}`, { timeout: 400_000 }, async () => {
      measured.push({ client, transport, outcomes: await measure(client, transport, index, server) });
    });

  it("do what docs/clients.md says", async () => {
    expect(measured.length).toBe(ROWS.length);
    const page = withSection(documentText(PAGE), "clients", matrixTable(measured));
    const text = withSection(page, "client-code", clientCode(CLIENTS));
    await expect(text).toMatchFileSnapshot(`../../${PAGE}`);
  });
});
