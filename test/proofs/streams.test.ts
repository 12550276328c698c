import { proves } from "./proves.ts";
import { streams } from "./streams.ts";

proves(streams);
