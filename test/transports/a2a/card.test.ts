import { describe, expect, it } from "vitest";
import { useInstallation } from "../../support/installation.ts";
import { A2A_TOOLS } from "./fixture.ts";

const installation = useInstallation("sample", {}, { tools: A2A_TOOLS });

const card = (headers: Record<string, string> = {}) =>
  fetch(`${installation.url}/.well-known/agent-card.json`, { headers });
const read = async (headers: Record<string, string> = {}) =>
  (await (await card(headers)).json()) as Record<string, any>;

describe("the agent card", () => {
  it("has exactly one skill for each connected tool", async () => {
    const names = installation.app.registry.tools.map(({ name }) => name);
    for (const version of ["0.3", "1.0"])
      expect((await read({ "a2a-version": version })).skills.map(({ id }: any) => id)).toEqual(names);
  });

  it("lists each skill's examples as a question and as a data part", async () => {
    const { skills } = await read();
    const { examples } = skills.find(({ id }: any) => id === "get_quote");
    const tool = installation.app.registry.tools.find(({ name }) => name === "get_quote")!;
    expect(examples[0]).toBe(tool.examples[0]!.ask);
    expect(JSON.parse(examples[1])).toEqual({ skill: "get_quote", input: tool.examples[0]!.input });
  });

  it("lists the input and output modes of each skill", async () => {
    const { skills } = await read();
    const modes = (name: string) => skills.find(({ id }: any) => id === name);
    expect(modes("interpret_query").inputModes).toEqual(["application/json", "text/plain"]);
    expect(modes("get_quote").inputModes).toEqual(["application/json"]);
    expect(modes("show_pixel").outputModes).toContain("image/png");
  });

  it("lists every interface by the public URL", async () => {
    const interfaces = [
      { url: `${installation.url}/api/a2a`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      { url: `${installation.url}/api/a2a/rest`, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
      { url: `${installation.url}/api/a2a`, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
    ];
    expect(await read({ "a2a-version": "1.0" })).toMatchObject({
      supportedInterfaces: interfaces,
      capabilities: { streaming: true, pushNotifications: true },
      securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
    });
    expect(await read()).toMatchObject({
      url: `${installation.url}/api/a2a`,
      preferredTransport: "JSONRPC",
      protocolVersion: "0.3.0",
      supportedInterfaces: interfaces,
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
    });
  });

  it("is cacheable, and returns 304 for a matching ETag", async () => {
    const first = await card();
    const etag = first.headers.get("etag")!;
    expect(first.headers.get("vary")).toContain("A2A-Version");
    expect((await card({ "if-none-match": etag })).status).toBe(304);
    expect((await card({ "if-none-match": etag, "a2a-version": "1.0" })).status).toBe(200);
  });
});
