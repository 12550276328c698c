import { describe, expect, it } from "vitest";
import { scopesOf } from "../../../src/kernel/tool.ts";
import { useInstallation } from "../../support/installation.ts";
import { A2A_TOOLS, speaker } from "./fixture.ts";

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

  it("lists the first example of each skill as a question and as a data part", async () => {
    const { skills } = await read();
    for (const { name, examples } of installation.app.registry.tools) {
      const [ask, data] = skills.find(({ id }: any) => id === name).examples;
      expect(ask).toBe(examples[0]!.ask);
      expect(JSON.parse(data)).toEqual({ skill: name, input: examples[0]!.input });
    }
  });

  it("describes each skill by the start of its tool's description, as a sentence", async () => {
    const { skills } = await read();
    for (const { name, description } of installation.app.registry.tools) {
      const skill = skills.find(({ id }: any) => id === name);
      expect(description.startsWith(skill.description.slice(0, -1)), name).toBe(true);
      expect(skill.description, name).toMatch(/^[A-Z].{4,250}[.?!]$/);
    }
  });

  it.each(["1.0", "0.3", ""])(
    "is smaller than 40 KB for version %j, with its signatures",
    async (version) => {
      const response = await card({ "a2a-version": version });
      expect((await response.text()).length).toBeLessThan(40_000);
    },
  );

  it("lists the input and output modes of each skill", async () => {
    const { skills } = await read();
    const modes = (name: string) => skills.find(({ id }: any) => id === name);
    expect(modes("interpret_query").inputModes).toEqual(["application/json", "text/plain"]);
    expect(modes("get_quote").inputModes).toEqual(["application/json"]);
    expect(modes("show_pixel").outputModes).toEqual(["application/json", "text/plain", "image/png"]);
    expect(modes("get_quote").outputModes).toBe(undefined);
    expect((await read()).defaultOutputModes).toEqual(["application/json", "text/plain"]);
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
    expect(await read({ "a2a-version": "0.3" })).toMatchObject({
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
    expect((await card({ "if-none-match": etag, "a2a-version": "0.3" })).status).toBe(200);
  });
});

const LEGACY_CARD = "/a2a/v0.3/.well-known/agent-card.json";

describe("the card of a version", () => {
  it("is that of 1.0 without a header, with the fields of its schema alone", async () => {
    const plain = await read();
    expect(plain).toEqual(await read({ "a2a-version": "1.0" }));
    expect(plain).toEqual(await read({ "a2a-version": "" }));
    const FIELDS =
      "name description supportedInterfaces version documentationUrl capabilities securitySchemes securityRequirements defaultInputModes defaultOutputModes skills signatures";
    expect(Object.keys(plain).sort()).toEqual(FIELDS.split(" ").sort());
    expect(plain.securitySchemes).toEqual({
      bearer: { httpAuthSecurityScheme: { scheme: "Bearer", description: expect.any(String) } },
    });
  });

  it("is that of 0.3 with its header, and at a path of its own", async () => {
    const legacy = await read({ "a2a-version": "0.3" });
    expect(legacy).toMatchObject({ protocolVersion: "0.3.0", preferredTransport: "JSONRPC" });
    for (const headers of [{}, { "a2a-version": "1.0" }]) {
      const response = await fetch(`${installation.url}${LEGACY_CARD}`, { headers });
      expect([response.status, response.headers.get("cache-control")]).toEqual([200, "public, max-age=300"]);
      expect(await response.json()).toEqual(legacy);
    }
  });

  it("is reached from the path of older protocols", async () => {
    const url = `${installation.url}/.well-known/agent.json`;
    const redirect = await fetch(url, { redirect: "manual" });
    expect([redirect.status, redirect.headers.get("location")]).toEqual([301, "agent-card.json"]);
    const followed = await fetch(url);
    expect([followed.url, await followed.json()]).toEqual([
      `${installation.url}/.well-known/agent-card.json`,
      await read(),
    ]);
    expect((await fetch(url, { method: "POST" })).status).toBe(405);
  });
});

describe("the extended card", () => {
  const skills = ({ skills }: any): string[] => skills.map(({ id }: any) => id);

  it("lists what the plan and scopes of the caller allow, over each binding and version", async () => {
    const pro = await speaker(installation, "pro");
    const reader = await speaker(installation, "pro", ["read"]);
    const top = await speaker(installation, "enterprise");
    const names = (allowed: (tool: any) => boolean) =>
      installation.app.registry.tools.filter(allowed).map(({ name }) => name);
    const extended = async ({ rpc }: typeof pro) => skills((await rpc("GetExtendedAgentCard", {})).result);
    expect(await extended(top)).toEqual(names(() => true));
    expect(await extended(pro)).toEqual(names(({ plan }) => plan !== "enterprise"));
    const readable = (tool: any) =>
      tool.plan === "open" || (tool.plan !== "enterprise" && scopesOf(tool).join() === "read");
    expect(await extended(reader)).toEqual(names(readable));
    const rest = await reader.get("/api/a2a/rest/extendedAgentCard");
    expect([rest.status, rest.headers.get("content-type"), rest.headers.get("cache-control")]).toEqual([
      200,
      "application/a2a+json",
      "no-store",
    ]);
    expect(skills(rest.json)).toEqual(names(readable));
    const legacy = await reader.post(
      "/api/a2a",
      { jsonrpc: "2.0", id: 1, method: "agent/getAuthenticatedExtendedCard" },
      { "a2a-version": "0.3" },
    );
    expect(skills(legacy.json.result)).toEqual(names(readable));
    expect(legacy.json.result).toMatchObject({
      url: `${installation.url}/api/a2a`,
      supportsAuthenticatedExtendedCard: true,
    });
  });

  it("has the whole descriptions and every example", async () => {
    const { rpc } = await speaker(installation, "enterprise");
    const { result } = await rpc("GetExtendedAgentCard", {});
    for (const { name, description, examples } of installation.app.registry.tools) {
      const skill = result.skills.find(({ id }: any) => id === name);
      expect(skill.description).toBe(description);
      for (const { ask } of examples) expect(skill.examples).toContain(ask);
    }
  });

  it("is declared in the card, and needs a key", async () => {
    expect((await read({ "a2a-version": "1.0" })).capabilities.extendedAgentCard).toBe(true);
    expect((await read({ "a2a-version": "0.3" })).supportsAuthenticatedExtendedCard).toBe(true);
    expect((await fetch(`${installation.url}/api/a2a/rest/extendedAgentCard`)).status).toBe(401);
  });
});
