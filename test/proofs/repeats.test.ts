import { proves } from "./proves.ts";
import { repeats } from "./repeats.ts";

proves(repeats);
