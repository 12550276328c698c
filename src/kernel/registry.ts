import type { PortName, Ports } from "../domain/ports.ts";
import { ToolError } from "./errors.ts";
import { checkFollowable } from "./followable.ts";
import { taskBindings, taskInputs } from "./task-bindings.ts";
import { DEFAULT_TOOLSETS, maxEffect, TOOLSETS, type Tool, type Toolset, textFieldOf } from "./tool.ts";

/** The tools of a catalogue, split by whether this deployment can serve them. */
export interface Registry {
  /** Every needed port is connected: these are listed. */
  readonly tools: readonly Tool[];
  /** A port is missing: not listed; calling one names the setting that connects it. */
  readonly unavailable: readonly Tool[];
}

/** Values that no two tools of a catalogue share, by their name in the error message. */
const UNIQUE_VALUES: Readonly<Record<string, (tool: Tool) => readonly string[]>> = {
  name: ({ name }) => [name],
  command: ({ name, cli }) => [name.replaceAll("_", "-"), cli?.command ?? []].flat(),
  route: (tool) => [...routesOf(tool), tool.http?.stream?.route ?? []].flat(),
  task: (tool) => taskBindings(tool).map(({ name }) => name),
  role: ({ role }) => [role ?? []].flat(),
  address: ({ resource }) => [resource?.template.replaceAll(/\{\w+\}/g, "{}") ?? []].flat(),
  "schedulable name": ({ schedulable }) => [schedulable ?? []].flat(),
};

/**
 * Splits the catalogue into tools that can be served and tools with a missing port. Throws if names, commands, routes
 * or roles are not unique.
 */
export function createRegistry(catalogue: Readonly<Record<string, Tool>>, ports: Partial<Ports>): Registry {
  const tools = Object.values(catalogue);
  for (const [what, valuesOf] of Object.entries(UNIQUE_VALUES)) requireUnique(what, tools.flatMap(valuesOf));
  for (const tool of tools) {
    checkSchedulable(tool);
    checkTaskTool(tool);
    checkTextField(tool);
    checkFollowable(tool);
  }
  const connected = (tool: Tool) => missingPorts(tool, ports).length === 0;
  return { tools: tools.filter(connected), unavailable: tools.filter((tool) => !connected(tool)) };
}

/** Throws if a tool that serves tasks has the effect trade, requires more input than the symbols, or returns a file. */
function checkTaskTool(tool: Tool): void {
  const { name, effect, input, output } = tool;
  for (const binding of taskBindings(tool)) {
    if (effect === "trade") throw new Error(`"${name}" serves tasks but has the effect trade`);
    const isSufficient = taskInputs(binding, ["AAPL"]).every((call) => input.safeParse(call.input).success);
    if (!isSufficient)
      throw new Error(
        `"${name}" serves tasks, but its input is not valid with ${binding.field === null ? "no field" : `"${binding.field}" alone`}`,
      );
    if ("media" in output.shape) throw new Error(`"${name}" serves tasks but returns a file`);
  }
}

/** Throws if a router or an interpreter has no field for its text. */
function checkTextField(tool: Tool): void {
  const field = textFieldOf(tool);
  if (field !== undefined && !(field in tool.input.shape))
    throw new Error(`"${tool.name}" is the ${tool.role} but has no "${field}" field`);
}

/** Throws if a tool that runs on a schedule lacks the fields that the scheduler needs. */
function checkSchedulable({ name, schedulable, input, output }: Tool): void {
  if (schedulable === undefined) return;
  const lacks = ["run_id", "dry_run"].filter((field) => !(field in input.shape));
  if (!("decisions" in output.shape)) lacks.push("decisions");
  if (lacks.length > 0) throw new Error(`"${name}" runs on a schedule but lacks ${lacks.join(", ")}`);
}

export const missingPorts = (tool: Tool, ports: Partial<Ports>): readonly PortName[] =>
  tool.needs.filter((port: PortName) => ports[port] === undefined);

/** Returns every "VERB /path" that serves a tool. */
export function routesOf({ route, http: { aliases = [] } = {} }: Tool): readonly string[] {
  const [verb] = route.split(" ");
  return [route, ...aliases.map((path) => `${verb} ${path}`)];
}

export interface ToolFilter {
  /** Default: the default toolsets. `["all"]` selects every tool, unlisted ones too. */
  readonly toolsets?: readonly string[];
  /** true: only tools with the effect read. Default: false. */
  readonly readonly?: boolean;
}

/** Returns the tools that a client selected. Throws INVALID_INPUT for an unknown toolset. */
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
  const isSelected = ({ toolset, listed, role }: Tool): boolean =>
    all ||
    role === "finder" ||
    (listed !== false && (listed !== "toolset" || toolsets !== undefined) && wanted.includes(toolset)) ||
    (listed === "default" && toolsets === undefined);
  return tools.filter((tool) => isSelected(tool) && (!readonly || maxEffect(tool) === "read"));
}

function requireUnique(what: string, values: readonly string[]): void {
  const duplicate = values.find((value, i) => values.indexOf(value) !== i);
  if (duplicate !== undefined) throw new Error(`Two tools share the ${what} "${duplicate}"`);
}
