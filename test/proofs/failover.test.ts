import { failover } from "./failover.ts";
import { proves } from "./proves.ts";

proves(failover);
