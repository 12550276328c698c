import { repeats } from "./repeats.ts";
import { testProof } from "./test-proof.ts";

testProof(repeats);
