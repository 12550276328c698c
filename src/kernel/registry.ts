import type { PortName, Ports } from "../domain/ports.ts";
import { ToolError } from "./errors.ts";
import { checkFollowable } from "./followable.ts";
import { taskBindings, taskInputs } from "./task-bindings.ts";
import { DEFAULT_TOOLSETS, type Effect, TOOLSETS, type Tool, type Toolset } from "./tool.ts";

/** The catalogue as this deployment can serve it. */
export interface Registry {
  /** Every needed port is connected: these are on the menus. */
  readonly tools: readonly Tool[];
  /** A port is missing: on no menu, but calling one says what would connect it. */
  readonly absent: readonly Tool[];
}

/** Sorts the catalogue by what is connected; names, commands and routes must be unique. */
export function createRegistry(catalogue: Readonly<Record<string, Tool>>, ports: Partial<Ports>): Registry {
  const tools = Object.values(catalogue);
  requireUnique(
    "name",
    tools.map(({ name }) => name),
  );
  requireUnique(
    "command",
    tools.flatMap(({ name, command }) => [name.replaceAll("_", "-"), command ?? []].flat()),
  );
  requireUnique(
    "route",
    tools.flatMap((tool) => [...routesOf(tool), ...(tool.stream === undefined ? [] : [tool.stream.route])]),
  );
  requireUnique(
    "task",
    tools.flatMap((tool) => taskBindings(tool).map(({ name }) => name)),
  );
  requireUnique(
    "charge of interpreting text",
    tools.flatMap(({ interprets }) => (interprets === undefined ? [] : "")),
  );
  requireUnique(
    "charge of routing requests",
    tools.flatMap(({ routes }) => (routes === undefined ? [] : "")),
  );
  requireUnique(
    "charge of handing on tasks",
    tools.flatMap(({ dispatches }) => (dispatches === undefined ? [] : "")),
  );
  requireUnique(
    "address",
    tools.flatMap(({ resource }) => resource?.template.replaceAll(/\{\w+\}/g, "{}") ?? []),
  );
  requireUnique(
    "schedulable name",
    tools.flatMap(({ schedulable }) => schedulable ?? []),
  );
  for (const tool of tools) checkSchedulable(tool);
  for (const tool of tools) checkTaskTool(tool);
  for (const tool of tools) checkFollowable(tool);
  checkDispatcher(tools);
  const connected = (tool: Tool) => missingPorts(tool, ports).length === 0;
  return { tools: tools.filter(connected), absent: tools.filter((tool) => !connected(tool)) };
}

/** A tool that answers tasks is asked with its symbols alone, its answer stands among others, and nobody looks twice: it moves no money. */
function checkTaskTool(tool: Tool): void {
  const { name, effect, input, output } = tool;
  for (const taken of taskBindings(tool)) {
    if (effect === "trade") throw new Error(`"${name}" answers tasks and trades`);
    const whole = taskInputs(taken, ["AAPL"]).every((asked) => input.safeParse(asked.input).success);
    if (!whole)
      throw new Error(
        `"${name}" answers tasks and cannot be asked with ${taken.field === null ? "nothing" : `"${taken.field}"`} alone`,
      );
    if ("media" in output.shape) throw new Error(`"${name}" answers tasks, whose answers carry no file`);
  }
}

/** Whoever hands on tasks says the most that those who answer them may do. */
function checkDispatcher(tools: readonly Tool[]): void {
  const dispatcher = tools.find(({ dispatches }) => dispatches === true);
  if (dispatcher === undefined || highestEffect(dispatcher) !== "read") return;
  const daring = tools.find((tool) => taskBindings(tool).length > 0 && highestEffect(tool) !== "read");
  if (daring !== undefined)
    throw new Error(`"${dispatcher.name}" hands on tasks to "${daring.name}" and says it only reads`);
}

/** The most that a call of a tool may do: what it does itself, or what those do which it asks by name. */
export const highestEffect = ({ effect, reaches = effect }: Pick<Tool, "effect" | "reaches">): Effect =>
  reaches;

/** A tool that runs on a schedule is told which run it is and whether to place anything, and tells what it decided. */
function checkSchedulable({ name, schedulable, input, output }: Tool): void {
  if (schedulable === undefined) return;
  const lacks = ["run_id", "dry_run"].filter((field) => !(field in input.shape));
  if (!("decisions" in output.shape)) lacks.push("decisions");
  if (lacks.length > 0) throw new Error(`"${name}" runs on a schedule and lacks ${lacks.join(", ")}`);
}

/** The ports a tool needs and this deployment lacks. */
export const missingPorts = (tool: Tool, ports: Partial<Ports>): readonly PortName[] =>
  tool.needs.filter((port: PortName) => ports[port] === undefined);

/** Every "VERB /path" a tool answers on. */
export function routesOf({ route, aliases = [] }: Tool): readonly string[] {
  const [verb] = route.split(" ");
  return [route, ...aliases.map((path) => `${verb} ${path}`)];
}

export interface ToolFilter {
  /** `undefined` for the default shelves, `["all"]` for everything, hidden tools too. */
  readonly toolsets?: readonly string[];
  /** true leaves only reads, whatever the toolsets say. */
  readonly readonly?: boolean;
}

/** The part of the catalogue a client asked to see. An unknown toolset is INVALID_INPUT. */
export function filterTools(
  tools: readonly Tool[],
  { toolsets, readonly = false }: ToolFilter,
): readonly Tool[] {
  const unknown = toolsets?.find((name) => name !== "all" && !TOOLSETS.includes(name as Toolset));
  if (unknown !== undefined)
    throw new ToolError("INVALID_INPUT", `No toolset named "${unknown.slice(0, 40)}"`, {
      hint: `Toolsets: ${[...TOOLSETS, "all"].join(", ")}.`,
    });
  const all = toolsets?.includes("all") ?? false;
  const wanted: readonly string[] = toolsets ?? DEFAULT_TOOLSETS;
  return tools.filter(
    (tool) =>
      (all || (tool.listed && wanted.includes(tool.toolset))) &&
      (!readonly || highestEffect(tool) === "read"),
  );
}

function requireUnique(what: string, values: readonly string[]): void {
  const twice = values.find((value, i) => values.indexOf(value) !== i);
  if (twice !== undefined) throw new Error(`Two tools share the ${what} "${twice}"`);
}
