import { proves } from "./proves.ts";
import { shutdown } from "./shutdown.ts";

proves(shutdown);
