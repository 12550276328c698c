import type { z } from "zod";
import { PLAN_RANK } from "../domain/access.ts";
import { type Ground, invoke } from "./invoke.ts";
import {
  type Context,
  defineTool,
  type Effect,
  type Example,
  type InputOf,
  type OutputOf,
  type Tool,
  type ToolDef,
} from "./tool.ts";

/** Runs one of the agent's declared tools; calling any other tool does not compile. */
export type Step<Uses extends Tool> = <T extends Uses>(tool: T, input: InputOf<T>) => Promise<OutputOf<T>>;

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
  input: In;
  output: Out;
  examples: readonly [Example<In>, ...Example<In>[]];
  /** As of a tool. */
  tasks?: readonly string[];
  listed?: boolean;
  /** The longest of `uses` when absent. */
  deadlineMs?: number;
  run(
    input: z.output<In>,
    steps: { call: Step<Uses[number]>; progress: Context<never>["progress"] },
  ): Promise<z.input<Out>>;
}

const EFFECT_RANK = { read: 0, write: 1, trade: 2 } as const satisfies Record<Effect, number>;
const PLAN_ORDER = (plan: Tool["plan"]) => (plan === "open" ? -1 : PLAN_RANK[plan]);

/** A template composed of typed tool calls. The result is a tool: plan and effect are the highest of `uses`. */
export function defineAgent<
  const Name extends string,
  const Uses extends readonly [Tool, ...Tool[]],
  In extends z.ZodObject,
  Out extends z.ZodObject,
  const Route extends string,
>(def: AgentDef<Name, Uses, In, Out, Route>): Tool<Name, In, Out> {
  const { uses, run, ...shown } = def;
  const highest = <K extends "plan" | "effect">(key: K, rank: (value: Tool[K]) => number) =>
    uses.map((tool) => tool[key]).reduce((a, b) => (rank(b) > rank(a) ? b : a));
  const deadlines = uses.flatMap(({ deadlineMs }) => deadlineMs ?? []);
  const needs = [...new Set(uses.flatMap((tool) => tool.needs)), "clock", "ids", "log", "meters"];
  return defineTool({
    ...(deadlines.length > 0 && { deadlineMs: Math.max(...deadlines) }),
    ...shown,
    toolset: "agents",
    plan: highest("plan", PLAN_ORDER),
    effect: highest("effect", (effect) => EFFECT_RANK[effect]),
    needs: [...new Set(needs)],
    handler(input: z.output<In>, ctx: Context<never> & Ground) {
      const { principal, signal, requestId, progress, ...ports } = ctx;
      const call: Step<Uses[number]> = (tool, given) =>
        invoke(tool, given, {
          ports,
          principal,
          signal,
          requestId,
          door: def.name,
          detail: "full",
          inner: true,
        });
      return run(input, { call, progress });
    },
  } as unknown as ToolDef<Name, Effect, In, Out, never, string> as never);
}
