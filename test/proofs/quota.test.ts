import { quota } from "./quota.ts";
import { testProof } from "./test-proof.ts";

testProof(quota);
