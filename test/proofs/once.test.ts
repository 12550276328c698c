import { once } from "./once.ts";
import { testProof } from "./test-proof.ts";

testProof(once);
