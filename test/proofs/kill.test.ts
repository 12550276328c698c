import { kill } from "./kill.ts";
import { proves } from "./proves.ts";

proves(kill);
