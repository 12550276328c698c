import { orders } from "./orders.ts";
import { proves } from "./proves.ts";

proves(orders);
