import { direct } from "./direct.ts";
import { testProof } from "./test-proof.ts";

testProof(direct);
