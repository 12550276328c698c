import { readFileSync } from "node:fs";
import { join } from "node:path";

/** One file of provider answers that must be read rightly. */
interface AnswerFile {
  readonly exchanges: readonly { readonly url: string; readonly status: number; readonly body: unknown }[];
}

/** Returns a fetch that answers with the exchanges of a file, by path; other requests fail. */
export function answersOf(folder: string, name: string): typeof globalThis.fetch {
  const { exchanges } = JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as AnswerFile;
  return async (input) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const found = exchanges.find(({ url }) => new URL(url).pathname === pathname);
    if (found === undefined) throw new TypeError(`no answer for ${pathname}`);
    const { body, status } = found;
    return new Response(typeof body === "string" ? body : JSON.stringify(body), { status });
  };
}
