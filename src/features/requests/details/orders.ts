import data from "../data/orders.json" with { type: "json" };
import { expressions, labelsIn } from "../phrases.ts";

/** Orders that a question may contain, each with its reply. */
const ORDERS = expressions(data.orders, data.names, "i");

/** Returns a reply to each order in a question. No order is executed. */
export const ordersIn = (query: string): readonly string[] => labelsIn(ORDERS, query);
