import type { z } from "zod";
import { PLAN_RANK, type Plan, type Principal } from "../domain/accounts/access.ts";
import type { Market } from "../domain/market/market.ts";
import { invoke, type RuntimePorts } from "./invoke.ts";
import { type Outcome, outcomesOf } from "./outcomes.ts";
import {
  type Context,
  defineTool,
  type Effect,
  type Immutable,
  type InputOf,
  type OutputOf,
  type Progress,
  scopesOf,
  type Tool,
  type ToolDef,
} from "./tool.ts";

/** Calls available to an agent: only the tools it declared. Calling another one does not compile. */
export interface Steps<Uses extends Tool> {
  call<T extends Uses>(
    tool: T,
    input: InputOf<T>,
    onProgress?: (step: Progress) => void,
  ): Promise<OutputOf<T>>;
  /**
   * Calls one tool for each input, a few at a time, and returns the outcomes in the order of the inputs; a failed call
   * does not affect the others. Rejects with an error that ends the whole call, and with UPSTREAM_UNAVAILABLE if every
   * call failed and any provider was unavailable: an outage is not an empty list.
   */
  each<T extends Uses>(tool: T, inputs: readonly InputOf<T>[]): Promise<readonly Outcome<OutputOf<T>>[]>;
  readonly progress: Context<never>["progress"];
  /** The kind of market data the tools return. */
  readonly market: Market["mode"];
  /** Plan of the caller, which the steps may exceed: see `openTo`. */
  readonly plan: Principal["plan"];
}

export interface AgentDef<
  Name extends string,
  Uses extends readonly [Tool, ...Tool[]],
  In extends z.ZodObject,
  Out extends z.ZodObject,
  Route extends string,
> extends Pick<
    ToolDef<Name, Effect, In, Out, never, string>,
    | "name"
    | "title"
    | "description"
    | "topics"
    | "cli"
    | "http"
    | "input"
    | "output"
    | "examples"
    | "tasks"
    | "role"
    | "listed"
    | "terminal"
  > {
  uses: Uses;
  /** "POST /api/v1/path", as in a tool. */
  route: Route;
  /**
   * Name under which it runs on a schedule; "custom" for the agent that runs saved agents. Its input has
   * `run_id` and `dry_run`, its output `decisions`.
   */
  schedulable?: string;
  /** Required plan, if higher than the plans of all tools in `uses`. */
  plan?: Plan;
  /** Required plan, although tools in `uses` require a higher one when called alone; its steps are included in it. */
  openTo?: Plan;
  /** Milliseconds one call may take. Default: the longest deadline among `uses`. */
  deadlineMs?: number;
  run(input: z.output<In>, steps: Steps<Uses[number]>): Promise<Immutable<z.input<Out>>>;
}

const EFFECT_RANK = { read: 0, write: 1, trade: 2 } as const satisfies Record<Effect, number>;
const higherOf = (a: Principal["plan"], b: Tool["plan"]): Principal["plan"] =>
  planRank(b) > planRank(a) ? b : a;
const planRank = (plan: Tool["plan"]) => (plan === "open" ? -1 : PLAN_RANK[plan]);

/**
 * Composes typed tool calls into a tool. Its plan and effect are the highest of the tools it uses, unless `openTo`
 * names a lower plan, and its steps share the quota charge of the one call.
 */
export function defineAgent<
  const Name extends string,
  const Uses extends readonly [Tool, ...Tool[]],
  In extends z.ZodObject,
  Out extends z.ZodObject,
  const Route extends string,
>(def: AgentDef<Name, Uses, In, Out, Route>): Tool<Name, In, Out> {
  const { uses, run, plan, openTo, ...shown } = def;
  const highest = <K extends "plan" | "effect">(key: K, rank: (value: Tool[K]) => number, more?: Tool[K]) =>
    [...uses.map((tool) => tool[key]), ...(more === undefined ? [] : [more])].reduce((a, b) =>
      rank(b) > rank(a) ? b : a,
    );
  const ofSteps = highest("plan", planRank, plan);
  const deadlines = uses.flatMap(({ deadlineMs }) => deadlineMs ?? []);
  const needs = [...uses.flatMap((tool) => tool.needs), "clock", "ids", "log", "meters", "market"];
  return defineTool({
    ...(deadlines.length > 0 && { deadlineMs: Math.max(...deadlines) }),
    ...shown,
    toolset: "agents",
    plan: openTo ?? ofSteps,
    effect: highest("effect", (effect) => EFFECT_RANK[effect]),
    needs: [...new Set(needs)],
    uses: uses.map(({ name }) => name),
    scopes: [...new Set(uses.flatMap(scopesOf))],
    handler(input: z.output<In>, ctx: Context<"market"> & RuntimePorts) {
      const { principal, signal, requestId, progress, ...ports } = ctx;
      const stepsAs = { ...principal, plan: higherOf(principal.plan, ofSteps) };
      const call: Steps<Uses[number]>["call"] = (tool, input, onProgress) =>
        invoke(tool, input, {
          ports,
          principal: stepsAs,
          signal,
          requestId,
          transport: def.name,
          detail: "full",
          nested: true,
          ...(onProgress && { progress: onProgress }),
        });
      const each: Steps<Uses[number]>["each"] = async (tool, inputs) => {
        const logEntry = {
          log: ports.log,
          event: "step",
          fields: { request_id: requestId, tool: tool.name },
        };
        const outcomes = await outcomesOf(inputs, (given) => call(tool, given), {
          signal,
          progress,
          logEntryOf: () => logEntry,
        });
        const unavailable = outcomes.find(({ error }) => error?.code === "UPSTREAM_UNAVAILABLE")?.error;
        if (unavailable && outcomes.every(({ error }) => error !== null)) throw unavailable;
        return outcomes;
      };
      return run(input, { call, each, progress, market: ports.market.mode, plan: principal.plan });
    },
  } as unknown as ToolDef<Name, Effect, In, Out, never, string> as never);
}
