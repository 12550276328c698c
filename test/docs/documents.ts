import { readdirSync, readFileSync } from "node:fs";

const ROOT = new URL("../../", import.meta.url);

export interface Document {
  /** Path from the project root. */
  readonly path: string;
  readonly text: string;
}

/** The README and every guide in docs, except results that benchmarks write. */
export const documents: readonly Document[] = [
  "README.md",
  ...readdirSync(new URL("docs/", ROOT))
    .filter((file) => file.endsWith(".md"))
    .sort()
    .map((file) => `docs/${file}`),
].map((path) => ({ path, text: readFileSync(new URL(path, ROOT), "utf8") }));

/** Command lines of a document's `sh` blocks, in order, without comments. */
export const commandsIn = ({ text }: Document): readonly string[] =>
  [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)]
    .flatMap(([, block]) => block!.split("\n"))
    .map((line) => line.replace(/\s+#.*$/, "").trim())
    .filter((line) => line !== "" && !line.startsWith("#"));

/**
 * Returns a document with the text between `<!-- name -->` and `<!-- /name -->` replaced. Throws if the markers are
 * missing.
 */
export function withSection(text: string, name: string, content: string): string {
  const section = new RegExp(`<!-- ${name} -->[^]*<!-- /${name} -->`);
  if (!section.test(text)) throw new Error(`no section ${name}`);
  return text.replace(section, () => `<!-- ${name} -->\n${content}\n<!-- /${name} -->`);
}

/** The text of one document. */
export const documentText = (path: string): string => readFileSync(new URL(path, ROOT), "utf8");
