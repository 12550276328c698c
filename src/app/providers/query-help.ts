import type { QueryHelp } from "../../domain/ports.ts";
import { SetupError } from "../../lib/setup-error.ts";
import { llmQueryHelp } from "../../providers/llm/query-help.ts";
import type { Config } from "../config.ts";

/**
 * Creates the language model that helps to interpret questions, if the settings connect one. Throws SetupError if the
 * model name is missing.
 */
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
