import { consistency } from "./consistency.ts";
import { testProof } from "./test-proof.ts";

testProof(consistency);
