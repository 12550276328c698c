import { z } from "zod";
import type { Plan, Principal, Scope } from "../domain/accounts/access.ts";
import { type Alternatives, formatAlternatives, Understood } from "../domain/answers.ts";
import type { PortName, Ports } from "../domain/ports.ts";
import type { Paint } from "../domain/terminal.ts";
import type { ResourceDef, StreamDef } from "./followable.ts";
import { labelledOutput } from "./sample-label.ts";
import type { TaskDef } from "./task-bindings.ts";
import type { Toolset } from "./toolsets.ts";

export { DEFAULT_TOOLSETS, TOOLSETS, type Toolset } from "./toolsets.ts";
export type { Paint };

/** read: no change anywhere. write: changes our own records. trade: moves money, real or paper. */
export type Effect = "read" | "write" | "trade";

/** The scope required for each effect. A live trade requires `trade:live` as well, checked inside the tool. */
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

/** `unknown` for a valid route; for an invalid one, a type whose member name is the error message. */
type CheckedRoute<R extends string, E extends Effect, In> = R extends `${Method<E>} /${string}`
  ? Exclude<PathParam<R>, keyof In> extends never
    ? unknown
    : RouteError<`:${Exclude<PathParam<R>, keyof In>} is not a field of input`>
  : RouteError<`a "${E}" tool cannot be served by this verb`>;
type RouteError<Why extends string> = { readonly [K in Why]: never };

/** Progress of a long call; `total` is absent while it is unknown. */
export interface Progress {
  readonly done: number;
  readonly total?: number;
  readonly message?: string;
}

/** Handler context: the ports declared in `needs`, and the facts of this call. */
export type Context<Need extends PortName> = Pick<Ports, Need> & {
  readonly principal: Principal;
  /** Aborts on cancellation and at the deadline. */
  readonly signal: AbortSignal;
  /** UUID, also returned to the caller. */
  readonly requestId: string;
  /** true: the caller chose to use only tools that change nothing. */
  readonly readonly: boolean;
  progress(step: Progress): void;
};

/** A question a person would ask, with the input that answers it. */
export interface Example<In extends z.ZodObject> {
  readonly ask: string;
  readonly input: z.input<In>;
}

/**
 * A special role that at most one tool of the catalogue has. `dispatcher`: runs named tasks of other tools. `router`:
 * answers whole requests, as text or as a task. `interpreter`: answers questions in plain text. `demo`: serves the card
 * of the home page, without input or key. `finder`: finds other tools by words, and is listed on every connection.
 * `health`: reports whether the server works; a call without a key does not count towards the daily quota.
 */
export type Role = "dispatcher" | "router" | "interpreter" | "demo" | "finder" | "health";
const TEXT_FIELDS: Partial<Record<Role, string>> = { router: "text", interpreter: "query" };

export interface CliDef<In extends string = string, Out extends string = string> {
  /** Short alternative name of the command. */
  readonly command?: string;
  /** Sentence for people, for a command of every day: the short help lists it. */
  readonly everyday?: string;
  /** Input fields passed by position, in this order. Default: the required ones. */
  readonly positionals?: readonly In[];
  /** true: its text shows names of tools as values, which are not replaced by commands. Default: false. */
  readonly showsToolNames?: boolean;
  /** An output field: the command exits with 1 unless it is true, `ok` or `warn`. */
  readonly verdict?: Out;
  /** True if it reads only what was stored: the command fails without a data folder, and creates none. */
  readonly needsData?: true;
}

/** HTTP options of a tool besides its route. */
export interface HttpDef {
  /** Further paths with the same verb and response. */
  readonly aliases?: readonly string[];
  /** Names under which a GET route publishes input fields, by field. The fields' own names work there too. */
  readonly names?: Readonly<Record<string, string>>;
  /** Seconds a response may be cached by anyone; only for responses that are the same for all callers. */
  readonly cacheSeconds?: number;
  readonly stream?: StreamDef;
}

/** A picture of its answer that hosts and pages draw. Tools whose answers look alike name the same view. */
export interface ViewDef<Output = any> {
  /** Name of a folder in src/dashboard/views. */
  readonly name: string;
  /** Tools that the view itself may call for more data; reads only. Default: none. */
  readonly calls?: readonly string[];
  /**
   * Returns the call that the view of an answer makes first; its result is sent along, so that the view needs no call
   * of its own and works in hosts that let views call nothing. Default: none.
   */
  firstCall?(output: Output): ViewCall;
}

/** A call of a view. */
export interface ViewCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Fields that are never written to stored requests and responses. */
export interface SecretFields<In extends string = string, Out extends string = string> {
  readonly input?: readonly In[];
  /** Nullable output fields returned only in the first response; stored copies hold null. */
  readonly writeOnce?: readonly Out[];
}

/** A value whose arrays and members may be readonly at any depth. */
export type Immutable<T> = T extends readonly (infer Item)[]
  ? readonly Immutable<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Immutable<T[Key]> }
    : T;

export interface ToolDef<
  Name extends string,
  E extends Effect,
  In extends z.ZodObject,
  Out extends z.ZodObject,
  Need extends PortName,
  Route extends string,
> {
  /** snake_case verb_noun; the MCP tool name, the A2A skill id, the OpenAPI operationId, the command. */
  readonly name: Name;
  readonly title: string;
  /**
   * States what the tool does, when to use it and which sibling to use instead; plain sentences, under 400 characters.
   */
  readonly description: string;
  /**
   * Plain names and idioms of what it answers, in lower case, as people say them. Each phrase belongs to one tool only.
   */
  readonly topics?: readonly string[];
  readonly toolset: Toolset;
  /** The lowest plan that may call it; `open` needs no key. */
  readonly plan: Plan | "open";
  readonly effect: E;
  /** true: a call can remove or overwrite stored things, not only add. Default: false; a trade always can. */
  readonly destructive?: boolean;
  /** "VERB /api/v1/path". Every :param must be a field of `input`; only a read may be a GET. */
  readonly route: Route & CheckedRoute<Route, E, z.output<In>>;
  /** Ports the handler receives; a tool whose port is not connected is not listed. */
  readonly needs: readonly Need[];
  readonly input: In;
  readonly output: Out;
  /** Checked against the schemas by the contract test, published to A2A and OpenAPI. */
  readonly examples: readonly [Example<In>, ...Example<In>[]];
  /** A2A tasks it serves, and the field that takes their symbols; never for trades. */
  readonly tasks?: readonly TaskDef<keyof z.input<In> & string>[];
  readonly role?: Role;
  /**
   * true: listed with its toolset. false: listed only when a client selects all toolsets. `default`: listed also when a
   * client selects no toolset. `toolset`: listed only when a client selects its toolset. Default: true.
   */
  readonly listed?: boolean | "default" | "toolset";
  /** Milliseconds one call may take. Default: 30,000. */
  readonly deadlineMs?: number;
  /** Names of the other tools it may call. Default: none. */
  readonly uses?: readonly string[];
  /** Scopes required besides that of its effect, for work that it starts; an agent gets those of its tools. */
  readonly scopes?: readonly Scope[];
  readonly cli?: CliDef<keyof z.input<In> & string, keyof z.output<Out> & string>;
  readonly http?: HttpDef;
  /** URI under which its result can be read, and subscribed to if it names a series. */
  readonly resource?: ResourceDef;
  /** Default: the answer is shown as text. */
  readonly view?: ViewDef<z.output<Out>>;
  readonly secrets?: SecretFields<keyof z.input<In> & string, keyof z.output<Out> & string>;
  /**
   * Waits for data that is being computed, before the call takes a running slot or counts towards the daily quota; ends
   * at the latest when the caller disconnects. Calls within another call wait within its slot. Default: no wait.
   */
  ready?(
    input: z.output<In>,
    ports: Pick<Ports, Need>,
    signal: AbortSignal | undefined,
  ): Promise<void> | undefined;
  /** Prints the result as plain lines for a terminal; `paint` adds colour where it is supported. */
  terminal?(result: z.output<Out>, paint: Paint): string;
  handler(input: z.output<In>, ctx: Context<Need>): Promise<HandlerResult<Out>> | HandlerResult<Out>;
}

/** The fields of an answer, with sentences on how the handler read inputs. */
type HandlerResult<Out extends z.ZodObject> = Immutable<z.input<Out>> & {
  readonly understood?: readonly string[];
};

/** Defines one capability. Data only: no protocol, no globals, nothing happens on import. */
export function defineTool<
  const Name extends string,
  const E extends Effect,
  In extends z.ZodObject,
  Out extends z.ZodObject,
  const Need extends PortName,
  const Route extends string,
>(def: ToolDef<Name, E, In, Out, Need, Route>): Tool<Name, In, Out, Need> {
  const terminal = def.terminal && withReadings(def.terminal);
  const input = def.input.strict();
  // an input declared as strict is refused with unknown fields, whatever the tool does
  const dropsUnknown = maxEffect(def) === "read" && !(def.input.def.catchall instanceof z.ZodNever);
  const output = labelledOutput(def, def.output.extend({ understood: Understood }));
  return Object.freeze({ listed: true, ...def, terminal, input, output, dropsUnknown }) as unknown as Tool<
    Name,
    In,
    Out,
    Need
  >;
}

/** Beginning of the sentence on fields that were not applied. Transports put it before the text of an answer. */
export const NOT_APPLIED = "Not applied: ";

/** Ends a terminal text with what was understood and the alternatives of its answer. */
const withReadings =
  <Result>(terminal: (result: Result, paint: Paint) => string) =>
  (result: Result, paint: Paint): string => {
    const { alternatives = [], understood = [] } = result as {
      readonly alternatives?: Alternatives;
      readonly understood?: readonly string[];
    };
    const others = formatAlternatives(alternatives).map((line) => paint("dim", line));
    const readings = understood.filter((line) => !line.startsWith(NOT_APPLIED));
    return [terminal(result, paint), ...readings, ...others].join("\n");
  };

/** A tool as transports and registries see it. */
export interface Tool<
  Name extends string = string,
  In extends z.ZodObject = z.ZodObject,
  Out extends z.ZodObject = z.ZodObject,
  Need extends PortName = any,
> extends Omit<
    ToolDef<Name, Effect, In, Out, Need, string>,
    "route" | "listed" | "examples" | "tasks" | "cli" | "secrets"
  > {
  readonly route: string;
  readonly listed: boolean | "default" | "toolset";
  readonly examples: readonly Example<In>[];
  readonly tasks?: readonly TaskDef[];
  readonly cli?: CliDef;
  readonly secrets?: SecretFields;
  /** true: a call with unknown fields is answered without them. Only for tools that read. */
  readonly dropsUnknown: boolean;
  /** Name under which an agent runs on a schedule; "custom" for the agent that runs saved agents. */
  readonly schedulable?: string;
}

/** Returns the scopes required to run a tool, that of its effect first. */
export const scopesOf = ({ effect, scopes = [] }: Pick<Tool, "effect" | "scopes">): readonly Scope[] => [
  ...new Set([SCOPE_OF[effect], ...scopes]),
];
/** Returns the input field that takes plain text, for a router or an interpreter. */
export const textFieldOf = ({ role }: Pick<Tool, "role">): string | undefined => role && TEXT_FIELDS[role];
/**
 * Returns the highest effect a call may have. A dispatcher runs tasks of other tools, which may write but never trade;
 * each of them checks the scope of its caller.
 */
export const maxEffect = ({ effect, role }: Pick<Tool, "effect" | "role">): Effect =>
  effect === "read" && role === "dispatcher" ? "write" : effect;
export type InputOf<T extends Tool> = z.input<T["input"]>;
export type OutputOf<T extends Tool> = z.output<T["output"]>;
