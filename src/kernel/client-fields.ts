import type { Fields } from "../lib/fields.ts";

/** Names that clients add to the arguments of a tool for their own use: ids, texts for the user, and plans of a model. */
const ALWAYS: ReadonlySet<string> = new Set(
  [
    // ids of calls and conversations: n8n, LangChain, Vercel, Flowise, Dify, AutoGen
    "call_id tool_call_id tool_use_id session_id conversation_id thread_id chat_id message_id request_id run_id",
    "trace_id span_id correlation_id execution_id workflow_id workflow_run_id turn_id checkpoint_id user_id",
    // what the user wrote: chat triggers of n8n and Flowise
    "chat_input user_input user_message user_query form_mode submitted_at execution_mode webhook_url",
    // reasons and plans of a model: Cursor, Cline, Roo, Windsurf, Copilot, CrewAI
    "reasoning thought thoughts thinking rationale explanation justification task_progress random_string",
    "tool_summary tool_action wait_for_previous_tools wait_for_previous requires_approval safe_to_auto_run",
    "security_context cancellation_token run_manager callbacks recursion_limit thought_signature",
    "progress_token abort_signal tool_context",
  ]
    .join(" ")
    .split(" "),
);

/** Names that clients add only with such values; with others they may be meant for the tool. */
const BY_VALUE: Readonly<Record<string, (value: unknown, tool: string) => boolean>> = {
  action: (value) => !(typeof value === "string" && TRADING_WORD.test(words(value))),
  tool: isNameOf,
  tool_name: isNameOf,
  name: isNameOf,
  type: (value) => typeof value === "string" && /^(?:tool_?(?:call|use)|function(?:_?call)?)$/i.test(value),
  id: (value) => typeof value === "string" && /^(?:call|toolu|tool|chatcmpl|fc|run)[_-]/i.test(value),
};

/** Names of the item of a schedule trigger of n8n, which are times of the trigger. */
const SCHEDULE: ReadonlySet<string> = new Set(
  "timestamp,Readable date,Readable time,Day of week,Year,Month,Day of month,Hour,Minute,Second,Timezone".split(
    ",",
  ),
);
/** Names of the item of a webhook trigger of n8n. */
const WEBHOOK: ReadonlySet<string> = new Set(["headers", "params", "query", "body"]);

/** Words of an action that means a trade or another change. */
const TRADING_WORD =
  /\b(?:buy|sell|long|short|cover|open|close|enter|exit|hold|trade|orders?|bid|ask|cancel|execute|submit|place|preview|approve|confirm|liquidate|flatten|reduce|add|start|stop|halt|pause|resume|remove|delete|connect|disconnect|import|sync|save|subscribe)\b/;

const words = (text: string): string => text.replace(/(?<=[a-z])(?=[A-Z])|_/g, " ").toLowerCase();

function isNameOf(value: unknown, tool: string): boolean {
  const name = typeof value === "object" && value !== null ? (value as { name?: unknown }).name : value;
  return name === tool;
}

/**
 * Returns true for a field that a client or framework adds to every call and that means nothing to the tool. `name` is in
 * snake case, `given` as sent.
 */
export function isClientField(
  { name, given, fields }: { readonly name: string; readonly given: string; readonly fields: Fields },
  tool: string,
): boolean {
  if (given.startsWith("_") || ALWAYS.has(name)) return true;
  if (SCHEDULE.has(given)) return "Readable date" in fields;
  if (WEBHOOK.has(given)) return "webhookUrl" in fields;
  return Object.hasOwn(BY_VALUE, name) && BY_VALUE[name]!(fields[given], tool);
}
