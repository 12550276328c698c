import { readFileSync } from "node:fs";
import type { ToolSearch } from "../domain/ports.ts";
import { createToolSearch } from "../features/requests/find-tools.ts";
import { decodeModels, type RequestModels } from "../features/requests/model/model.ts";
import type { Registry } from "../kernel/registry.ts";

/** File of the classifiers of requests, which the build trains and stores next to the program. */
export const REQUEST_MODEL_FILE = "requests.model";

/** Reads the classifiers of requests: from next to the program, or when run from source from the last build. */
export function readRequestModels(): RequestModels {
  const isBundle = !import.meta.url.endsWith(".ts");
  const file = new URL(
    isBundle ? `./${REQUEST_MODEL_FILE}` : `../../dist/${REQUEST_MODEL_FILE}`,
    import.meta.url,
  );
  return decodeModels(readFileSync(file));
}

/** Creates the search of tools by words over the tools of this server. */
export const toolSearchOver = (registry: () => Pick<Registry, "tools" | "unavailable">): ToolSearch =>
  createToolSearch(
    () => registry().tools,
    readRequestModels,
    () => registry().unavailable,
  );
