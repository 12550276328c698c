import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "vitest/node";

/** A string literal of a source file, or a part of one. */
export interface SourceText {
  readonly text: string;
  /** Name of the nearest property or constant that holds it; empty without one. */
  readonly name: string;
}

/** Returns the paths of the TypeScript files of a folder. */
export const sourceFiles = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(folder, file));

/** Returns the string literals of a source file that hold prose, without import paths. */
export function proseIn(file: string): readonly SourceText[] {
  const texts: SourceText[] = [];
  const visit = (value: unknown, holder: string): void => {
    if (typeof value !== "object" || value === null) return;
    const node = value as {
      readonly type?: string;
      readonly value?: unknown;
      readonly key?: { readonly name?: string };
      readonly id?: { readonly name?: string };
    };
    const { type = "" } = node;
    if (type.startsWith("Import") || type.startsWith("ExportAll")) return;
    const name =
      (type === "Property" ? node.key?.name : type === "VariableDeclarator" ? node.id?.name : undefined) ??
      holder;
    if (type === "TemplateElement") texts.push({ text: (node.value as { raw: string }).raw, name });
    else if (typeof node.value === "string") texts.push({ text: node.value, name });
    else for (const child of Object.values(node)) if (typeof child === "object") visit(child, name);
  };
  visit(parseAst(readFileSync(file, "utf8"), { lang: file.endsWith("x") ? "tsx" : "ts" }), "");
  return texts.filter(({ text }) => text.trim().includes(" "));
}
