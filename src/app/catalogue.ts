import * as agents from "../../agents/index.ts";
import * as tools from "../../tools/index.ts";

export const catalogue = { ...tools, ...agents };
