import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { zipSync } from "fflate";
import { formatNotices, installedFolders, NOTICES_FILE } from "./notices.mjs";

// Writes the bundle that Claude Desktop and other hosts install with one click: the built program with the packages that
// it loads, for every system. Usage: build-mcpb.mjs [folder of the built program] [file to write]
const root = fileURLToPath(new URL("..", import.meta.url));
const [, , dist = join(root, "dist"), file = join(root, "dist/market-signal.mcpb")] = process.argv;
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
/** Systems of desktop hosts, as the package that draws pictures names its compiled parts. */
const SYSTEMS = /-(darwin-(x64|arm64)|win32-(x64|arm64)-msvc|linux-(x64|arm64)-gnu)$/;
/** Files that the program does not load. */
const UNUSED = /(?<!^SKILL)\.(map|md|d\.[cm]?ts|code|mcpb)$/;

/** Returns the manifest of the bundle. @see https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md */
function bundleManifest() {
  const { name, version, description, license } = manifest;
  const [summary] = description.split(":");
  return {
    manifest_version: "0.3",
    name,
    display_name: "Market Signal",
    version,
    description: summary,
    long_description: `${description} Without settings it answers from a simulated market, and says so in every answer.`,
    author: { name: "Market Signal authors" },
    license,
    keywords: ["trading", "stocks", "crypto", "signals", "backtesting"],
    server: {
      type: "node",
      entry_point: "dist/main.js",
      mcp_config: {
        command: "node",
        args: [`\${__dirname}/dist/main.js`, "stdio"],
        env: { MARKET_DATA: "${user_config.market_data}", DATA_DIR: "${user_config.data_dir}" },
      },
    },
    // the program lists them itself
    tools_generated: true,
    prompts_generated: true,
    compatibility: { platforms: ["darwin", "win32", "linux"], runtimes: { node: manifest.engines.node } },
    user_config: {
      market_data: {
        type: "string",
        title: "Market data",
        description: "sample: a simulated market; live: public providers; files:<folder>: your own CSV files",
        default: "sample",
        required: false,
      },
      data_dir: {
        type: "directory",
        title: "Data folder",
        description: "Folder for the database, the first key and the backups",
        default: "${HOME}/.market-signal",
        required: false,
      },
    },
  };
}

/** Installs the packages that the program loads, with the compiled parts of every system. */
function installPackages(folder) {
  const { dependencies } = manifest;
  const versions = Object.entries(dependencies).map(([name, range]) => `${name}@${range}`);
  const { optionalDependencies: compiled } = JSON.parse(
    readFileSync(join(root, "node_modules/@resvg/resvg-js/package.json"), "utf8"),
  );
  const parts = Object.entries(compiled)
    .filter(([name]) => SYSTEMS.test(name))
    .map(([name, version]) => `${name}@${version}`);
  const options = ["--ignore-scripts", "--prefer-offline", "--no-audit", "--no-package-lock", "--omit=optional"];
  // --force: npm refuses packages of other systems
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  execFileSync(npm, ["install", ...options, "--force", ...versions, ...parts], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
}

/** Returns the files of a folder by their path in the bundle. */
const filesOf = (folder) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !UNUSED.test(entry.name))
      .map(({ parentPath, path = parentPath, name }) => join(path, name))
      .map((path) => [relative(folder, path).split(sep).join("/"), readFileSync(path)]),
  );

const folder = mkdtempSync(join(tmpdir(), "market-signal-mcpb-"));
try {
  const { name, version, type, license } = manifest;
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name, version, type, license, private: true }));
  installPackages(folder);
  writeFileSync(join(folder, "manifest.json"), `${JSON.stringify(bundleManifest(), null, 2)}\n`);
  mkdirSync(join(folder, "dist"));
  cpSync(dist, join(folder, "dist"), { recursive: true });
  cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  // those of the packages bundled into the program are in dist
  writeFileSync(join(folder, NOTICES_FILE), formatNotices("in node_modules", installedFolders(folder)));
  writeFileSync(file, zipSync(filesOf(folder), { level: 9 }));
  console.log(file);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
