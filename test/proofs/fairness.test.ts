import { fairness } from "./fairness.ts";
import { testProof } from "./test-proof.ts";

testProof(fairness);
