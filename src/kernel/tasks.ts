import type { TaskCaller, TaskRequest, Tasks } from "../ports/index.ts";
import { asToolError, type ErrorCode, ToolError } from "./errors.ts";
import { type Ground, invoke } from "./invoke.ts";
import { outcomeOf, outcomesOf } from "./outcomes.ts";
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
      const { log } = ports();
      const outcomes = await outcomesOf(
        symbols,
        (symbol) => ask(tool, { symbol, ...context }, ports(), caller),
        {
          signal: caller.signal,
          progress: (step) => caller.progress(step),
          named: (symbol) => symbol,
          noted: (symbol) => ({ log, event: "task", about: { request_id: caller.requestId, task, symbol } }),
        },
      );
      if (outcomes.every(({ error }) => error !== null) && outcomes[0]?.error) throw outcomes[0].error;
      return outcomes.map(({ output, error }, place) => ({
        symbol: symbols[place]!,
        skill: tool.name,
        data: output,
        error: error === null ? null : shown(error),
      }));
    },
    async ask({ skill, input, detail }, caller) {
      const tool = tools().find(({ name }) => name === skill);
      const step = async () => {
        if (tool === undefined) throw notConnected(skill);
        if (tool.effect !== "read" || tool.interprets !== undefined)
          throw new Error(`"${skill}" is not for asking: it does more than read`);
        return ask(tool, { ...input, ...(detail && { detail }) }, ports(), caller);
      };
      const about = { request_id: caller.requestId, skill };
      const { output, error } = await outcomeOf(step, { log: ports().log, event: "ask", about }).catch(
        silentWhere("NOT_CONNECTED"),
      );
      return { data: output, error: error === null ? null : shown(error) };
    },
  };
}

/** One skill that is not connected leaves the others of a question alone. */
const silentWhere = (code: ErrorCode) => (thrown: unknown) => {
  const error = asToolError(thrown);
  if (error.code !== code) throw error;
  return { output: null, error };
};

const notConnected = (skill: string) =>
  new ToolError("NOT_CONNECTED", `"${skill}" is not connected here`, {
    hint: "`market-signal config` lists the settings that connect it.",
  });

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

const shown = ({ code, message, hint }: ToolError) => ({ code, message, hint: hint ?? null });
