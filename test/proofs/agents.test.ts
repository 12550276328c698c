import { agents } from "./agents.ts";
import { proves } from "./proves.ts";

proves(agents);
