import type { TaskCaller, TaskRequest, Tasks } from "../domain/ports.ts";
import { asToolError, type ErrorCode, ToolError } from "./errors.ts";
import { type Call, invoke, type RuntimePorts } from "./invoke.ts";
import { outcomeOf, outcomesOf } from "./outcomes.ts";
import { type TaskBinding, taskBindings, taskInputs } from "./task-bindings.ts";
import type { Progress, Tool } from "./tool.ts";

/** Creates the `Tasks` port for the tasks that these tools declare. Only the outer call is metered, not the calls of tasks. */
export function tasksOf(tools: () => readonly Tool[], ports: () => RuntimePorts): Tasks {
  const servedTasks = () =>
    new Map(
      tools().flatMap((tool) => taskBindings(tool).map((binding) => [binding.name, { tool, binding }])),
    );
  const names = () => [...servedTasks().keys()].sort();
  return {
    names,
    async run({ task, symbols, context = {}, detail }, caller) {
      const served = servedTasks().get(task);
      if (served === undefined)
        throw new ToolError("INVALID_INPUT", "No tool serves a task with this name", {
          hint: `Tasks: ${names().join(", ") || "none"}.`,
          data: { tasks: names() },
        });
      const { tool, binding } = served;
      checkTaskRequest(tool, binding, { symbols, context });
      const { log } = ports();
      const calls = taskInputs(binding, symbols);
      // a single call reports its own progress; of several calls, those that are done are counted
      const ownProgress =
        binding.symbols === "each" ? {} : { progress: (step: Progress) => caller.progress(step) };
      const outcomes = await outcomesOf(
        calls,
        ({ input }) =>
          invokeTool(tool, { ...context, ...input, ...(detail && { detail }) }, ports(), caller, ownProgress),
        {
          signal: caller.signal,
          progress: (step) => (binding.symbols === "each" ? caller.progress(step) : undefined),
          nameOf: ({ symbol }) => symbol ?? task,
          logEntryOf: ({ symbol }) => ({
            log,
            event: "task",
            fields: { request_id: caller.requestId, task, symbol },
          }),
        },
      );
      if (outcomes.every(({ error }) => error !== null) && outcomes[0]?.error) throw outcomes[0].error;
      return outcomes.map(({ output, error }, i) => ({
        symbol: calls[i]!.symbol,
        skill: tool.name,
        data: output,
        error: error === null ? null : publicError(error),
      }));
    },
    async callSkill({ skill, input, detail }, caller) {
      const tool = tools().find(({ name }) => name === skill);
      const step = async () => {
        if (tool === undefined) throw notConnected(skill);
        if (tool.effect !== "read" || tool.role === "interpreter")
          throw new Error(`"${skill}" is not a read-only tool and cannot be called from a question`);
        return invokeTool(tool, { ...input, ...(detail && { detail }) }, ports(), caller);
      };
      const { output, error } = await outcomeOf(step, {
        log: ports().log,
        event: "skill",
        fields: { request_id: caller.requestId, skill },
      }).catch(asOutcome);
      return {
        data: output,
        error: error === null ? null : publicError(error),
        text: output === null ? null : (tool?.terminal?.(output, (_, words) => words) ?? null),
      };
    },
  };
}

/** Throws INVALID_INPUT, naming the field, if a task does not accept these symbols or this context. */
function checkTaskRequest(
  { input }: Tool,
  { name, symbols: mode }: TaskBinding,
  { symbols, context }: Required<Pick<TaskRequest, "symbols" | "context">>,
): void {
  const fault = (message: string, hint: string, pointer: string, detail: string) =>
    new ToolError("INVALID_INPUT", message, { hint, data: { errors: [{ pointer, detail }] } });
  if (mode === "none" && symbols.length > 0)
    throw fault(`The task "${name}" takes no symbols`, "Omit symbols.", "/symbols", "not accepted");
  if (mode !== "none" && symbols.length === 0)
    throw fault(
      `The task "${name}" needs symbols`,
      'Pass symbols, such as ["AAPL", "BTC-USD"].',
      "/symbols",
      "is required",
    );
  const unknown = Object.keys(context).find((field) => !(field in input.shape));
  if (unknown !== undefined)
    throw fault(`The task "${name}" takes no ${unknown}`, "Omit it.", `/context/${unknown}`, "unknown field");
}

/** Errors of one skill that do not fail the others of a question: it is not connected, or not for this caller. */
const OF_ONE_SKILL: ReadonlySet<ErrorCode> = new Set(["NOT_CONNECTED", "PLAN_REQUIRED", "SCOPE_REQUIRED"]);

/** Turns an error that concerns only one skill into an outcome, and throws any other. */
function asOutcome(thrown: unknown) {
  const error = asToolError(thrown);
  if (!OF_ONE_SKILL.has(error.code)) throw error;
  return { output: null, error };
}

const notConnected = (skill: string) =>
  new ToolError("NOT_CONNECTED", `"${skill}" is not connected`, {
    hint: "The owner of the server connects it with a setting.",
    command: "market-signal config",
  });

const invokeTool = (
  tool: Tool,
  { detail, ...input }: { readonly detail?: TaskRequest["detail"]; readonly [field: string]: unknown },
  ports: RuntimePorts,
  { principal, requestId, signal }: TaskCaller,
  ownProgress: Pick<Call, "progress"> = {},
) =>
  invoke(tool, input, {
    ports,
    principal,
    requestId,
    signal,
    transport: "task",
    nested: true,
    ...ownProgress,
    ...(detail !== undefined && { detail }),
  });

const publicError = ({ code, message, hint }: ToolError) => ({ code, message, hint: hint ?? null });
