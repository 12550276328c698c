import { deliveries } from "./deliveries.ts";
import { proves } from "./proves.ts";

proves(deliveries);
