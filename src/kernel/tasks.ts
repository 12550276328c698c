import type { TaskResult } from "../domain/task.ts";
import { atOnce } from "../lib/at-once.ts";
import type { TaskCaller, TaskRequest, Tasks } from "../ports/index.ts";
import { asToolError, endsTheCall, ToolError } from "./errors.ts";
import { type Ground, invoke } from "./invoke.ts";
import type { Tool } from "./tool.ts";

/** The tasks that these tools declare. `ports` is what they run on; the call that asks was metered already. */
export function tasksOf(tools: () => readonly Tool[], ports: () => Ground): Tasks {
  const taking = () => new Map(tools().flatMap((tool) => (tool.tasks ?? []).map((task) => [task, tool])));
  const names = () => [...taking().keys()].sort();
  return {
    names,
    async run({ task, symbols, ...context }, caller) {
      const tool = taking().get(task);
      if (tool === undefined)
        throw new ToolError("INVALID_INPUT", "No tool answers a task of this name", {
          hint: `Tasks: ${names().join(", ") || "none"}.`,
          data: { tasks: names() },
        });
      if (context.timeframe !== undefined && !("timeframe" in tool.input.shape))
        throw new ToolError("INVALID_INPUT", `The task "${task}" takes no timeframe`, {
          hint: "Leave it out.",
          data: { errors: [{ pointer: "/context/timeframe", detail: "unknown field" }] },
        });
      const results: TaskResult[] = [];
      const failures: ToolError[] = [];
      let done = 0;
      const one = async (symbol: string, place: number): Promise<void> => {
        try {
          results[place] = answered(tool, symbol, await ask(tool, { symbol, ...context }, ports(), caller));
        } catch (thrown) {
          const error = asToolError(thrown);
          if (endsTheCall(error)) throw error;
          if (error.code === "INTERNAL")
            ports().log.error("task", { request_id: caller.requestId, task, symbol, cause: error.cause });
          failures[place] = error;
          results[place] = refused(tool, symbol, error);
        }
        done++;
        if (!caller.signal.aborted) caller.progress({ done, total: symbols.length, message: symbol });
      };
      await atOnce(AT_ONCE, symbols.entries(), ([place, symbol]) => one(symbol, place));
      const [first] = Object.values(failures);
      if (first !== undefined && Object.keys(failures).length === symbols.length) throw first;
      return results;
    },
    async ask({ skill, input, detail }, caller) {
      const tool = tools().find(({ name }) => name === skill);
      try {
        if (tool === undefined)
          throw new ToolError("NOT_CONNECTED", `"${skill}" is not connected here`, {
            hint: "`market-signal config` lists the settings that connect it.",
          });
        if (tool.effect !== "read" || tool.interprets !== undefined)
          throw new Error(`"${skill}" is not for asking: it does more than read`);
        return {
          data: await ask(tool, { ...input, ...(detail && { detail }) }, ports(), caller),
          error: null,
        };
      } catch (thrown) {
        const error = asToolError(thrown);
        if (endsTheCall(error) && error.code !== "NOT_CONNECTED") throw error;
        if (error.code === "INTERNAL")
          ports().log.error("ask", { request_id: caller.requestId, skill, cause: error.cause });
        return { data: null, error: shown(error) };
      }
    },
  };
}

/** Symbols asked for at the same time: sources of live prices are shared with others. */
const AT_ONCE = 4;

const ask = (
  tool: Tool,
  { detail, ...input }: { readonly detail?: TaskRequest["detail"]; readonly [field: string]: unknown },
  ports: Ground,
  { principal, requestId, signal }: TaskCaller,
) =>
  invoke(tool, input, {
    ports,
    principal,
    requestId,
    signal,
    door: "task",
    inner: true,
    ...(detail !== undefined && { detail }),
  });

const answered = (tool: Tool, symbol: string, data: Record<string, unknown>): TaskResult => ({
  symbol,
  skill: tool.name,
  data,
  error: null,
});

const refused = (tool: Tool, symbol: string, error: ToolError): TaskResult => ({
  symbol,
  skill: tool.name,
  data: null,
  error: shown(error),
});

const shown = ({ code, message, hint }: ToolError) => ({ code, message, hint: hint ?? null });
