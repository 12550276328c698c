import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { NOTICES_FILE } from "./notices.mjs";
import { serverManifest } from "./server-manifest.mjs";

// Makes a release: npm run release -- <version> [--dry-run]. Writes the version into the files that state it, dates the
// section of the changelog, builds, and writes the npm package, the MCP bundle, the image and server.json to the folder
// release. A dry run checks everything that is there and writes nothing. Works in the current folder.
const USAGE = "Usage: npm run release -- <version> [--dry-run]";
const UNRELEASED = "## Unreleased\n";
const root = process.cwd();
const out = join(root, "release");
const path = (name) => join(root, name);
const readJson = (name) => JSON.parse(readFileSync(path(name), "utf8"));
const writeJson = (name, value) => writeFileSync(path(name), `${JSON.stringify(value, null, 2)}\n`);
const say = (name, text) => console.log(`${name.padEnd(10)} ${text}`);

/** Ends the release with a sentence. */
function refuse(sentence) {
  console.error(sentence);
  process.exit(1);
}

/** Returns the arguments. @throws when they are no version and no known option */
function readArguments() {
  try {
    const options = { "dry-run": { type: "boolean", default: false } };
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    return { isDry: values["dry-run"], version: positionals[0] ?? readJson("package.json").version };
  } catch (cause) {
    return refuse(`${cause.message}\n${USAGE}`);
  }
}

/** Returns the section of the changelog that becomes the one of this version, without its heading. */
function unreleasedSection(changelog) {
  const start = changelog.indexOf(UNRELEASED);
  if (start < 0) refuse('docs/CHANGELOG.md has no section "Unreleased".');
  const [section] = changelog.slice(start + UNRELEASED.length).split(/^## /m);
  if (section.trim() === "")
    refuse('The section "Unreleased" of docs/CHANGELOG.md is empty: there is nothing to release.');
  return section.trim();
}

/** Returns true if a version is later than another one. */
const isLater = (version, than) => {
  const [a, b] = [version, than].map((text) => text.split(".").map(Number));
  const first = a.findIndex((number, index) => number !== b[index]);
  return first >= 0 && a[first] > b[first];
};

/** Returns the first container engine that works on this machine; undefined without one. */
const containerEngine = () =>
  ["docker", "podman"].find((name) => spawnSync(name, ["info"], { stdio: "ignore" }).status === 0);

const run = (command, args, options = {}) =>
  execFileSync(command, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"], ...options });

const { isDry, version } = readArguments();
const { name, version: before } = readJson("package.json");
if (!/^\d+\.\d+\.\d+$/.test(version)) refuse(`${version} is no version such as 0.2.0.\n${USAGE}`);
if (version !== before && !isLater(version, before)) refuse(`${version} is not later than ${before}.`);
const changelog = readFileSync(path("docs/CHANGELOG.md"), "utf8");
const section = unreleasedSection(changelog);
const publicUrl = process.env.PUBLIC_URL || null;
if (publicUrl !== null && !/^https:\/\/[^\s/]+/.test(publicUrl))
  refuse(`PUBLIC_URL must begin with https://, and is ${publicUrl}.`);
const server = serverManifest(readJson("server.json"), version, publicUrl);
const heading = `## ${version} (${new Date().toISOString().slice(0, 10)})`;
const engine = containerEngine();
if (!isDry && execFileSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" }) !== "")
  refuse("The work tree has changes: commit them first, so that the release is what the repository holds.");

if (!isDry) {
  const options = ["--no-git-tag-version", "--allow-same-version", "--ignore-scripts"];
  run("npm", ["version", version, ...options], { stdio: "ignore" });
  const { remotes: _, ...own } = server; // the repository names no server
  writeJson("server.json", own);
  writeFileSync(path("docs/CHANGELOG.md"), changelog.replace(UNRELEASED, `${UNRELEASED}\n${heading}\n`));
  run("npm", ["run", "build"]);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out);
}
say("version", `${before} to ${version}, in package.json, package-lock.json and server.json`);
say("changelog", `${section.split("\n").filter((line) => line.startsWith("- ")).length} changes under "${heading}"`);

const notices = join(root, "dist", NOTICES_FILE);
if (!existsSync(notices)) refuse(`dist/${NOTICES_FILE} is missing: run npm run build first.`);
say("notices", `${readFileSync(notices, "utf8").match(/^Licence: /gm).length} packages in dist/${NOTICES_FILE}`);

const packing = ["pack", "--json", "--ignore-scripts", ...(isDry ? ["--dry-run"] : ["--pack-destination", out])];
const [packed] = JSON.parse(run("npm", packing, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
say("package", `release/${name}-${version}.tgz: ${packed.files.length} files, ${(packed.size / 2 ** 20).toFixed(1)} MB`);

const bundle = `${name}-${version}.mcpb`;
const bundler = fileURLToPath(new URL("build-mcpb.mjs", import.meta.url));
if (!isDry) run("node", [bundler, path("dist"), join(out, bundle)], { stdio: "ignore" });
say("bundle", `release/${bundle}, an MCP bundle`);

const image = `${name}:${version}`;
const archive = `${name}-${version}-image.tar`;
if (engine === undefined)
  say("image", `not made, because neither docker nor podman runs here: docker build -t ${image} .`);
else {
  if (!isDry) {
    run(engine, ["build", "--tag", image, "."]);
    run(engine, ["save", "--output", join(out, archive), image]);
  }
  say("image", `release/${archive}, made by ${engine} build --tag ${image} .`);
}

if (!isDry) writeJson("release/server.json", server);
const remotes = server.remotes?.map(({ url }) => url).join(", ") ?? "none, because PUBLIC_URL is not set";
say("registry", `release/server.json; remotes: ${remotes}`);
console.log(
  isDry
    ? "Dry run: nothing was written."
    : `Now check the folder release, then: git commit -am "release: ${version}" && git tag v${version} && npm publish release/${name}-${version}.tgz`,
);
