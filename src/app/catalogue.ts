import * as agents from "../../agents/index.ts";
import * as tools from "../../tools/index.ts";

/** Catalogue of this program: the tools, and the agents composed of them. */
export const catalogue = { ...tools, ...agents };
