import type { Config } from "../config.ts";
import { SetupError } from "../lib/setup-error.ts";
import type { QueryHelp } from "../ports/index.ts";
import { llmQueryHelp } from "../providers/llm/query-help.ts";

/** A language model that helps to read questions, where the settings name one. */
export function queryHelpOf({
  INTERPRET_LLM: url,
  INTERPRET_LLM_MODEL: model,
  INTERPRET_LLM_KEY: key,
}: Config): QueryHelp {
  if (url === undefined) return { read: null };
  if (model === undefined)
    throw new SetupError("INTERPRET_LLM needs INTERPRET_LLM_MODEL, the name of a model");
  return llmQueryHelp({ fetch, url, model, key });
}
