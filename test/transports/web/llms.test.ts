import { expect, it } from "vitest";
import type { Ports } from "../../../src/domain/ports.ts";
import { llmsRoutes } from "../../../src/transports/web/llms.ts";
import { httpServerDeps } from "../../support/http.ts";
import { HTTP_TOOLS } from "../../support/http-tools.ts";

const deps = httpServerDeps(HTTP_TOOLS, { ports: { bars: {} as Ports["bars"] } });

it("names every connected tool with its route under its toolset", async () => {
  const response = await llmsRoutes(deps).request("/llms.txt");
  expect(response.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
  const lines = (await response.text()).split("\n");
  expect(lines[0]).toBe("# Market Signal");
  expect(lines).toContain("## The server itself");
  expect(lines).toContainEqual(expect.stringContaining("- [Dashboard](http://127.0.0.1:8787/): "));
  for (const { name, title, route } of HTTP_TOOLS) {
    const line = lines.find((one) => one.startsWith(`- ${name}: ${title}`));
    expect(line, name).toMatch(new RegExp(`\\. ${route.split(" ")[0]} /`));
  }
});

it("names the topics of a tool", async () => {
  const [first, ...others] = HTTP_TOOLS;
  const tools = [{ ...first!, topics: ["unusual word", "another"] }, ...others];
  const text = await (
    await llmsRoutes(httpServerDeps(tools, { ports: { bars: {} as Ports["bars"] } })).request("/llms.txt")
  ).text();
  expect(text).toContain(`${first!.title} (unusual word, another). `);
});
