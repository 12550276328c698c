import * as agents from "../../agents/index.ts";
import * as tools from "../../tools/index.ts";

/** Everything this program offers: the tools, and the agents composed of them. */
export const catalogue = { ...tools, ...agents };
