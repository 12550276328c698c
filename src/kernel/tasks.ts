import type { TaskCaller, TaskRequest, Tasks } from "../domain/ports.ts";
import { asToolError, type ErrorCode, ToolError } from "./errors.ts";
import { type Call, invoke, type RuntimePorts } from "./invoke.ts";
import { outcomeOf, outcomesOf } from "./outcomes.ts";
import { type TaskBinding, taskBindings, taskInputs } from "./task-bindings.ts";
import type { Progress, Tool } from "./tool.ts";

/** The tasks that these tools declare. `ports` is what they run on; the call that asks was metered already. */
export function tasksOf(tools: () => readonly Tool[], ports: () => RuntimePorts): Tasks {
  const taking = () =>
    new Map(tools().flatMap((tool) => taskBindings(tool).map((taken) => [taken.name, { tool, taken }])));
  const names = () => [...taking().keys()].sort();
  return {
    names,
    async run({ task, symbols, context = {}, detail }, caller) {
      const known = taking().get(task);
      if (known === undefined)
        throw new ToolError("INVALID_INPUT", "No tool answers a task of this name", {
          hint: `Tasks: ${names().join(", ") || "none"}.`,
          data: { tasks: names() },
        });
      const { tool, taken } = known;
      checkTaskRequest(tool, taken, { symbols, context });
      const { log } = ports();
      const asked = taskInputs(taken, symbols);
      // one call tells of its own course, several are counted here
      const one = taken.symbols === "each" ? {} : { progress: (step: Progress) => caller.progress(step) };
      const outcomes = await outcomesOf(
        asked,
        ({ input }) =>
          invokeTool(tool, { ...context, ...input, ...(detail && { detail }) }, ports(), caller, one),
        {
          signal: caller.signal,
          progress: (step) => (taken.symbols === "each" ? caller.progress(step) : undefined),
          named: ({ symbol }) => symbol ?? task,
          noted: ({ symbol }) => ({
            log,
            event: "task",
            about: { request_id: caller.requestId, task, symbol },
          }),
        },
      );
      if (outcomes.every(({ error }) => error !== null) && outcomes[0]?.error) throw outcomes[0].error;
      return outcomes.map(({ output, error }, place) => ({
        symbol: asked[place]!.symbol,
        skill: tool.name,
        data: output,
        error: error === null ? null : publicError(error),
      }));
    },
    async ask({ skill, input, detail }, caller) {
      const tool = tools().find(({ name }) => name === skill);
      const step = async () => {
        if (tool === undefined) throw notConnected(skill);
        if (tool.effect !== "read" || tool.interprets !== undefined)
          throw new Error(`"${skill}" is not for asking: it does more than read`);
        return invokeTool(tool, { ...input, ...(detail && { detail }) }, ports(), caller);
      };
      const about = { request_id: caller.requestId, skill };
      const { output, error } = await outcomeOf(step, { log: ports().log, event: "ask", about }).catch(
        asOutcome("NOT_CONNECTED"),
      );
      return { data: output, error: error === null ? null : publicError(error) };
    },
  };
}

/** Whether the tool that takes a task takes what is said of it. Throws INVALID_INPUT, naming the field. */
function checkTaskRequest(
  { input }: Tool,
  { name, symbols: way }: TaskBinding,
  { symbols, context }: Required<Pick<TaskRequest, "symbols" | "context">>,
): void {
  const fault = (message: string, hint: string, pointer: string, detail: string) =>
    new ToolError("INVALID_INPUT", message, { hint, data: { errors: [{ pointer, detail }] } });
  if (way === "none" && symbols.length > 0)
    throw fault(`The task "${name}" takes no symbols`, "Leave symbols out.", "/symbols", "not taken");
  if (way !== "none" && symbols.length === 0)
    throw fault(
      `The task "${name}" needs symbols`,
      'Say symbols, such as ["AAPL", "BTC-USD"].',
      "/symbols",
      "is required",
    );
  const stranger = Object.keys(context).find((field) => !(field in input.shape));
  if (stranger !== undefined)
    throw fault(
      `The task "${name}" takes no ${stranger}`,
      "Leave it out.",
      `/context/${stranger}`,
      "unknown field",
    );
}

/** One skill that is not connected leaves the others of a question alone. */
const asOutcome = (code: ErrorCode) => (thrown: unknown) => {
  const error = asToolError(thrown);
  if (error.code !== code) throw error;
  return { output: null, error };
};

const notConnected = (skill: string) =>
  new ToolError("NOT_CONNECTED", `"${skill}" is not connected here`, {
    hint: "`market-signal config` lists the settings that connect it.",
  });

const invokeTool = (
  tool: Tool,
  { detail, ...input }: { readonly detail?: TaskRequest["detail"]; readonly [field: string]: unknown },
  ports: RuntimePorts,
  { principal, requestId, signal }: TaskCaller,
  told: Pick<Call, "progress"> = {},
) =>
  invoke(tool, input, {
    ports,
    principal,
    requestId,
    signal,
    door: "task",
    inner: true,
    ...told,
    ...(detail !== undefined && { detail }),
  });

const publicError = ({ code, message, hint }: ToolError) => ({ code, message, hint: hint ?? null });
