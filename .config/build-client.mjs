import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { compile } from "json-schema-to-typescript";

const root = fileURLToPath(new URL("..", import.meta.url));
const TOOLS_MODULE = "client-tools";

/**
 * Writes the typed client to a folder: client.js, one module without dependencies, and its types, which are made of the
 * schemas that the server publishes, so that they need no other package. Returns the routes, and what
 * the module is bundled from.
 */
export async function buildClient(dist) {
  const made = mkdtempSync(join(tmpdir(), "market-signal-client-"));
  try {
    const { tools, jsonSchemaOf } = await loadDefinitions(made);
    const streams = tools.filter(({ http }) => http?.stream !== undefined);
    const routes = {
      ROUTES: Object.fromEntries(tools.map(({ name, route }) => [name, route])),
      STREAM_ROUTES: Object.fromEntries(streams.map(({ name, http }) => [name, http.stream.route])),
    };
    const metafile = await writeModule(dist, routes);
    writeDeclarations(dist);
    writeFileSync(
      join(dist, `${TOOLS_MODULE}.d.ts`),
      [await toolTypes(tools, jsonSchemaOf), streamTypes(streams), routeTypes(routes)].join("\n"),
    );
    return { routes, metafile };
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** Bundles the tool definitions into a file and imports it, because Node 20 runs no TypeScript. */
async function loadDefinitions(folder) {
  const outfile = join(folder, "definitions.mjs");
  await build({
    absWorkingDir: root,
    stdin: {
      contents: `export { catalogue } from "./src/app/catalogue.ts"; export { jsonSchemaOf } from "./src/kernel/publish.ts";`,
      resolveDir: root,
    },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    banner: {
      js: 'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);',
    },
    define: { "import.meta.url": JSON.stringify(pathToFileURL(join(root, "src/main.ts")).href) },
    external: ["@resvg/resvg-js", "piscina"],
    logLevel: "warning",
  });
  const { catalogue, jsonSchemaOf } = await import(pathToFileURL(outfile).href);
  return { tools: Object.values(catalogue), jsonSchemaOf };
}

async function writeModule(dist, routes) {
  const contents = Object.entries(routes)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
    .join("\n");
  const { metafile } = await build({
    absWorkingDir: root,
    metafile: true,
    entryPoints: { client: "src/client/client.ts" },
    outdir: dist,
    bundle: true,
    platform: "neutral",
    mainFields: ["module", "main"],
    target: "es2022",
    logLevel: "warning",
    plugins: [
      {
        name: "client-tools",
        setup({ onLoad }) {
          onLoad({ filter: /src\/client\/tools\.ts$/ }, () => ({ contents, loader: "js" }));
        },
      },
    ],
  });
  return metafile;
}

/** Writes the declarations of the client's own files, which name the generated one where the sources name tools.ts. */
function writeDeclarations(dist) {
  const made = mkdtempSync(join(tmpdir(), "market-signal-types-"));
  try {
    const project = {
      extends: join(root, "tsconfig.json"),
      compilerOptions: {
        rootDir: join(root, "src/client"),
        outDir: made,
        noEmit: false,
        declaration: true,
        emitDeclarationOnly: true,
        typeRoots: [join(root, "node_modules/@types")],
      },
      include: [],
      files: [join(root, "src/client/client.ts")],
    };
    writeFileSync(join(made, "tsconfig.json"), JSON.stringify(project));
    execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", made]);
    for (const [from, to] of [
      ["client", "client"],
      ["error", "client-error"],
    ]) {
      const text = readFileSync(join(made, `${from}.d.ts`), "utf8");
      writeFileSync(
        join(dist, `${to}.d.ts`),
        text.replaceAll(/"\.\/(error|tools)\.ts"/g, (_, name) => `"./client-${name}.js"`),
      );
    }
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** Returns the input and output types of every tool by name. */
function toolTypes(tools, jsonSchemaOf) {
  const object = (properties) => ({
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  });
  const schema = object(
    Object.fromEntries(
      tools.map(({ name, description, input, output }) => [
        name,
        {
          ...object({ input: jsonSchemaOf(input, "input"), output: jsonSchemaOf(output, "output") }),
          description,
        },
      ]),
    ),
  );
  return compile(schema, "Tools", {
    bannerComment: "/** The input and output of every tool by name. */",
    additionalProperties: false,
    format: false,
    ignoreMinAndMaxItems: true,
  });
}

/** Returns the input and event types of every stream by the name of its tool. */
function streamTypes(tools) {
  const streams = tools.map(({ name, http }) => {
    const quotes = http.stream.of === "quotes";
    const item = `Tools["${name}"]["output"]["${quotes ? "quotes" : "changes"}"][number]`;
    const others = (quotes ? ["hello", "unavailable", "end"] : ["hello", "watching", "end"])
      .map((event) => JSON.stringify(event))
      .join(" | ");
    return `${name}: {
input: Tools["${name}"]["input"]
event: { event: "${quotes ? "quote" : "change"}", id: string | null, data: ${item} } | { event: ${others}, id: string | null, data: Record<string, unknown> }
}`;
  });
  return `/** The input and events of every stream by the name of its tool. */\nexport interface Streams {\n${streams.join("\n")}\n}`;
}

const routeTypes = (routes) =>
  Object.keys(routes)
    .map((name) => `export declare const ${name}: Readonly<Record<string, string>>;`)
    .join("\n");
