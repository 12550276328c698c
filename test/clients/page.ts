import { readFileSync } from "node:fs";
import { type MeasuredClient, OPERATIONS } from "./clients.ts";
import { installedVersion } from "./libraries.ts";
import type { Outcomes } from "./measure.ts";

/** The outcomes of one client over one transport. */
export interface MatrixRow {
  readonly client: MeasuredClient;
  readonly transport: string;
  readonly outcomes: Outcomes;
}

/** Returns the table of docs/clients.md, and below it the reasons of `not offered`. */
export function matrixTable(rows: readonly MatrixRow[]): string {
  const head = ["Client", "Version", "Transport", ...OPERATIONS.map(capitalized)];
  const cells = rows.map(({ client, transport, outcomes }) => [
    client.title,
    client.packages.map(installedVersion).join(", "),
    transport,
    ...OPERATIONS.map((operation) => outcomes[operation] ?? "not measured"),
  ]);
  const table = [head, head.map(() => "---"), ...cells].map((line) => `| ${line.join(" | ")} |`);
  const reasons = [...new Set(rows.map(({ client }) => client))].flatMap(({ title, notOffered = {} }) =>
    Object.entries(notOffered).map(
      ([operation, reason]) => `- ${title}: ${operation} is not offered, ${reason}.`,
    ),
  );
  return [...table, "", ...reasons].join("\n");
}

/** Returns the marked code of every driver, with its imports, as a section of docs/clients.md. */
export const clientCode = (clients: readonly MeasuredClient[]): string =>
  clients.map(({ title, driver }) => `### ${title}\n\n\`\`\`js\n${codeOf(driver)}\n\`\`\``).join("\n\n");

function codeOf(driver: string): string {
  const source = readFileSync(new URL(`drivers/${driver}.mjs`, import.meta.url), "utf8");
  const [, marked] = /^ *\/\/ docs:start\n([\s\S]*?)\n *\/\/ docs:end$/m.exec(source) ?? [];
  if (marked === undefined)
    throw new Error(`drivers/${driver}.mjs has no lines between docs:start and docs:end`);
  const code = marked.replace(/\/\/ .*$/gm, "");
  const imports = [...source.matchAll(/^import (?!type )([^;]*) from "([^"]+)";$/gm)].filter(([, names]) =>
    [...names!.matchAll(/\w+/g)].some(([name]) => new RegExp(`\\b${name}\\b`).test(code)),
  );
  const lines = imports.map(([line]) => line.replace("@a2a-js/sdk-0.3", "@a2a-js/sdk"));
  return [...lines, ...(lines.length > 0 ? [""] : []), marked.replace(/^ {2}/gm, "")].join("\n");
}

const capitalized = (word: string): string => word[0]!.toUpperCase() + word.slice(1);
