import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { describeConfig } from "../src/app/config.ts";

const read = (file: string) => JSON.parse(readFileSync(file, "utf8"));
const { name, mcpName, version, description, bin, dependencies, optionalDependencies, peerDependencies } =
  read("package.json");
/** Settings that a host may offer. */
const OFFERED = ["DATA_DIR", "MARKET_DATA"];

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

describe("package.json", () => {
  it("makes a user install exactly the packages that the build leaves out of the bundle", () => {
    const [, list] = /external: \[([^\]]+)\]/.exec(readFileSync(".config/build.mjs", "utf8"))!;
    const external = list!.split(",").map((text) => JSON.parse(text));
    const installed = [dependencies, optionalDependencies, peerDependencies].flatMap(Object.keys);
    expect(installed.sort()).toEqual(external.sort());
  });
});
