import { deliveries } from "./deliveries.ts";
import { testProof } from "./test-proof.ts";

testProof(deliveries);
