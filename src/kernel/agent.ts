import type { z } from "zod";
import { PLAN_RANK, type Plan } from "../domain/accounts/access.ts";
import type { Market } from "../domain/market/market.ts";
import { invoke, type RuntimePorts } from "./invoke.ts";
import { type Outcome, outcomesOf } from "./outcomes.ts";
import type { TaskDef } from "./task-bindings.ts";
import {
  type Context,
  defineTool,
  type Effect,
  type Example,
  type InputOf,
  type OutputOf,
  type Paint,
  type Progress,
  scopesOf,
  type Tool,
  type ToolDef,
} from "./tool.ts";

/** What an agent may do: run the tools that it declared. Running any other does not compile. */
export interface Steps<Uses extends Tool> {
  /** `heard` is told how far a long call has come. */
  call<T extends Uses>(tool: T, input: InputOf<T>, heard?: (step: Progress) => void): Promise<OutputOf<T>>;
  /**
   * The outcome of one tool for each input, in the order of the inputs, a few at a time; a failure of one leaves the
   * others alone. Rejects with what ends the whole call, and with UPSTREAM_UNAVAILABLE where nothing was had and
   * any source was silent: an outage is no empty list.
   */
  each<T extends Uses>(tool: T, inputs: readonly InputOf<T>[]): Promise<readonly Outcome<OutputOf<T>>[]>;
  readonly progress: Context<never>["progress"];
  /** Which market the tools answer of, whether or not any of them has an answer. */
  readonly market: Market["mode"];
}

export interface AgentDef<
  Name extends string,
  Uses extends readonly [Tool, ...Tool[]],
  In extends z.ZodObject,
  Out extends z.ZodObject,
  Route extends string,
> {
  name: Name;
  title: string;
  description: string;
  uses: Uses;
  /** As of a tool: "POST /api/v1/path". */
  route: Route;
  /** As of a tool. */
  command?: string;
  words?: readonly (keyof z.input<In> & string)[];
  input: In;
  output: Out;
  examples: readonly [Example<In>, ...Example<In>[]];
  /** As of a tool. */
  tasks?: readonly TaskDef<keyof z.input<In> & string>[];
  /** As of a tool. */
  routes?: keyof z.input<In> & string;
  /** As of a tool. */
  schedulable?: string;
  /** A higher one than any of `uses` asks for. */
  plan?: Plan;
  listed?: boolean;
  /** The longest of `uses` when absent. */
  deadlineMs?: number;
  /** As of a tool. */
  terminal?(result: z.output<Out>, paint: Paint): string;
  run(input: z.output<In>, steps: Steps<Uses[number]>): Promise<z.input<Out>>;
}

const EFFECT_RANK = { read: 0, write: 1, trade: 2 } as const satisfies Record<Effect, number>;
const planRank = (plan: Tool["plan"]) => (plan === "open" ? -1 : PLAN_RANK[plan]);

/**
 * A template composed of typed tool calls. The result is a tool that says which others it uses; its plan and effect are
 * the highest of theirs, and its steps share what the one call costs.
 */
export function defineAgent<
  const Name extends string,
  const Uses extends readonly [Tool, ...Tool[]],
  In extends z.ZodObject,
  Out extends z.ZodObject,
  const Route extends string,
>(def: AgentDef<Name, Uses, In, Out, Route>): Tool<Name, In, Out> {
  const { uses, run, plan, ...shown } = def;
  const highest = <K extends "plan" | "effect">(key: K, rank: (value: Tool[K]) => number, more?: Tool[K]) =>
    [...uses.map((tool) => tool[key]), ...(more === undefined ? [] : [more])].reduce((a, b) =>
      rank(b) > rank(a) ? b : a,
    );
  const deadlines = uses.flatMap(({ deadlineMs }) => deadlineMs ?? []);
  const needs = [...uses.flatMap((tool) => tool.needs), "clock", "ids", "log", "meters", "market"];
  return defineTool({
    ...(deadlines.length > 0 && { deadlineMs: Math.max(...deadlines) }),
    ...shown,
    toolset: "agents",
    plan: highest("plan", planRank, plan),
    effect: highest("effect", (effect) => EFFECT_RANK[effect]),
    needs: [...new Set(needs)],
    uses: uses.map(({ name }) => name),
    scopes: [...new Set(uses.flatMap(scopesOf))],
    handler(input: z.output<In>, ctx: Context<"market"> & RuntimePorts) {
      const { principal, signal, requestId, progress, ...ports } = ctx;
      const call: Steps<Uses[number]>["call"] = (tool, given, heard) =>
        invoke(tool, given, {
          ports,
          principal,
          signal,
          requestId,
          door: def.name,
          detail: "full",
          inner: true,
          ...(heard && { progress: heard }),
        });
      const each: Steps<Uses[number]>["each"] = async (tool, inputs) => {
        const noted = { log: ports.log, event: "step", about: { request_id: requestId, tool: tool.name } };
        const outcomes = await outcomesOf(inputs, (given) => call(tool, given), {
          signal,
          progress,
          noted: () => noted,
        });
        const silent = outcomes.find(({ error }) => error?.code === "UPSTREAM_UNAVAILABLE")?.error;
        if (silent && outcomes.every(({ error }) => error !== null)) throw silent;
        return outcomes;
      };
      return run(input, { call, each, progress, market: ports.market.mode });
    },
  } as unknown as ToolDef<Name, Effect, In, Out, never, string> as never);
}
