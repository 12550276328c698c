import { once } from "./once.ts";
import { proves } from "./proves.ts";

proves(once);
