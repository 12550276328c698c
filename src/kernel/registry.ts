import type { PortName, Ports } from "../ports/index.ts";
import { ToolError } from "./errors.ts";
import { DEFAULT_TOOLSETS, TOOLSETS, type Tool, type Toolset } from "./tool.ts";

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
  unique(
    "name",
    tools.map(({ name }) => name),
  );
  unique(
    "command",
    tools.flatMap(({ name, command }) => [name.replaceAll("_", "-"), command ?? []].flat()),
  );
  unique("route", tools.flatMap(routesOf));
  unique(
    "task",
    tools.flatMap(({ tasks = [] }) => tasks),
  );
  unique(
    "charge of interpreting text",
    tools.flatMap(({ interprets }) => (interprets === undefined ? [] : "")),
  );
  for (const tool of tools.filter(({ tasks = [] }) => tasks.length > 0)) checkTaker(tool);
  const connected = (tool: Tool) => missingPorts(tool, ports).length === 0;
  return { tools: tools.filter(connected), absent: tools.filter((tool) => !connected(tool)) };
}

/** A tool that answers tasks is asked with a symbol alone, its answer stands among others, and nobody looks twice. */
function checkTaker({ name, effect, input, output }: Tool): void {
  if (effect !== "read") throw new Error(`"${name}" answers tasks and is no read`);
  if (!input.safeParse({ symbol: "AAPL" }).success)
    throw new Error(`"${name}" answers tasks and cannot be asked with a symbol alone`);
  if ("media" in output.shape) throw new Error(`"${name}" answers tasks, whose answers carry no file`);
}

/** The ports a tool needs and this deployment lacks. */
export const missingPorts = (tool: Tool, ports: Partial<Ports>): readonly PortName[] =>
  tool.needs.filter((port: PortName) => ports[port] === undefined);

/** Every "VERB /path" a tool answers on. */
export function routesOf({ route, aliases = [] }: Tool): readonly string[] {
  const [verb] = route.split(" ");
  return [route, ...aliases.map((path) => `${verb} ${path}`)];
}

export interface Shelf {
  /** `undefined` for the default shelves, `["all"]` for everything, hidden tools too. */
  readonly toolsets?: readonly string[];
  /** true leaves only reads, whatever the toolsets say. */
  readonly readonly?: boolean;
}

/** The part of the catalogue a client asked to see. An unknown toolset is INVALID_INPUT. */
export function shelved(tools: readonly Tool[], { toolsets, readonly = false }: Shelf): readonly Tool[] {
  const unknown = toolsets?.find((name) => name !== "all" && !TOOLSETS.includes(name as Toolset));
  if (unknown !== undefined)
    throw new ToolError("INVALID_INPUT", `No toolset named "${unknown.slice(0, 40)}"`, {
      hint: `Toolsets: ${[...TOOLSETS, "all"].join(", ")}.`,
    });
  const all = toolsets?.includes("all") ?? false;
  const wanted: readonly string[] = toolsets ?? DEFAULT_TOOLSETS;
  return tools.filter(
    (tool) =>
      (all || (tool.listed && wanted.includes(tool.toolset))) && (!readonly || tool.effect === "read"),
  );
}

function unique(what: string, values: readonly string[]): void {
  const twice = values.find((value, i) => values.indexOf(value) !== i);
  if (twice !== undefined) throw new Error(`Two tools share the ${what} "${twice}"`);
}
