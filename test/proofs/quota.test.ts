import { proves } from "./proves.ts";
import { quota } from "./quota.ts";

proves(quota);
