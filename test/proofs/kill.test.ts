import { kill } from "./kill.ts";
import { testProof } from "./test-proof.ts";

testProof(kill);
