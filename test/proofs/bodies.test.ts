import { bodies } from "./bodies.ts";
import { testProof } from "./test-proof.ts";

testProof(bodies);
