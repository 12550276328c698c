import { failover } from "./failover.ts";
import { testProof } from "./test-proof.ts";

testProof(failover);
