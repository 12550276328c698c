import { corruption } from "./corruption.ts";
import { proves } from "./proves.ts";

proves(corruption);
