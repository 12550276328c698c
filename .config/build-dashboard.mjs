import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Resvg } from "@resvg/resvg-js";
import { build } from "esbuild";
import { directMantineImports } from "./mantine-imports.mjs";
import { usedMantineStyles } from "./mantine-styles.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const source = join(root, "src/dashboard");
const fromRoot = "src/dashboard";

/** Settings of pages and views. Their own JSX is that of React, not of the pages that the server renders. */
const options = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  metafile: true,
  platform: "browser",
  format: "esm",
  target: ["es2022", "safari16.4"],
  jsx: "automatic",
  jsxImportSource: "react",
  tsconfigRaw: {},
  define: { "process.env.NODE_ENV": '"production"' },
  legalComments: "none",
  logLevel: "warning",
};

/** Gives the client the routes of the tools, which are generated from their definitions. */
const routesPlugin = (routes) => ({
  name: "client-tools",
  setup({ onLoad }) {
    const contents = Object.entries(routes)
      .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
      .join("\n");
    onLoad({ filter: /src\/client\/tools\.ts$/ }, () => ({ contents, loader: "js" }));
  },
});

/**
 * Writes the pages and views to dist/dashboard: index.html, assets with hashed names, and views, each one file that
 * loads nothing. Returns what they are bundled from.
 */
export async function buildDashboard(dist, routes) {
  const folder = join(dist, "dashboard");
  mkdirSync(join(folder, "views"), { recursive: true });
  const pages = await buildPages(folder, routes);
  const views = await Promise.all(
    readdirSync(join(source, "views"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => buildView(name, join(folder, "views", `${name}.html`))),
  );
  cpSync(join(source, "public"), folder, { recursive: true });
  drawIcons(folder);
  return [pages, ...views];
}

/** Draws the icons of an installed page. Systems cut a maskable one, so it has a margin. */
function drawIcons(folder) {
  const icon = readFileSync(join(source, "public/icon.svg"), "utf8");
  const masked = icon.replace('viewBox="0 0 64 64"', 'viewBox="-8 -8 80 80"');
  const draw = (svg, width, name, background) => {
    const picture = new Resvg(svg, { fitTo: { mode: "width", value: width }, ...(background && { background }) });
    writeFileSync(join(folder, name), picture.render().asPng());
  };
  draw(icon, 192, "icon-192.png");
  draw(icon, 512, "icon-512.png");
  draw(masked, 512, "icon-maskable.png", "#10141c");
  draw(masked, 180, "apple-touch-icon.png", "#10141c");
}

async function buildPages(folder, routes) {
  const settings = {
    ...options,
    entryPoints: { main: `${fromRoot}/app/main.tsx`, scheme: `${fromRoot}/theme/scheme.ts` },
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    assetNames: "[name]-[hash]",
    outdir: join(folder, "assets"),
    publicPath: "/assets",
    splitting: true,
    plugins: [routesPlugin(routes), directMantineImports],
  };
  // the scripts say which of the styles they use
  const { outputFiles } = await build({ ...settings, write: false });
  const scripts = outputFiles.flatMap(({ path, text }) => (path.endsWith(".js") ? text : [])).join("\n");
  const { metafile } = await build({ ...settings, plugins: [...settings.plugins, usedMantineStyles(scripts)] });
  const built = Object.keys(metafile.outputs).map((path) => basename(path));
  const address = (pattern) => `/assets/${built.find((name) => pattern.test(name))}`;
  const preloads = importedBy(metafile, address(/^main-.*\.js$/)).map(
    (name) => `<link rel="modulepreload" href="/assets/${name}" />`,
  );
  const html = readFileSync(join(source, "index.html"), "utf8")
    .replace("__PRELOADS__", preloads.join("\n    "))
    .replace("__SCHEME__", address(/^scheme-.*\.js$/))
    .replace("__STYLE__", address(/^main-.*\.css$/))
    .replace("__MAIN__", address(/^main-.*\.js$/));
  writeFileSync(join(folder, "index.html"), html);
  return metafile;
}

/** Returns the names of the chunks that a script cannot run without, so that a browser loads them together with it. */
function importedBy({ outputs }, address) {
  const found = new Set();
  const add = (name) => {
    const [, output] = Object.entries(outputs).find(([path]) => basename(path) === name);
    for (const { path, kind } of output.imports) {
      if (kind !== "import-statement" || found.has(basename(path))) continue;
      found.add(basename(path));
      add(basename(path));
    }
  };
  add(basename(address));
  return [...found];
}

/** Builds a view as one file. Preact stands in for React, which would be three times as large. */
async function buildView(name, file) {
  const { metafile, outputFiles } = await build({
    ...options,
    stdin: {
      contents: `import { mountView } from "./mcp/entry.tsx";
import { View } from "./views/${name}/${name}.tsx";
mountView(${JSON.stringify(name)}, View);`,
      resolveDir: source,
      loader: "tsx",
    },
    alias: {
      react: "preact/compat",
      "react-dom/client": "preact/compat/client",
      "react/jsx-runtime": "preact/jsx-runtime",
    },
    outdir: "views",
    write: false,
  });
  const textOf = (extension) => outputFiles.find(({ path }) => path.endsWith(extension))?.text ?? "";
  // a text of the script would end it
  const script = textOf(".js").replaceAll("</script", "<\\/script");
  writeFileSync(
    file,
    `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Market Signal: ${name}</title><style>${textOf(".css")}</style></head>
<body><main id="root"></main><script type="module">${script}</script></body>
</html>
`,
  );
  return metafile;
}
