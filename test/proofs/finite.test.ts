import { finite } from "./finite.ts";
import { testProof } from "./test-proof.ts";

testProof(finite);
