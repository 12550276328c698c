import type { z } from "zod";
import type * as tools from "../../../tools/index.ts";

type Tools = { readonly [Key in keyof typeof tools as (typeof tools)[Key]["name"]]: (typeof tools)[Key] };
export type ToolName = keyof Tools;
/** What a caller passes to a tool. */
export type Input<Name extends ToolName> = z.input<Tools[Name]["input"]>;
/** What a tool answers. */
export type Output<Name extends ToolName> = z.output<Tools[Name]["output"]>;

/** Calls a tool that reads. Pages call over REST, views in a chat through their host. */
export type Call = <Name extends ToolName>(name: Name, input: Input<Name>) => Promise<Output<Name>>;
