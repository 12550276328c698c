import type { z } from "zod";
import type { Plan, Principal, Scope } from "../domain/accounts/access.ts";
import type { PortName, Ports } from "../domain/ports.ts";
import type { Paint } from "../domain/terminal.ts";
import type { ResourceDef, StreamDef } from "./followable.ts";
import type { TaskDef } from "./task-bindings.ts";

export type { Paint };

/** The shelves a client may ask for; the first, second and last are listed by default. */
export const TOOLSETS = [
  "market",
  "signal",
  "flow",
  "fundamentals",
  "prediction",
  "trading",
  "agents",
  "system",
] as const;
export type Toolset = (typeof TOOLSETS)[number];
export const DEFAULT_TOOLSETS: readonly Toolset[] = ["market", "signal", "system"];

/** read: no change anywhere. write: changes our own records. trade: moves money, real or paper. */
export type Effect = "read" | "write" | "trade";

/** The scope a key must carry for each effect; a live trade asks for more inside the tool. */
export const SCOPE_OF = { read: "read", write: "write", trade: "trade:paper" } as const satisfies Record<
  Effect,
  Scope
>;

type Method<E extends Effect> = E extends "read" ? "GET" | "POST" : "POST" | "PUT" | "DELETE";
type PathParam<S extends string> = S extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Name | PathParam<`/${Tail}`>
    : Rest
  : never;

/** Adds nothing to a good route; to a bad one, an impossible member whose name is the complaint. */
type CheckedRoute<R extends string, E extends Effect, In> = R extends `${Method<E>} /${string}`
  ? Exclude<PathParam<R>, keyof In> extends never
    ? unknown
    : RouteError<`:${Exclude<PathParam<R>, keyof In>} is not a field of input`>
  : RouteError<`a "${E}" tool cannot be served by this verb`>;
type RouteError<Why extends string> = { readonly [K in Why]: never };

/** How far a long call has come; `total` is absent while it is unknown. */
export interface Progress {
  readonly done: number;
  readonly total?: number;
  readonly message?: string;
}

/** What a handler may touch: the ports it asked for, and the facts of this one call. */
export type Context<Need extends PortName> = Pick<Ports, Need> & {
  readonly principal: Principal;
  /** Aborts on cancellation and at the deadline. */
  readonly signal: AbortSignal;
  /** A UUID, the one the caller sees. */
  readonly requestId: string;
  progress(step: Progress): void;
};

export interface Example<In extends z.ZodObject> {
  /** The question a person would ask. */
  readonly ask: string;
  readonly input: z.input<In>;
}

export interface ToolDef<
  Name extends string,
  E extends Effect,
  In extends z.ZodObject,
  Out extends z.ZodObject,
  Need extends PortName,
  Route extends string,
> {
  /** snake_case verb_noun; the MCP tool name, the A2A skill id, the OpenAPI operationId, the command. */
  name: Name;
  title: string;
  /** When to use it, when not and which sibling instead, in the words a model would search for. */
  description: string;
  toolset: Toolset;
  /** The least plan; `open` needs no key. */
  plan: Plan | "open";
  effect: E;
  /** "VERB /api/v1/path", whole. Every :param must be a field of `input`; only a read may be a GET. */
  route: Route & CheckedRoute<Route, E, z.output<In>>;
  /** Further paths that answer the same, under the same verb. */
  aliases?: readonly string[];
  /** A short second name on the command line. */
  command?: string;
  /** Fields said there without their names, in this order; those that are required unless listed. */
  words?: readonly (keyof z.input<In> & string)[];
  /** false: shown only when a client asks for every toolset. */
  listed?: boolean;
  needs: readonly Need[];
  input: In;
  output: Out;
  /** Checked against the schemas by the contract test, published to A2A and OpenAPI. */
  examples: readonly [Example<In>, ...Example<In>[]];
  /** A2A tasks it answers, and the field that takes their symbols; never for trades. */
  tasks?: readonly TaskDef<keyof z.input<In> & string>[];
  /** true: takes the envelope `{task, symbols, context}` and asks the tool that answers the task; one tool at most does. */
  dispatches?: true;
  /** The field that takes plain words, where this tool answers requests that are sent to be routed, or the envelope; one at most does. */
  routes?: keyof z.input<In> & string;
  /** The most that the tools may do which it asks by name, where that is more than its own effect; theirs is asked of the caller then. */
  reaches?: Effect;
  /** true: answers anybody without input, with a `Showcase` that the first page shows; one tool at most does. */
  showcase?: true;
  /** The field that takes a question in plain words, where this tool interprets them; one tool at most does. */
  interprets?: keyof z.input<In> & string;
  /** Fields that no door keeps or tells again: what was asked with them is not written down. */
  secret?: readonly (keyof z.input<In> & string)[];
  /** Fields of the answer, null where it may be, that are told to whoever asked and to nobody again: what a door keeps of it has null there. */
  toldOnce?: readonly (keyof z.output<Out> & string)[];
  /** The field of the answer that is true where what was to be checked holds; a command line ends with 1 where it is not. */
  verdict?: keyof z.output<Out> & string;
  /** Names of the tools it may ask, and only those; absent where its work is its own. */
  uses?: readonly string[];
  /** Scopes that what it runs needs, beside its own; agents have those of their tools. */
  scopes?: readonly Scope[];
  /**
   * The name under which it runs on a schedule; "custom" takes the agents that accounts save. Its input has `run_id` and
   * `dry_run`, its output `decisions`.
   */
  schedulable?: string;
  /** Milliseconds one call may take; 30,000 when absent. */
  deadlineMs?: number;
  /** Seconds an answer may be kept by anybody; only for answers that are the same for all. */
  cacheSeconds?: number;
  /** The address under which its answer can be read, and followed where what it names is a series. */
  resource?: ResourceDef;
  /** A path on which the changes it tells arrive as they are noticed. */
  stream?: StreamDef;
  /** How a person sees the result on a terminal: plain lines, `paint` adds colour where there is any. */
  terminal?(result: z.output<Out>, paint: Paint): string;
  handler(input: z.output<In>, ctx: Context<Need>): Promise<z.input<Out>> | z.input<Out>;
}

/** One capability. Data only: no protocol, no globals, nothing happens on import. */
export function defineTool<
  const Name extends string,
  const E extends Effect,
  In extends z.ZodObject,
  Out extends z.ZodObject,
  const Need extends PortName,
  const Route extends string,
>(def: ToolDef<Name, E, In, Out, Need, Route>): Tool<Name, In, Out, Need> {
  return Object.freeze({ listed: true, ...def, input: def.input.strict() }) as unknown as Tool<
    Name,
    In,
    Out,
    Need
  >;
}

/** The erased shape doors and registries work with. */
export interface Tool<
  Name extends string = string,
  In extends z.ZodObject = z.ZodObject,
  Out extends z.ZodObject = z.ZodObject,
  Need extends PortName = any,
> {
  readonly name: Name;
  readonly title: string;
  readonly description: string;
  readonly toolset: Toolset;
  readonly plan: Plan | "open";
  readonly effect: Effect;
  readonly route: string;
  readonly aliases?: readonly string[];
  readonly command?: string;
  readonly words?: readonly string[];
  readonly listed: boolean;
  readonly needs: readonly Need[];
  readonly input: In;
  readonly output: Out;
  readonly examples: readonly Example<In>[];
  readonly tasks?: readonly TaskDef[];
  readonly dispatches?: true;
  readonly routes?: string;
  readonly reaches?: Effect;
  readonly showcase?: true;
  readonly interprets?: string;
  readonly secret?: readonly string[];
  readonly toldOnce?: readonly string[];
  readonly verdict?: string;
  readonly deadlineMs?: number;
  readonly cacheSeconds?: number;
  readonly resource?: ResourceDef;
  readonly stream?: StreamDef;
  /** Names of the tools that it runs or asks, and only those; absent where its work is its own. */
  readonly uses?: readonly string[];
  /** Scopes that what it runs needs, beside its own. */
  readonly scopes?: readonly Scope[];
  readonly schedulable?: string;
  terminal?(result: z.output<Out>, paint: Paint): string;
  handler(input: z.output<In>, ctx: Context<Need>): Promise<z.input<Out>> | z.input<Out>;
}
/** What a key must carry to run a tool, its own scope first. */
export const scopesOf = ({ effect, scopes = [] }: Pick<Tool, "effect" | "scopes">): readonly Scope[] => [
  ...new Set([SCOPE_OF[effect], ...scopes]),
];
export type InputOf<T extends Tool> = z.input<T["input"]>;
export type OutputOf<T extends Tool> = z.output<T["output"]>;
