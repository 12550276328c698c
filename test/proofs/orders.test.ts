import { orders } from "./orders.ts";
import { testProof } from "./test-proof.ts";

testProof(orders);
