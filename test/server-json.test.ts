import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
// @ts-expect-error plain JavaScript, which the build uses
import { external } from "../.config/bundle-options.mjs";
// @ts-expect-error plain JavaScript, which the release runs
import { serverManifest } from "../.config/server-manifest.mjs";
import { describeConfig } from "../src/app/config.ts";

const read = (file: string) => JSON.parse(readFileSync(file, "utf8"));
const { name, mcpName, version, description, bin, dependencies, optionalDependencies, peerDependencies } =
  read("package.json");
/** Settings that a host may offer. */
const OFFERED = ["DATA_DIR", "MARKET_DATA"];

const secret = { description: z.string(), isRequired: z.literal(true), isSecret: z.literal(true) };
const remoteSchema = z.strictObject({
  type: z.enum(["streamable-http", "sse"]),
  url: z.string().regex(/^https:\/\/[^\s]+$/),
  headers: z.array(
    z.strictObject({
      ...secret,
      name: z.string(),
      value: z.string(),
      variables: z.record(z.string(), z.strictObject(secret)),
    }),
  ),
});

/** The rules of the registry. @see https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json */
const serverSchema = z.strictObject({
  $schema: z.literal("https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z
    .string()
    .max(255)
    .regex(/^\d+\.\d+\.\d+/),
  packages: z.array(
    z.strictObject({
      registryType: z.literal("npm"),
      identifier: z.string(),
      version: z.string().regex(/^\d+\.\d+\.\d+/),
      runtimeHint: z.literal("npx"),
      transport: z.strictObject({ type: z.literal("stdio") }),
      packageArguments: z.array(z.strictObject({ type: z.literal("positional"), value: z.string() })),
      environmentVariables: z.array(z.strictObject({ name: z.string(), description: z.string() })),
    }),
  ),
  remotes: z.array(remoteSchema).optional(),
});

describe("server.json, which the MCP registry reads", () => {
  it("is made of package.json and the settings", async () => {
    const server = {
      $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
      name: mcpName,
      title: "Market Signal",
      description: description.split(":")[0],
      version,
      packages: [
        {
          registryType: "npm",
          identifier: name,
          version,
          runtimeHint: "npx",
          transport: { type: "stdio" },
          packageArguments: [{ type: "positional", value: "stdio" }],
          environmentVariables: describeConfig({})
            .filter((setting) => OFFERED.includes(setting.name))
            .map((setting) => ({ name: setting.name, description: setting.purpose })),
        },
      ],
    };
    await expect(`${JSON.stringify(server, null, 2)}\n`).toMatchFileSnapshot("../server.json");
  });

  it("follows the rules of the registry", () => {
    const server = serverSchema.parse(read("server.json"));
    expect(server.packages[0]!.environmentVariables.map((variable) => variable.name)).toEqual(OFFERED);
    expect(Object.keys(bin)).toEqual([name]); // npx runs the command of this name
  });
});

describe("server.json of a release", () => {
  it("has the version of the release, and no remotes", () => {
    const server = serverSchema.parse(serverManifest(read("server.json"), "9.9.9"));
    expect([server.version, server.packages.map((one) => one.version)]).toEqual(["9.9.9", ["9.9.9"]]);
    expect(server.remotes).toBeUndefined();
  });

  it("has the MCP addresses of a public server, with its key as a secret", () => {
    const { remotes } = serverSchema.parse(
      serverManifest(read("server.json"), "9.9.9", "https://x.example/ms/"),
    );
    expect(remotes?.map(({ type, url }) => [type, url])).toEqual([
      ["streamable-http", "https://x.example/ms/api/mcp"],
      ["sse", "https://x.example/ms/api/mcp/sse"],
    ]);
    expect(remotes?.[0]?.headers).toMatchObject([{ name: "Authorization", value: "Bearer {key}" }]);
  });
});

describe("package.json", () => {
  it("makes a user install exactly the packages that the build leaves out of the bundle", () => {
    const installed = [dependencies, optionalDependencies, peerDependencies].flatMap(Object.keys);
    expect(installed.sort()).toEqual([...external].sort());
  });
});

describe("package-lock.json", () => {
  // npm skips an optional package whose engines in the lockfile exclude the running Node. The package itself states more
  // versions; write this range into the lockfile again after an update of the package.
  it("keeps npm ci from compiling better-sqlite3 for Node 22.16 and later, which have SQLite themselves", () => {
    const { packages } = read("package-lock.json");
    expect(packages["node_modules/better-sqlite3"]).toMatchObject({
      optional: true,
      engines: { node: "20.x || >=21 <22.16 || 23.x" },
    });
  });
});
