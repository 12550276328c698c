import { fuzz } from "./fuzz.ts";
import { proves } from "./proves.ts";

proves(fuzz);
