import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nearestNames } from "../lib/nearest-names.ts";
import { SetupError } from "../lib/setup-error.ts";
import { dataDirError, prepareDataDir, SETTINGS_FILE, syncPath } from "../store/data-dir.ts";
import {
  isSecret,
  notStoredReason,
  SETTING_NAMES,
  type SettingName,
  withAbsolutePath,
} from "./setting-table.ts";
import { isPresent } from "./setting-values.ts";

/** One value of the file, as text like that of an environment variable, and the number of its line. */
interface FileValue {
  readonly text: string;
  readonly line: number;
}

/** The settings of a data folder. `values` is empty if there is no file. */
export interface SettingsFile {
  readonly path: string;
  readonly values: ReadonlyMap<SettingName, FileValue>;
}

type Toml = typeof import("smol-toml");
/** Loaded only where there is a file, because most commands need no parser. */
const toml = (): Promise<Toml> => import("smol-toml");

/** Returns the name of a setting in the file: that of the environment variable in lower case. */
export const fileNameOf = (name: SettingName): string => name.toLowerCase();

/**
 * Reads the settings file of a data folder. @throws SetupError, which names the file and the line, for a file that
 * cannot be read or is no TOML, an unknown name, a secret in plain text, and a value of another kind.
 */
export async function readSettingsFile(dataDir: string): Promise<SettingsFile> {
  const path = join(dataDir, SETTINGS_FILE);
  const text = readText(path);
  return { path, values: text === null ? new Map() : valuesOf(await toml(), text, dataDir) };
}

function valuesOf(library: Toml, text: string, dataDir: string): SettingsFile["values"] {
  const path = join(dataDir, SETTINGS_FILE);
  const entries = Object.entries(parse(library, text, path)).map(([key, value]): [SettingName, FileValue] => {
    const line = lineOf(text, key);
    const refuse = (why: string): never => {
      throw new SetupError(`${path}, line ${line}: ${why}`);
    };
    const name = SETTING_NAMES.find((one) => fileNameOf(one) === key) ?? refuse(unknownNameText(key));
    const reason = notStoredReason(name);
    if (reason !== null) refuse(`${key} cannot be set here, because ${reason}`);
    if (isSecret(name))
      refuse(
        `${key} is a secret, which is never stored in plain text; remove the line and run \`market-signal config set ${name}\``,
      );
    const given =
      textOf(value) ?? refuse(`${key} must be a text in quotes, a number, true or false, or a list of these`);
    return [name, { text: withAbsolutePath(name, given, dataDir), line }];
  });
  return new Map(entries.filter(([, { text: given }]) => isPresent(given)));
}

/** Returns why a name is no setting, with the nearest one. */
function unknownNameText(key: string): string {
  const [nearest] = nearestNames(key, SETTING_NAMES.map(fileNameOf));
  return `there is no setting ${JSON.stringify(key.slice(0, 60))}; the nearest name is ${nearest}`;
}

/** Returns null if there is no such file. */
function readText(path: string): string | null {
  try {
    if (!existsSync(path)) return null;
    return readFileSync(path, "utf8");
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : "unknown error";
    throw new SetupError(`${path} cannot be read (${code}); make it a file that this user can read`, {
      cause,
    });
  }
}

/** @throws SetupError with the line for a text that is no TOML */
function parse({ parse: parseToml, TomlError }: Toml, text: string, path: string): Record<string, unknown> {
  try {
    return parseToml(text);
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    const [reason = ""] = cause.message.replace(/^Invalid TOML document: /, "").split("\n");
    throw new SetupError(
      `${path}, line ${cause.line}: not valid TOML (${reason}); correct the line, for example: port = 9000`,
      { cause },
    );
  }
}

/** Returns the number of the line that sets a key, from 1. */
function lineOf(text: string, key: string): number {
  const named = new RegExp(`^\\s*\\[*\\s*["']?${key.replace(/[^\w-]/g, ".")}["']?\\s*[\\].=]`);
  return text.split("\n").findIndex((line) => named.test(line)) + 1;
}

/** Returns a value of TOML as the text of an environment variable; null for a table or a time. */
function textOf(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (!Array.isArray(value)) return null;
  const items = value.map(textOf);
  return items.includes(null) ? null : items.join(",");
}

/**
 * Sets a value in the settings file, or removes it for null; comments and other lines stay. Creates the data folder and
 * the file, which only its owner can read. Returns the path of the file and whether the setting was in it. @throws
 * SetupError for a broken file, which stays unchanged.
 */
export async function writeToSettingsFile(
  dataDir: string,
  name: SettingName,
  text: string | null,
): Promise<{ readonly path: string; readonly wasSet: boolean }> {
  prepareDataDir(dataDir);
  const { withStartLock } = await import("../store/start-lock.ts");
  return withStartLock(dataDir, async () => {
    const { path, values } = await readSettingsFile(dataDir);
    const library = await toml();
    const next = withEntry(library, readText(path) ?? "", fileNameOf(name), text);
    const expected = new Map([...values].map(([one, { text: old }]) => [one, old]));
    expected.delete(name);
    if (text !== null && isPresent(text)) expected.set(name, withAbsolutePath(name, text, dataDir));
    const written = new Map([...valuesOf(library, next, dataDir)].map(([one, { text: now }]) => [one, now]));
    if (written.size !== expected.size || [...expected].some(([one, value]) => written.get(one) !== value))
      throw new SetupError(`${path}: ${fileNameOf(name)} cannot be changed by this command; edit its line`);
    replaceFile(dataDir, path, next);
    return { path, wasSet: values.has(name) };
  });
}

/** Returns the text of the file with another value of a key; null removes it. */
function withEntry(library: Toml, before: string, key: string, value: string | null): string {
  const lines = before.trimEnd().split("\n");
  const entry = value === null ? [] : [library.stringify({ [key]: tomlValue(value) }).trimEnd()];
  const { start, count } = spanOf(library, lines, key) ?? { start: lines.length, count: 0 };
  lines.splice(start, count, ...entry);
  const next = lines.join("\n").trim();
  return next === "" ? "" : `${next}\n`;
}

/** Returns a text as a number or a truth value, if it is written exactly like one. */
function tomlValue(text: string): string | number | boolean {
  if (text === "true" || text === "false") return text === "true";
  const number = Number(text);
  return Number.isFinite(number) && String(number) === text && /^-?\d+(\.\d+)?$/.test(text) ? number : text;
}

/** Returns the lines that set a key, which may be several; null if none does. */
function spanOf(
  { parse: parseToml }: Toml,
  lines: readonly string[],
  key: string,
): { readonly start: number; readonly count: number } | null {
  const start = lineOf(lines.join("\n"), key) - 1;
  for (let count = 1; start >= 0 && start + count <= lines.length; count++) {
    try {
      if (key in parseToml(lines.slice(start, start + count).join("\n"))) return { start, count };
    } catch {} // the value ends on a later line
  }
  return null;
}

/** Replaces a file at once, so that a reader sees the old or the new text, never a part. */
function replaceFile(dataDir: string, path: string, text: string): void {
  const next = `${path}.${randomUUID()}`;
  try {
    writeFileSync(next, text, { mode: 0o600, flag: "wx" });
    syncPath(next);
    renameSync(next, path);
    syncPath(dataDir);
  } catch (cause) {
    rmSync(next, { force: true });
    throw dataDirError(dataDir, cause);
  }
}
