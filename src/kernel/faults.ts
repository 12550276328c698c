import type { z } from "zod";
import { plainText } from "../lib/plain-text.ts";

/** One thing wrong with an input: where (JSON pointer) and what, in words fit to show. */
export interface Fault {
  readonly pointer: string;
  readonly detail: string;
}

const MOST = 10;
const LONGEST_NAME = 40;

/** What is wrong with an input, ten faults at most. Names that the caller made up come back short and plain. */
export function faultsOf({ issues }: z.ZodError): readonly Fault[] {
  return issues
    .flatMap((issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys
            .slice(0, MOST)
            .map((key) => ({ pointer: pointerTo([...issue.path, key]), detail: "unknown field" }))
        : [{ pointer: pointerTo(issue.path), detail: issue.message }],
    )
    .slice(0, MOST);
}

const pointerTo = (path: readonly PropertyKey[]): string =>
  path
    .map((step) => `/${plainText(String(step), LONGEST_NAME).replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
