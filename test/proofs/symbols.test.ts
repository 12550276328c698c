import { proves } from "./proves.ts";
import { symbols } from "./symbols.ts";

proves(symbols);
