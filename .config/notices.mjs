import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const NOTICES_FILE = "THIRD_PARTY_NOTICES";
/** Files of a package with its licence or notices. */
const LEGAL = /^(licen[cs]e|unlicense|copying|copyright|notice|third.?party|ofl)/i;
const RULE = "-".repeat(80);

/** Returns the folders of the packages of which a bundle contains code, from what esbuild reports. */
export function bundledFolders(root, ...metafiles) {
  const inputs = metafiles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  return [...new Set(inputs.filter((path) => path !== undefined))].map((path) => join(root, path));
}

/** Returns the folders of all packages installed in a folder. */
export function installedFolders(folder) {
  const modules = join(folder, "node_modules");
  if (!existsSync(modules)) return [];
  const names = readdirSync(modules)
    .filter((name) => !name.startsWith("."))
    .flatMap((name) =>
      name.startsWith("@") ? readdirSync(join(modules, name)).map((part) => join(name, part)) : [name],
    );
  const folders = names.map((name) => join(modules, name)).filter((path) => existsSync(join(path, "package.json")));
  return folders.flatMap((path) => [path, ...installedFolders(path)]);
}

/**
 * Returns the packages within others that were published in built form, which only source maps name: their name, the
 * version if the path has one, and the folder with their licence if they are also installed.
 */
export function packagesWithin(root, dist, folders) {
  const sources = readdirSync(dist)
    .filter((file) => file.endsWith(".map"))
    .flatMap((file) => JSON.parse(readFileSync(join(dist, file), "utf8")).sources);
  const found = new Map();
  for (const path of sources) {
    const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
    if (name === undefined || folders.some((folder) => folder.endsWith(`node_modules/${name}`))) continue;
    const [, version = "unversioned"] = /\.pnpm\/[^/]*?[^/@]@(\d[^/_]*)/.exec(path) ?? [];
    found.set(name, { name, version, folder: join(root, "node_modules", name) });
  }
  return [...found.values()];
}

/** Returns the notices of packages, which are `where`: of each the name, version, licence, source and its legal texts. */
export function formatNotices(where, folders, within = []) {
  const packages = [
    ...folders.map((folder) => ({ folder, ...readPackage(folder) })),
    ...within.map((inner) => ({ ...readPackage(inner.folder), ...inner })),
  ];
  const notices = new Map(packages.map((one) => [`${one.name} ${one.version}`, formatNotice(one)]));
  const sorted = [...notices].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  return [
    `Market Signal contains the packages below, ${where}. Each is under its own licence, which follows its name.\n`,
    ...sorted,
  ].join(`\n${RULE}\n`);
}

function readPackage(folder) {
  const file = join(folder, "package.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
}

function formatNotice({ name, version, license, repository, folder }) {
  const source = typeof repository === "string" ? repository : repository?.url;
  const lines = (licence) =>
    [`${name} ${version}`, `Licence: ${licence}`, ...(source ? [`Source: ${source}`] : [])].join("\n");
  if (!existsSync(folder)) return `${lines("that of the package which contains it")}\n`;
  const licence = typeof license === "string" ? license : (license?.type ?? "not stated");
  const texts = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && LEGAL.test(entry.name))
    .map((entry) => `\n${readFileSync(join(folder, entry.name), "utf8").trim()}\n`);
  const none = `\nThe package contains no text of its licence. It states the licence ${licence} (https://spdx.org/licenses/${licence}.html).\n`;
  return `${lines(licence)}\n${texts.length === 0 ? none : texts.join("")}`;
}
