import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, it } from "vitest";
import { useInstallation } from "../../support/installation.ts";
import { openPng } from "../../support/png.ts";
import { info } from "./clients.ts";

const installation = useInstallation("sample");

it.each([
  ["render_chart", { symbol: "AAPL" }],
  ["render_chart", { symbol: "BTC-USD", bars: 250 }],
  ["get_odds", { symbol: "AAPL", picture: true }],
  ["run_backtest", { symbol: "AAPL", strategy: "rsi_reversion", picture: true }],
])("a picture of %s has at most 40 KB, because some clients show its text form: %j", async (name, input) => {
  const { key } = await installation.key("enterprise");
  const client = new Client(info);
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${installation.url}/api/mcp`), { requestInit }),
  );
  const { content } = await client.callTool({ name, arguments: input });
  await client.close();
  const [image] = (content as any[]).filter(({ type }) => type === "image");
  const png = Buffer.from(image.data, "base64");
  expect(png.length).toBeLessThanOrEqual(40_000);
  expect(openPng(png).width).toBe(1_200);
});
